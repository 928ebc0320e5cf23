package io.berth.answers.explain;

import io.berth.api.Tree;
import java.util.List;

/// The answer to `berth explain pod`: how it stands with a pod, what is in its way, what helps.
///
/// @param pod `namespace/name`
/// @param node where it is, or would go; `""` if nowhere
/// @param complete whether everything placement depends on could be read; if not, `unread` names
///   the rest, and no suggestion is called tried
/// @param revision the state of the cluster it is about, `""` if nobody counts
/// @param message what kube-scheduler says of it
public record PodExplanation(
    String pod,
    Outlook verdict,
    String node,
    boolean complete,
    List<String> unread,
    String revision,
    String message,
    int nodes,
    List<Obstruction> causes,
    List<Suggestion> suggestions,
    Tree preemption,
    List<ScoreSheet> scores) {

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
    tree.put("causes", causes.stream().map(Obstruction::toTree).toList());
    tree.put("suggestions", suggestions.stream().map(Suggestion::toTree).toList());
    tree.put("preemption", preemption);
    return tree.put("scores", scores.stream().map(ScoreSheet::toTree).toList());
  }
}
