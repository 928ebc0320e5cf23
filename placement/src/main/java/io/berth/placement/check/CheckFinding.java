package io.berth.placement.check;

import io.berth.answers.explain.PodExplanation;
import java.util.List;

/// What a check found: nothing, or a sentence that names pods and nodes, and why pods wait.
public record CheckFinding(String message, List<PodExplanation> why) {

  /// It holds.
  public static final CheckFinding NONE = new CheckFinding("", List.of());

  public CheckFinding {
    why = List.copyOf(why);
  }

  public static CheckFinding of(String message) {
    return new CheckFinding(message, List.of());
  }

  public boolean isFailure() {
    return !message.isEmpty();
  }
}
