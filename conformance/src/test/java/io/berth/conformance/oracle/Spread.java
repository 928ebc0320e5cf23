package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The topology spread constraints that apply to a pod: its own, or else the profile's defaults
/// with a selector deduced from the services and owners of the pod.
final class Spread {

  record Constraint(
      String key,
      long maxSkew,
      long minDomains,
      Selector selector,
      boolean honorAffinity,
      boolean honorTaints) {

    /// Whether the pods of a node take part in counting.
    boolean includes(OracleNode node, OraclePod incoming) {
      return (!honorAffinity || incoming.wants(node))
          && (!honorTaints || incoming.toleratesAll(node));
    }

    /// Matching pods of a node as they are counted afresh: terminating ones are left out, and `{}`
    /// counts none.
    long count(List<OraclePod> pods, OraclePod incoming) {
      if (selector.isEmpty()) {
        return 0;
      }
      return pods.stream()
          .filter(pod -> pod.namespace.equals(incoming.namespace) && !pod.terminating)
          .filter(pod -> selector.matches(pod.labels))
          .count();
    }
  }

  private final World world;
  private final OraclePod pod;
  private final Tree args;

  Spread(World world, OraclePod pod, Profile profile) {
    this.world = world;
    this.pod = pod;
    this.args = profile.args("PodTopologySpread");
  }

  boolean systemDefaults() {
    return !args.textOrEmpty("defaultingType").equals("List");
  }

  boolean ownConstraints() {
    return !pod.tree.trees("spec", "topologySpreadConstraints").isEmpty();
  }

  List<Constraint> constraints(String whenUnsatisfiable) {
    var constraints = new ArrayList<Constraint>();
    if (ownConstraints()) {
      for (var each : pod.tree.trees("spec", "topologySpreadConstraints")) {
        if (each.textOrEmpty("whenUnsatisfiable").equals(whenUnsatisfiable)) {
          constraints.add(constraint(each, selector(each)));
        }
      }
      return constraints;
    }
    var deduced = deducedSelector();
    if (!deduced.isEmpty()) {
      for (var each : defaults()) {
        if (each.textOrEmpty("whenUnsatisfiable").equals(whenUnsatisfiable)) {
          constraints.add(constraint(each, deduced));
        }
      }
    }
    return constraints;
  }

  private List<Tree> defaults() {
    return systemDefaults()
        ? List.of(soft("kubernetes.io/hostname", 3), soft("topology.kubernetes.io/zone", 5))
        : args.trees("defaultConstraints");
  }

  private static Tree soft(String key, int maxSkew) {
    return Tree.of("topologyKey", key, "maxSkew", maxSkew, "whenUnsatisfiable", "ScheduleAnyway");
  }

  private static Constraint constraint(Tree tree, Selector selector) {
    return new Constraint(
        tree.textOrEmpty("topologyKey"),
        tree.number(1, "maxSkew"),
        tree.number(1, "minDomains"),
        selector,
        !tree.textOrEmpty("nodeAffinityPolicy").equals("Ignore"),
        tree.textOrEmpty("nodeTaintsPolicy").equals("Honor"));
  }

  private Selector selector(Tree constraint) {
    var keys = new TreeMap<String, String>();
    for (var key : Profile.texts(constraint.list("matchLabelKeys"))) {
      var value = pod.labels.get(key);
      if (value != null) {
        keys.put(key, value);
      }
    }
    return Selector.of(constraint.tree("labelSelector")).and(Selector.ofLabels(keys));
  }

  private Selector deducedSelector() {
    var labels = new TreeMap<String, String>();
    for (var service : world.start.objects("services")) {
      var selector = service.texts("spec", "selector");
      if (sameNamespace(service) && Selector.ofLabels(selector).matches(pod.labels)) {
        labels.putAll(selector);
      }
    }
    return Selector.ofLabels(labels).and(ownerSelector());
  }

  private Selector ownerSelector() {
    for (var owner : pod.tree.trees("metadata", "ownerReferences")) {
      if (owner.flag("controller")) {
        return ownerSelector(owner);
      }
    }
    return Selector.ofLabels(Map.of());
  }

  private Selector ownerSelector(Tree owner) {
    var list =
        switch (owner.textOrEmpty("apiVersion") + " " + owner.textOrEmpty("kind")) {
          case "v1 ReplicationController" -> "replicationControllers";
          case "apps/v1 ReplicaSet" -> "replicaSets";
          case "apps/v1 StatefulSet" -> "statefulSets";
          default -> "none";
        };
    for (var each : world.start.objects(list)) {
      if (sameNamespace(each)
          && each.textOrEmpty("metadata", "name").equals(owner.textOrEmpty("name"))) {
        return list.equals("replicationControllers")
            ? Selector.ofLabels(each.texts("spec", "selector"))
            : Selector.of(each.tree("spec", "selector"));
      }
    }
    return Selector.ofLabels(Map.of());
  }

  private boolean sameNamespace(Tree object) {
    return object.textOrEmpty("metadata", "namespace").equals(pod.namespace);
  }
}
