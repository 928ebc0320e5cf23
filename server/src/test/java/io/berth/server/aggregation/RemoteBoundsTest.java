package io.berth.server.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.ApiException;
import io.berth.server.Limits;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.budget.Processor;
import io.berth.server.budget.Use;
import io.berth.server.budget.Visitor;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/// Answers of another server that do not end.
class RemoteBoundsTest {

  @Test
  void anAnswerWithoutEndIsRefusedWithinTheBudgetOfWhoAsked() throws Exception {
    var memory = new Memory(new Budget(8 << 20));
    try (var visitor =
        new Visitor(memory, Processor.SHARED, "192.0.2.1", null, Visitor.Host.NONE)) {
      visitor.isKnownAs("alice");
      var endless = new Endless();

      assertThatThrownBy(() -> RemoteBody.read(endless, visitor))
          .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.code()).isIn(413, 429));
      assertThat(endless.read).isLessThan(8L << 20);
      assertThat(memory.inUse(Use.ANSWERS)).isLessThan(8L << 20);
    }
    assertThat(memory.inUse(Use.ANSWERS)).isZero();
  }

  @Test
  void anAnswerWithoutEndIsRefusedForThoseWhoMayTakeAll() throws IOException {
    var endless = new Endless();

    assertThatThrownBy(() -> RemoteBody.read(endless, Visitor.guest()))
        .hasMessageContaining("larger than 64 MiB");
    assertThat(endless.read).isEqualTo(Limits.REMOTE_ANSWER_BYTES);
  }

  private static final class Endless extends InputStream {

    private long read;

    @Override
    public int read() {
      read++;
      return 'a';
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      read += length;
      return length;
    }
  }
}
