package io.berth.app;

import io.berth.server.identity.Authority;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replaces the certificates of a process that runs for long, before they end.
///
/// Looks at the wall clock every hour: certificates end by it, also when the machine slept.
final class Renewals implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Renewals.class);
  private static final Duration EVERY = Duration.ofHours(1);

  private final InstantSource clock;
  private final List<Renewal> renewals;
  private final Thread thread;
  private Instant made;

  /// Makes one certificate anew, and puts it where it is used.
  interface Renewal {
    void run() throws IOException;
  }

  /// To be made at the same time as the certificates.
  Renewals(InstantSource clock, List<Renewal> renewals) {
    this.clock = clock;
    this.renewals = List.copyOf(renewals);
    this.made = clock.instant();
    this.thread = Thread.ofVirtual().name("renewals").start(this::look);
  }

  private void look() {
    try {
      while (true) {
        Thread.sleep(EVERY);
        check();
      }
    } catch (InterruptedException e) {
      // The process ends.
    }
  }

  /// Renews everything when it is time to; what fails is tried again at the next look.
  synchronized void check() {
    if (clock.instant().isBefore(made.plus(Authority.RENEWED_AFTER))) {
      return;
    }
    try {
      for (var renewal : renewals) {
        renewal.run();
      }
      made = clock.instant();
      log.info("certificates are renewed");
    } catch (IOException | RuntimeException e) {
      log.warn("cannot renew the certificates: {}; trying again in an hour", e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
