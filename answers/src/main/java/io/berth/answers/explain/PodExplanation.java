package io.berth.answers.explain;

import io.berth.answers.remedy.Suggestion;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The answer to `berth explain pod`: how it stands with a pod, what is in its way, what helps.
///
/// @param pod `namespace/name`
/// @param node where it is, or would go; `""` if nowhere
/// @param complete whether everything placement depends on could be read; if not, `unread` names
///   the rest, and no suggestion is called tried
/// @param revision the state of the cluster it is about, `""` if nobody counts
/// @param message what kube-scheduler says of it
/// @param nodes how many there are
/// @param opening the node that would take it if the fewest pods were not there
public record PodExplanation(
    String pod,
    Outlook verdict,
    String node,
    boolean complete,
    List<String> unread,
    String revision,
    String message,
    int nodes,
    @Nullable Opening opening,
    List<Obstruction> causes,
    List<Suggestion> suggestions,
    Tree preemption,
    List<ScoreSheet> scores) {

  /// A node that would take the pod without these pods.
  public record Opening(String node, List<String> without) {

    public Opening {
      without = List.copyOf(without);
    }
  }

  public static final String API_VERSION = "berth.io/v1alpha1";

  public PodExplanation {
    unread = List.copyOf(unread);
    causes = List.copyOf(causes);
    suggestions = List.copyOf(suggestions);
    preemption = preemption.freeze();
    scores = List.copyOf(scores);
  }

  /// Whether somebody who waits for the pod may go on waiting: it has a node, or would get one.
  public boolean isGood() {
    return verdict == Outlook.FITS || verdict == Outlook.BOUND;
  }

  /// The same, told of one node only; of all if the name is empty.
  public PodExplanation on(String only) {
    if (only.isEmpty()) {
      return this;
    }
    return new PodExplanation(
        pod,
        verdict,
        node,
        complete,
        unread,
        revision,
        message,
        nodes,
        opening,
        causes.stream()
            .filter(cause -> cause.nodes().contains(only))
            .map(cause -> cause.on(only))
            .toList(),
        suggestions.stream().filter(each -> each.lands().equals(only)).toList(),
        preemption,
        scores.stream().filter(sheet -> sheet.node().equals(only)).toList());
  }

  /// The same without what somebody may not see.
  public PodExplanation seenBy(Sight sight) {
    return Veil.over(this, sight);
  }

  /// The same of another pod that nothing tells from this one.
  public PodExplanation of(String other) {
    return new PodExplanation(
        other,
        verdict,
        node,
        complete,
        unread,
        revision,
        message,
        nodes,
        opening,
        causes,
        suggestions,
        preemption,
        scores);
  }

  public Tree toTree() {
    var tree = Tree.of("apiVersion", API_VERSION, "kind", "Explanation");
    tree.put("pod", pod).put("verdict", verdict.toString());
    if (!node.isEmpty()) {
      tree.put("node", node);
    }
    tree.put("complete", complete);
    if (!unread.isEmpty()) {
      tree.put("unread", unread);
    }
    tree.put("revision", revision).put("message", message);
    tree.put("nodes", nodes);
    if (opening != null) {
      tree.put("opening", Tree.of("node", opening.node(), "without", opening.without()));
    }
    tree.put("causes", causes.stream().map(Obstruction::toTree).toList());
    tree.put("suggestions", suggestions.stream().map(Suggestion::toTree).toList());
    tree.put("preemption", preemption);
    return tree.put("scores", scores.stream().map(ScoreSheet::toTree).toList());
  }
}
