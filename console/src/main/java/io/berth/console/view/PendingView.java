package io.berth.console.view;

import io.berth.api.Tree;
import io.berth.console.scene.PodCell;
import io.berth.console.scene.PodState;
import io.berth.console.scene.Scene;
import io.berth.console.sight.Visibility;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Pods without a node by what keeps them waiting, most first: in the words that stand in their
/// status, where kubectl shows them too.
public final class PendingView {

  private static final String GATED = "Scheduling is blocked by gates";
  private static final String UNTRIED = "Not tried yet";

  /// More pods of one cause are counted only.
  private static final int SHOWN = 500;

  private static final Pattern REASONS = Pattern.compile("nodes are available: (.*?)\\.(?: |$)");
  private static final Pattern REASON = Pattern.compile("(\\d+) (.+)");

  private final Scene scene;
  private final Visibility visibility;

  public PendingView(Scene scene, Visibility visibility) {
    this.scene = scene;
    this.visibility = visibility;
  }

  /// What refuses a pod most often, and on how many nodes.
  record Cause(String reason, long nodes) {}

  private static final class Group {
    private long nodes;
    private final List<PodCell> pods = new ArrayList<>();
  }

  public Tree toTree(Scene.Snapshot snapshot, String revision) {
    var groups = new LinkedHashMap<String, Group>();
    int total = 0;
    for (var pod : snapshot.pods()) {
      if (pod.isWaiting() && visibility.seesPods(pod.namespace())) {
        var cause = cause(pod);
        var group = groups.computeIfAbsent(cause.reason, _ -> new Group());
        group.nodes = Math.max(group.nodes, cause.nodes);
        group.pods.add(pod);
        total++;
      }
    }
    var most =
        Comparator.comparingInt((Map.Entry<String, Group> each) -> each.getValue().pods.size())
            .reversed()
            .thenComparing(Map.Entry::getKey);
    return Tree.of("rev", revision, "total", total, "cut", !visibility.seesEveryPod())
        .put(
            "causes",
            groups.entrySet().stream()
                .sorted(most)
                .map(each -> tree(each.getKey(), each.getValue()))
                .toList());
  }

  private Tree tree(String reason, Group group) {
    var map = new MapView(scene, visibility, List.of());
    var items =
        group.pods.stream()
            .sorted(Comparator.comparing(PodCell::since).thenComparing(PodCell::key))
            .limit(SHOWN)
            .map(pod ->
                Tree.of(
                    "namespace", pod.namespace(),
                    "name", pod.name(),
                    "owner", map.owner(pod),
                    "since", pod.since(),
                    "message", pod.message()))
            .toList();
    return Tree.of("reason", reason, "nodes", group.nodes, "pods", group.pods.size())
        .put("items", items);
  }

  static Cause cause(PodCell pod) {
    if (pod.state() == PodState.GATED) {
      return new Cause(GATED, 0);
    }
    if (pod.message().isEmpty()) {
      return new Cause(UNTRIED, 0);
    }
    var reasons = REASONS.matcher(pod.message());
    if (!reasons.find()) {
      return new Cause(pod.message(), 0);
    }
    var most = new Cause("", 0);
    for (var part : reasons.group(1).split(", (?=\\d+ )", -1)) {
      var reason = REASON.matcher(part);
      if (reason.matches() && Long.parseLong(reason.group(1)) > most.nodes) {
        most = new Cause(reason.group(2), Long.parseLong(reason.group(1)));
      }
    }
    return most.nodes == 0 ? new Cause(pod.message(), 0) : most;
  }
}
