package io.berth.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DerivedTest {

  private final AtomicInteger stored = new AtomicInteger(1);
  private final Derived<Integer> derived = new Derived<>();

  @Test
  void isMadeAgainOnlyAfterAWrite() {
    assertThat(derived.get(_ -> stored.get())).isEqualTo(1);
    stored.set(2);
    assertThat(derived.get(_ -> stored.get())).isEqualTo(1);

    derived.outdate();
    assertThat(derived.get(_ -> stored.get())).isEqualTo(2);
  }

  @Test
  void aWriteDuringTheReadIsNotForgotten() {
    int read =
        derived.get(_ -> {
          int before = stored.getAndSet(2);
          derived.outdate();
          return before;
        });
    assertThat(read).isEqualTo(1);
    assertThat(derived.get(_ -> stored.get())).isEqualTo(2);
  }
}
