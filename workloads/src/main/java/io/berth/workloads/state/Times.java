package io.berth.workloads.state;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Times as the API writes them: RFC 3339 in UTC, with milliseconds.
public final class Times {

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final InstantSource clock;

  Times(InstantSource clock) {
    this.clock = clock;
  }

  public Instant instant() {
    return clock.instant();
  }

  public String now() {
    return text(clock.instant());
  }

  public static String text(Instant instant) {
    return FORMAT.format(instant);
  }

  /// A Kubernetes time in the form of the API; `""` stays empty.
  public static String of(String kubernetes) {
    return kubernetes.isEmpty() ? "" : text(Instant.parse(kubernetes));
  }
}
