package io.berth.console.sight;

import io.berth.answers.explain.Obstruction;
import io.berth.answers.explain.PodExplanation;
import io.berth.answers.remedy.Suggestion;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.console.answer.SuggestedRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// An explanation as one caller may read it.
///
/// Everybody who sees the pod gets what its events tell: verdict, message, and how many nodes
/// refuse it for which reason. Names of nodes, and what they are short of, go to whoever may list
/// nodes; names of other pods to whoever may list these. Words that both sides' objects went into,
/// scores and suggestions about nodes are for those from whom nothing of that is hidden.
public final class SeenExplanation {

  private final PodExplanation answer;
  private final Visibility visibility;
  private final boolean everything;

  public SeenExplanation(PodExplanation answer, Visibility visibility) {
    this.answer = answer;
    this.visibility = visibility;
    this.everything = visibility.seesEverything();
  }

  public Tree toTree() {
    var tree = answer.toTree();
    tree.put("suggestions", suggestions());
    if (everything) {
      return counted(tree);
    }
    tree.put("cut", true);
    tree.remove("unread");
    tree.remove("preemption");
    tree.remove("scores");
    if (!visibility.seesNodes() && !answer.verdict().toString().equals("bound")) {
      tree.remove("node");
    }
    var opening = answer.opening();
    if (opening == null || !visibility.seesNodes() || !seesAll(opening.without())) {
      tree.remove("opening");
    }
    return tree.put("causes", answer.causes().stream().map(this::cause).toList());
  }

  private static Tree counted(Tree tree) {
    for (var cause : tree.trees("causes")) {
      cause.put("count", cause.list("nodes").size());
    }
    return tree;
  }

  private Tree cause(Obstruction cause) {
    var tree =
        Tree.of(
            "rule", cause.rule(),
            "reason", cause.reason(),
            "count", cause.nodes().size(),
            "first", cause.first());
    if (visibility.seesNodes()) {
      tree.put("nodes", cause.nodes());
      tree.put("blame", cause.blame().stream().map(this::name).toList());
      var shortage = cause.shortage();
      if (shortage != null) {
        tree.put(
            "shortage",
            Tree.of(
                "resource", shortage.resource(),
                "asked", shortage.asked(),
                "mostFree", shortage.free(),
                "node", shortage.node()));
      }
    }
    return tree;
  }

  private String name(String pod) {
    return visibility.seesPod(pod) ? pod : Visibility.STRANGER;
  }

  private boolean seesAll(List<String> pods) {
    return pods.stream().allMatch(visibility::seesPod);
  }

  private List<Tree> suggestions() {
    var seen = new ArrayList<Tree>();
    for (var each : answer.suggestions()) {
      if (visibility.seesNodes() && isOwn(each) && seesAll(each.evicts())) {
        seen.add(each.toTree().put("requests", SuggestedRequests.of(each, answer.pod())));
      }
    }
    return seen;
  }

  /// Whether what is changed can be read by the caller.
  private boolean isOwn(Suggestion suggestion) {
    var object = suggestion.object();
    return object == null
        || object.kind().equals("Node")
        || owners()
            .anyMatch(each ->
                each.kind().equals(object.kind()) && visibility.lists(each, object.namespace()));
  }

  private static Stream<Resource> owners() {
    return Stream.of(
        Resource.PODS,
        Resource.DEPLOYMENTS,
        Resource.REPLICA_SETS,
        Resource.STATEFUL_SETS,
        Resource.DAEMON_SETS,
        Resource.JOBS,
        Resource.CRON_JOBS,
        Resource.REPLICATION_CONTROLLERS);
  }
}
