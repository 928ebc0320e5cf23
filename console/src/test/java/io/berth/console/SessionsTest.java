package io.berth.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.console.session.Credential;
import io.berth.console.session.Sessions;
import io.berth.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionsTest {

  private final FakeClock clock = new FakeClock();
  private final Sessions sessions = new Sessions(clock);

  @Test
  void aSessionLastsEightHoursHoweverOftenItIsUsed() {
    var secret = sessions.open("alice", credential("a"));

    for (int i = 0; i < 23; i++) {
      clock.advance(Duration.ofMinutes(20));
      assertThat(sessions.find(secret)).contains(credential("a"));
    }
    clock.advance(Duration.ofMinutes(20));
    assertThat(sessions.find(secret)).isEmpty();
  }

  @Test
  void anUnusedSessionEnds() {
    var secret = sessions.open("alice", credential("a"));
    clock.advance(Duration.ofMinutes(30));

    assertThat(sessions.find(secret)).isEmpty();
  }

  @Test
  void oneUserEndsOnlyTheirOwn() {
    var bobs = sessions.open("bob", credential("b"));
    var secrets = new ArrayList<String>();
    for (int i = 0; i < 101; i++) {
      clock.advance(Duration.ofMillis(1));
      secrets.add(sessions.open("alice", credential("a")));
    }

    assertThat(sessions.find(bobs)).isPresent();
    assertThat(sessions.find(secrets.getFirst())).isEmpty();
    assertThat(sessions.find(secrets.get(1))).isPresent();
  }

  @Test
  void thereAreAThousandAtMost() {
    for (int i = 0; i < 1000; i++) {
      sessions.open("user-" + i, credential("c"));
    }

    assertThatThrownBy(() -> sessions.open("one more", credential("d")))
        .hasMessageContaining("1000 sessions");
    clock.advance(Duration.ofMinutes(31));
    assertThat(sessions.open("one more", credential("d"))).isNotEmpty();
  }

  @Test
  void codesWorkOnceAndTheOldestOfTooManyEnds() {
    var codes = new ArrayList<String>();
    for (int i = 0; i < 101; i++) {
      codes.add(sessions.code(credential("c" + i)));
    }

    assertThat(sessions.redeem(codes.getFirst())).isEmpty();
    assertThat(sessions.redeem(codes.getLast())).contains(credential("c100"));
    assertThat(sessions.redeem(codes.getLast())).isEmpty();
  }

  @Test
  void aCredentialSaysNothingOfItself() {
    assertThat(credential("secret").toString()).doesNotContain("secret");
  }

  private static Credential credential(String authorization) {
    return new Credential(List.of(), authorization);
  }
}
