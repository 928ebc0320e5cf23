package io.berth.kinds;

import java.time.Instant;
import java.util.List;

/// Who writes, and when: what a strategy may know about the request.
public record Write(Instant now, String user, List<String> groups, boolean dryRun) {

  public Write {
    groups = List.copyOf(groups);
  }

  /// A write by the system itself.
  public static Write bySystem(Instant now) {
    return new Write(now, "system:apiserver", List.of("system:masters"), false);
  }
}
