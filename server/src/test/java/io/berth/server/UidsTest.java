package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.registry.Uids;
import java.util.HashSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UidsTest {

  @Test
  void areRandomUuidsAndNeverTheSame() {
    var seen = new HashSet<String>();
    for (int i = 0; i < 10_000; i++) {
      var uid = Uids.next();
      assertThat(seen.add(uid)).isTrue();
      assertThat(UUID.fromString(uid).version()).isEqualTo(4);
      assertThat(UUID.fromString(uid).variant()).isEqualTo(2);
    }
  }
}
