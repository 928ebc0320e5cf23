package io.berth.console.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// One-time codes: each lets its bearer in once, within a minute, as whoever asked for it.
///
/// At most 100 wait; one more ends the oldest. Locked by itself.
final class Codes {

  private static final Duration GOOD_FOR = Duration.ofMinutes(1);
  private static final int MOST = 100;
  private static final int BYTES = 24;

  private record Issued(Credential credential, Instant until) {}

  private final InstantSource clock;
  private final Map<String, Issued> issued =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Issued> eldest) {
          return size() > MOST;
        }
      };

  Codes(InstantSource clock) {
    this.clock = clock;
  }

  synchronized String issue(Credential credential) {
    var code = Secrets.next(BYTES);
    issued.put(Secrets.digest(code), new Issued(credential, clock.instant().plus(GOOD_FOR)));
    return code;
  }

  /// Whom the code lets in; it does so once.
  synchronized Optional<Credential> redeem(String code) {
    var found = issued.remove(Secrets.digest(code));
    return found == null || clock.instant().isAfter(found.until)
        ? Optional.empty()
        : Optional.of(found.credential);
  }
}
