package io.berth.workloads.serve;

import io.berth.api.PodPhase;
import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Affinities;
import io.berth.workloads.submit.PodRoles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// For every node the first thing that keeps a pod of a role from it, and who asked for that.
final class NodeObstacles {

  private static final String NODE_TYPE_LABEL = "run.ai/type";

  private final State state;
  private final NodePools pools;
  private final Sources sources;

  NodeObstacles(State state, NodePools pools, Sources sources) {
    this.state = state;
    this.pools = pools;
    this.sources = sources;
  }

  private record Obstacle(String what, String source) {}

  List<Object> of(Found found, PodRoles.Role role) {
    var byNode = pools.poolsByNode();
    var held = held();
    var nodes = new ArrayList<Object>();
    for (var node : state.table(Resource.NODES).all()) {
      var name = Projects.name(node);
      var obstacle = first(found, role, node, byNode.getOrDefault(name, NodePools.DEFAULT), held);
      nodes.add(
          obstacle == null
              ? Tree.of("node", name, "matches", true)
              : Tree.of(
                  "node",
                  name,
                  "matches",
                  false,
                  "obstacle",
                  obstacle.what(),
                  "source",
                  obstacle.source()));
    }
    return nodes;
  }

  private @Nullable Obstacle first(
      Found found, PodRoles.Role role, Tree node, String pool, Map<String, Usage.Amount> held) {
    var placement = found.workload().treeOrEmpty("status", "placements", role.name());
    if (!placement.list("pools").contains(pool)) {
      return new Obstacle("it is in node pool %s".formatted(pool), "pool");
    }
    if (!Affinities.matches(placement.trees("terms"), node)) {
      return unmatched(found, role, placement.trees("terms"), node);
    }
    var type = role.spec().textOrEmpty("nodeType");
    if (!type.isEmpty() && !type.equals(node.at("metadata", "labels", NODE_TYPE_LABEL))) {
      return new Obstacle(
          "its label %s is not %s".formatted(NODE_TYPE_LABEL, type),
          sources.ofNodeType(found, role));
    }
    if (node.flag("spec", "unschedulable")) {
      return new Obstacle("it is cordoned", "node");
    }
    for (var taint : node.trees("spec", "taints")) {
      if (!taint.textOrEmpty("effect").equals("PreferNoSchedule") && !isTolerated(taint, role)) {
        return new Obstacle("its taint %s is not tolerated".formatted(taint.text("key")), "node");
      }
    }
    return full(role, node, held.getOrDefault(Projects.name(node), Usage.Amount.ZERO));
  }

  /// The expression in the way in the term that is most nearly satisfied.
  private Obstacle unmatched(Found found, PodRoles.Role role, List<Tree> terms, Tree node) {
    Tree blocking = null;
    int fewest = Integer.MAX_VALUE;
    for (var term : terms) {
      var failing =
          term.trees("matchExpressions").stream()
              .filter(expression -> !holds(expression, node))
              .toList();
      if (!failing.isEmpty() && failing.size() < fewest) {
        fewest = failing.size();
        blocking = failing.getFirst();
      }
    }
    if (blocking == null) {
      return new Obstacle("its name does not match", "user");
    }
    var values = blocking.list("values");
    return new Obstacle(
        "%s %s%s does not hold"
            .formatted(
                blocking.text("key"),
                blocking.text("operator"),
                values.isEmpty() ? "" : " " + values),
        sources.of(found, role, blocking));
  }

  private static boolean holds(Tree expression, Tree node) {
    return Affinities.matches(List.of(Tree.of("matchExpressions", List.of(expression))), node);
  }

  /// As in Kubernetes.
  private static boolean isTolerated(Tree taint, PodRoles.Role role) {
    for (var toleration : role.spec().trees("tolerations")) {
      var key = toleration.textOrEmpty("key");
      var effect = toleration.textOrEmpty("effect");
      boolean exists = toleration.textOrEmpty("operator").equals("Exists");
      if ((key.isEmpty() ? exists : key.equals(taint.text("key")))
          && (effect.isEmpty() || effect.equals("Any") || effect.equals(taint.text("effect")))
          && (exists || toleration.textOrEmpty("value").equals(taint.textOrEmpty("value")))) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Obstacle full(PodRoles.Role role, Tree node, Usage.Amount held) {
    var compute = role.spec().treeOrEmpty("compute");
    double gpus = Resources.gpus(compute);
    double free = NodeTelemetry.gpus(node) - held.gpu();
    if (gpus > free) {
      return new Obstacle(
          "it has %s of the %s GPUs".formatted(plain(Math.max(0, free)), plain(gpus)), "capacity");
    }
    double cores = compute.get("cpuCoreRequest") instanceof Number n ? n.doubleValue() : 0;
    double freeCores = amount(node, "cpu") - held.cpu() / 1000;
    if (cores > freeCores) {
      return new Obstacle(
          "it has %s of the %s CPU cores".formatted(plain(Math.max(0, freeCores)), plain(cores)),
          "capacity");
    }
    return null;
  }

  private static double amount(Tree node, String resource) {
    var text = node.textOrEmpty("status", "allocatable", resource);
    return text.isEmpty() ? 0 : Quantity.parse(text).amount().doubleValue();
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  private Map<String, Usage.Amount> held() {
    var held = new HashMap<String, Usage.Amount>();
    for (var pod : state.table(Resource.PODS).all()) {
      if (!PodPhase.isTerminal(pod)) {
        held.merge(pod.textOrEmpty("spec", "nodeName"), Usage.amountOf(pod), Usage.Amount::plus);
      }
    }
    return held;
  }
}
