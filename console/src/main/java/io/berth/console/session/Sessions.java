package io.berth.console.session;

import io.berth.api.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Open sessions: what a browser sends as a cookie stands for a credential that stays here.
///
/// A session lasts 8 hours, or until nobody used it for half an hour. There are at most 1,000; a
/// user's 101st ends the one of theirs that was idle for longest. Locked by itself.
public final class Sessions {

  public static final Duration LONGEST = Duration.ofHours(8);
  private static final Duration IDLE = Duration.ofMinutes(30);
  private static final int MOST = 1000;
  private static final int MOST_OF_ONE = 100;
  private static final int BYTES = 32;

  private final InstantSource clock;
  private final Codes codes;
  private final Map<String, Session> open = new HashMap<>();

  private static final class Session {

    final String user;
    final Credential credential;
    final Instant end;
    Instant used;

    Session(String user, Credential credential, Instant now) {
      this.user = user;
      this.credential = credential;
      this.end = now.plus(LONGEST);
      this.used = now;
    }

    boolean isOver(Instant now) {
      return !now.isBefore(end) || !now.isBefore(used.plus(IDLE));
    }
  }

  public Sessions(InstantSource clock) {
    this.clock = clock;
    this.codes = new Codes(clock);
  }

  /// Opens a session; the secret that stands for it.
  public synchronized String open(String user, Credential credential) {
    var now = clock.instant();
    open.values().removeIf(session -> session.isOver(now));
    if (open.values().stream().filter(session -> session.user.equals(user)).count()
        >= MOST_OF_ONE) {
      endIdlest(user);
    }
    if (open.size() >= MOST) {
      throw new ApiException(
          429,
          "TooManyRequests",
          "%d sessions are open; sign out of one, or wait for one to end".formatted(MOST));
    }
    var secret = Secrets.next(BYTES);
    open.put(Secrets.digest(secret), new Session(user, credential, now));
    return secret;
  }

  private void endIdlest(String user) {
    open.entrySet().stream()
        .filter(each -> each.getValue().user.equals(user))
        .min(Comparator.comparing(each -> each.getValue().used))
        .ifPresent(each -> open.remove(each.getKey()));
  }

  /// Whose session this is; using it keeps it open.
  public synchronized Optional<Credential> find(String secret) {
    var key = Secrets.digest(secret);
    var session = open.get(key);
    var now = clock.instant();
    if (session == null || session.isOver(now)) {
      open.remove(key);
      return Optional.empty();
    }
    session.used = now;
    return Optional.of(session.credential);
  }

  public synchronized void end(String secret) {
    open.remove(Secrets.digest(secret));
  }

  /// A code that opens a session once, within a minute.
  public String code(Credential credential) {
    return codes.issue(credential);
  }

  public Optional<Credential> redeem(String code) {
    return codes.redeem(code);
  }
}
