package io.berth.conformance;

import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.engine.Decision;
import io.berth.engine.Extension.Answers;
import io.berth.engine.Preemption;
import io.berth.engine.Scored;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a journal writes decisions, and says them in words.
public final class JournalLine {

  private JournalLine() {}

  /// `best` are the nodes that came out best, with their scores.
  public static Tree decided(Pod pod, Decision decision, List<Scored> best) {
    var line = decided(pod, decision);
    if (!best.isEmpty()) {
      var scores = new Tree();
      best.forEach(scored -> scores.put(scored.node(), scored.score()));
      line.put("best", scores);
    }
    return line;
  }

  /// Extenders had a say; without `said` one of them ended the decision.
  public static Tree extended(Pod pod, Decision decision, @Nullable Answers said) {
    return decided(pod, decision)
        .put("extended", said == null ? new Tree() : AnswersTree.write(said));
  }

  /// `said` is what extenders said, by pod.
  public static Tree groupDecided(
      List<Pod> pods, List<Decision> decisions, Map<String, Answers> said) {
    var members = new ArrayList<Tree>();
    for (int i = 0; i < decisions.size(); i++) {
      var pod = pods.get(i);
      var answers = said.get(pod.key());
      members.add(
          answers == null
              ? decided(pod, decisions.get(i))
              : extended(pod, decisions.get(i), answers));
    }
    return Tree.of("group", members);
  }

  private static Tree decided(Pod pod, Decision decision) {
    var line = Tree.of("decided", pod.key());
    switch (decision) {
      case Decision.Placed(var node, int feasible) ->
          line.put("node", node).put("feasible", (long) feasible);
      case Decision.Unschedulable no -> {
        line.put("message", no.message());
        if (no.preemption() != null && no.preemption().node() != null) {
          line.put("preempts", preempts(no.preemption(), no.preemption().node()));
        }
      }
      case Decision.Failed(var error) -> line.put("error", error);
    }
    return line;
  }

  private static Tree preempts(Preemption preemption, String node) {
    var candidate = preemption.candidates().get(node);
    return Tree.of("node", node, "victims", candidate == null ? List.of() : candidate.victims());
  }

  /// The decision of a line in words, to compare and to show.
  static String text(Tree line) {
    if (line.has("node")) {
      return "node %s of %d".formatted(line.textOrEmpty("node"), line.number(0, "feasible"));
    }
    if (line.has("error")) {
      return "error " + line.textOrEmpty("error");
    }
    var preempts = line.tree("preempts");
    return preempts == null
        ? line.textOrEmpty("message")
        : "%s Evicts %s from %s."
            .formatted(
                line.textOrEmpty("message"),
                preempts.list("victims"),
                preempts.textOrEmpty("node"));
  }

  static String text(Pod pod, Decision decision) {
    return text(decided(pod, decision));
  }
}
