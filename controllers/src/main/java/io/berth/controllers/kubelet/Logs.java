package io.berth.controllers.kubelet;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What a simulated container has written: a line when it starts, one every ten seconds, and one
/// when it ends. The same container gives the same lines, whenever it is asked.
public final class Logs {

  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final int MOST = 1000;

  private Logs() {}

  /// The lines of a container up to `now`, oldest first; at most the last thousand.
  public static List<Line> of(Tree pod, String container, Instant now) {
    for (var list : List.of("containerStatuses", "initContainerStatuses")) {
      for (var status : pod.trees("status", list)) {
        if (status.textOrEmpty("name").equals(container)) {
          return lines(pod, status, now);
        }
      }
    }
    return List.of();
  }

  private static List<Line> lines(Tree pod, Tree status, Instant now) {
    var state = status.treeOrEmpty("state");
    var ended = state.tree("terminated");
    var started =
        Meta.instant(state, Instant.EPOCH, ended == null ? "running" : "terminated", "startedAt");
    if (started.equals(Instant.EPOCH)) {
      return List.of();
    }
    var end = ended == null ? now : Meta.instant(ended, now, "finishedAt");
    var who = "%s/%s".formatted(Meta.name(pod), status.textOrEmpty("name"));
    var lines = new ArrayList<Line>();
    lines.add(
        new Line(started, "%s started with image %s".formatted(who, status.textOrEmpty("image"))));
    var beats = Duration.between(started, end).dividedBy(EVERY);
    for (long beat = Math.max(1, beats - MOST + 3); beat <= beats; beat++) {
      lines.add(
          new Line(
              started.plus(EVERY.multipliedBy(beat)),
              "%s is running, line %d".formatted(who, beat)));
    }
    if (ended != null) {
      lines.add(
          new Line(end, "%s exited with code %d".formatted(who, ended.number(0, "exitCode"))));
    }
    return lines;
  }

  /// One line of output.
  public record Line(Instant time, String text) {}
}
