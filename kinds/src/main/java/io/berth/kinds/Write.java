package io.berth.kinds;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Who writes, and when: what a strategy may know about the request.
public record Write(
    Instant now,
    String user,
    String uid,
    List<String> groups,
    Map<String, List<String>> extra,
    boolean dryRun) {

  public Write {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }

  public Write(Instant now, String user, List<String> groups, boolean dryRun) {
    this(now, user, "", groups, Map.of(), dryRun);
  }

  /// A write by the system itself.
  public static Write bySystem(Instant now) {
    return new Write(now, "system:apiserver", List.of("system:masters"), false);
  }
}
