package io.berth.console.sight;

import io.berth.answers.explain.Obstruction;
import io.berth.answers.explain.Outlook;
import io.berth.answers.explain.PodExplanation;
import io.berth.answers.explain.Sight;
import io.berth.answers.remedy.Suggestion;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.console.answer.SuggestedRequests;
import java.util.ArrayList;
import java.util.List;

/// An explanation as one caller may read it.
///
/// Everybody who sees the pod gets what its events tell: verdict, message, and how many nodes
/// refuse it for which reason. What nodes are called and are short of, and what would help on them,
/// goes to whoever may list nodes; names of other pods to whoever may list these. Words that other
/// objects went into are for those from whom none of them is hidden.
public final class SeenExplanation {

  private static final List<Resource> OWNERS =
      List.of(
          Resource.PODS,
          Resource.DEPLOYMENTS,
          Resource.REPLICA_SETS,
          Resource.STATEFUL_SETS,
          Resource.DAEMON_SETS,
          Resource.JOBS,
          Resource.CRON_JOBS,
          Resource.REPLICATION_CONTROLLERS);

  private final PodExplanation answer;
  private final PodExplanation veiled;
  private final Visibility visibility;

  public SeenExplanation(PodExplanation answer, Visibility visibility) {
    this.answer = answer;
    this.veiled = answer.seenBy(new Sight(visibility::seesPods, visibility.seesNodes()));
    this.visibility = visibility;
  }

  public Tree toTree() {
    var tree = veiled.toTree();
    tree.put("causes", causes());
    tree.put("suggestions", suggestions());
    if (visibility.seesEverything()) {
      return tree;
    }
    tree.put("cut", true);
    tree.remove("unread");
    tree.remove("scores");
    if (!visibility.seesNodes()) {
      List.of("opening", "preemption", "node").forEach(tree::remove);
    }
    return answer.verdict() == Outlook.BOUND ? tree.put("node", answer.node()) : tree;
  }

  private List<Tree> causes() {
    boolean words = visibility.seesSurroundings(namespace());
    var trees = new ArrayList<Tree>();
    for (int i = 0; i < veiled.causes().size(); i++) {
      trees.add(cause(veiled.causes().get(i), answer.causes().get(i).nodes().size(), words));
    }
    return trees;
  }

  private Tree cause(Obstruction cause, int count, boolean words) {
    var tree = cause.toTree().put("count", count);
    if (!words) {
      List.of("why", "source", "field").forEach(tree::remove);
    }
    if (!visibility.seesNodes()) {
      List.of("nodes", "blame", "shortage").forEach(tree::remove);
    }
    return tree;
  }

  private String namespace() {
    return answer.pod().substring(0, answer.pod().indexOf('/'));
  }

  private List<Tree> suggestions() {
    var seen = new ArrayList<Tree>();
    for (var each : veiled.suggestions()) {
      if (visibility.seesNodes() && isOwn(each)) {
        seen.add(each.toTree().put("requests", SuggestedRequests.of(each, answer.pod())));
      }
    }
    return seen;
  }

  /// Whether what is changed can be read by the caller.
  private boolean isOwn(Suggestion suggestion) {
    var object = suggestion.object();
    return object == null
        || object.namespace().isEmpty()
        || OWNERS.stream()
            .anyMatch(each ->
                each.kind().equals(object.kind()) && visibility.lists(each, object.namespace()));
  }
}
