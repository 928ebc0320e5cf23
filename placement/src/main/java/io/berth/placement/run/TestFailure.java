package io.berth.placement.run;

import io.berth.answers.explain.ExplanationText;
import io.berth.answers.explain.PodExplanation;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// What went wrong in a test.
///
/// @param line where it is written, from 1
/// @param what the check or step, as `then[0].skew`
public record TestFailure(int line, String what, String message, List<PodExplanation> why) {

  public TestFailure {
    why = List.copyOf(why);
  }

  /// The message, then why each pod waits.
  public List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(what + ": " + message);
    for (var explanation : why) {
      var text = new ExplanationText(explanation);
      lines.add("  " + text.headline());
      for (var row : text.rows()) {
        lines.add("    %s of the nodes: %s: %s".formatted(row.get(0), row.get(2), row.get(3)));
      }
    }
    return lines;
  }

  Tree toTree() {
    return Tree.of("line", line, "what", what, "message", message)
        .put("why", why.stream().map(PodExplanation::toTree).toList());
  }
}
