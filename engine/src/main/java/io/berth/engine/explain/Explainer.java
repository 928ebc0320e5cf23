package io.berth.engine.explain;

import io.berth.api.Container;
import io.berth.api.LabelSelector;
import io.berth.api.Pod;
import io.berth.api.PodAffinityTerm;
import io.berth.api.Requirement;
import io.berth.engine.Examination;
import io.berth.engine.Explanation;
import io.berth.engine.Explanation.Cause;
import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.HostPorts;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Scope;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Terms;
import io.berth.engine.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Looks up what the objections to a pod rest on.
public final class Explainer {

  private final ClusterModel cluster;
  private final NodeTable nodes;
  private final Shape shape;
  private final VolumeCauses volumes;

  public Explainer(Pod pod, ClusterModel cluster) {
    this.cluster = cluster;
    this.nodes = cluster.nodes();
    this.shape = cluster.shapeOf(pod);
    this.volumes = new VolumeCauses(shape, cluster);
  }

  public Explanation explain(Examination examination) {
    Map<String, List<Cause>> causes = new TreeMap<>();
    examination
        .infeasible()
        .forEach((name, rejection) -> {
          var found = new ArrayList<Cause>();
          for (var each : rejection.all()) {
            explain(each, nodes.find(name), found);
          }
          causes.put(name, found);
        });
    return new Explanation(examination, causes);
  }

  private void explain(Rejection rejection, int node, List<Cause> causes) {
    int before = causes.size();
    switch (rejection.plugin()) {
      case "TaintToleration" -> taints(node, causes);
      case "NodeAffinity" -> labels(node, causes);
      case "NodePorts" -> ports(node, causes);
      case "NodeResourcesFit" -> resources(node, causes);
      case "InterPodAffinity" -> affinity(node, causes);
      case "PodTopologySpread" -> spread(node, causes);
      case "VolumeRestrictions" -> volumes.restrictions(causes);
      case "NodeVolumeLimits" -> volumes.limits(node, causes);
      case "VolumeBinding" -> volumes.binding(node, causes);
      case "VolumeZone" -> volumes.zone(node, causes);
      default -> {}
    }
    if (causes.size() == before) {
      causes.add(new Cause(rejection.plugin(), String.join(", ", rejection.reasons()), List.of()));
    }
  }

  private void taints(int node, List<Cause> causes) {
    for (var taint : nodes.node(node).taints()) {
      if (taint.repels() && !shape.spec().tolerates(taint)) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        add(causes, "TaintToleration", "taint " + taint.key() + value + ":" + taint.effect());
      }
    }
  }

  private void labels(int node, List<Cause> causes) {
    var labels = nodes.node(node).labels();
    new TreeMap<>(shape.spec().nodeSelector())
        .forEach((key, value) -> {
          if (!value.equals(labels.get(key))) {
            add(
                causes,
                "NodeAffinity",
                "nodeSelector wants %s=%s, the node has %s"
                    .formatted(key, value, shown(labels, key)));
          }
        });
    var terms = shape.spec().nodeAffinity().required();
    for (int i = 0; terms != null && i < terms.size(); i++) {
      for (var clause : terms.get(i).matchExpressions()) {
        add(
            causes,
            "NodeAffinity",
            "term %d wants %s, the node has %s"
                .formatted(i, shown(clause), shown(labels, clause.key())));
      }
    }
  }

  private static String shown(Map<String, String> labels, String key) {
    var value = labels.get(key);
    return value == null ? "no label " + key : key + "=" + value;
  }

  private static String shown(Requirement clause) {
    var values = clause.values().isEmpty() ? "" : " " + clause.values();
    return clause.key() + " " + clause.operator() + values;
  }

  private void ports(int node, List<Cause> causes) {
    for (var wanted : shape.ports()) {
      var holders = podsOn(node, pod -> holds(pod.shape(), wanted));
      if (!holders.isEmpty()) {
        causes.add(
            new Cause(
                "NodePorts",
                "host port %d/%s on %s is taken"
                    .formatted(wanted.hostPort(), wanted.protocol(), wanted.hostIp()),
                holders));
      }
    }
  }

  private static boolean holds(Shape pod, Container.Port wanted) {
    for (var port : pod.ports()) {
      if (HostPorts.conflict(port, wanted)) {
        return true;
      }
    }
    return false;
  }

  private void resources(int node, List<Cause> causes) {
    var asked = shape.requests();
    long pods = nodes.pods(node).size();
    if (pods + 1 > nodes.podsAllocatable(node)) {
      add(
          causes,
          "NodeResourcesFit",
          "pods: %d of %d in use".formatted(pods, nodes.podsAllocatable(node)));
    }
    resource(
        "cpu (millis)",
        asked.cpuMillis(),
        nodes.cpuRequested(node),
        nodes.cpuAllocatable(node),
        node,
        causes);
    resource(
        "memory (bytes)",
        asked.memoryBytes(),
        nodes.memoryRequested(node),
        nodes.memoryAllocatable(node),
        node,
        causes);
    resource(
        "ephemeral-storage (bytes)",
        asked.ephemeralBytes(),
        nodes.ephemeralRequested(node),
        nodes.ephemeralAllocatable(node),
        node,
        causes);
    for (int i = 0; i < asked.scalars().length; i++) {
      int id = asked.scalars()[i];
      resource(
          cluster.resources().name(id),
          asked.scalarAmounts()[i],
          nodes.scalarRequested(id, node),
          nodes.scalarAllocatable(id, node),
          node,
          causes);
    }
  }

  private void resource(
      String name, long asked, long taken, long offered, int node, List<Cause> causes) {
    if (asked > 0 && asked > offered - taken) {
      causes.add(
          new Cause(
              "NodeResourcesFit",
              "%s: asks for %d, %d of %d are free".formatted(name, asked, offered - taken, offered),
              asked > offered ? List.of() : podsOn(node, _ -> true)));
    }
  }

  private void affinity(int node, List<Cause> causes) {
    for (var term : shape.spec().podAffinity().required()) {
      var topology = cluster.topology(term.topologyKey());
      var near = podsNear(node, topology, pod -> matches(term, pod));
      if (near.isEmpty()) {
        add(
            causes,
            "InterPodAffinity",
            "no pod with %s where %s"
                .formatted(shown(term.labelSelector()), place(node, topology)));
      }
    }
    for (var term : shape.spec().podAntiAffinity().required()) {
      var topology = cluster.topology(term.topologyKey());
      var near = podsNear(node, topology, pod -> matches(term, pod));
      if (!near.isEmpty()) {
        causes.add(
            new Cause(
                "InterPodAffinity",
                "anti-affinity to pods with %s where %s"
                    .formatted(shown(term.labelSelector()), place(node, topology)),
                near));
      }
    }
    existing(node, causes);
  }

  /// Running pods whose own anti-affinity keeps this pod away.
  private void existing(int node, List<Cause> causes) {
    Map<String, List<String>> owners = new TreeMap<>();
    for (var pod : cluster.pods()) {
      for (var term : pod.shape().spec().podAntiAffinity().required()) {
        var topology = cluster.topology(term.topologyKey());
        boolean near = isNear(pod, node, topology);
        if (near && Terms.meets(Scope.of(term, pod.namespace()), shape, cluster.terms())) {
          owners
              .computeIfAbsent(
                  "pods there keep away pods with %s where %s"
                      .formatted(shown(term.labelSelector()), place(node, topology)),
                  _ -> new ArrayList<>())
              .add(pod.key());
        }
      }
    }
    owners.forEach((detail, pods) -> {
      pods.sort(null);
      causes.add(new Cause("InterPodAffinity", detail, pods));
    });
  }

  private boolean matches(PodAffinityTerm term, RunningPod pod) {
    return cluster
        .terms()
        .matchesAll(
            List.of(Scope.of(term, shape.namespace())), pod.namespace(), pod.shape().labels());
  }

  private void spread(int node, List<Cause> causes) {
    for (var constraint : shape.spec().topologySpreadConstraints()) {
      if (constraint.isHard()) {
        var topology = cluster.topology(constraint.topologyKey());
        var selector = constraint.labelSelector();
        var near =
            podsNear(
                node,
                topology,
                pod ->
                    selector != null
                        && pod.namespace().equals(shape.namespace())
                        && selector.matches(pod.shape().labels()));
        causes.add(
            new Cause(
                "PodTopologySpread",
                "maxSkew %d over %s: %d matching pods where %s"
                    .formatted(
                        constraint.maxSkew(),
                        constraint.topologyKey(),
                        near.size(),
                        place(node, topology)),
                near));
      }
    }
  }

  private String place(int node, Topology topology) {
    int domain = topology.domainOf(node);
    return domain == Topology.NONE
        ? "the node has no label " + topology.key()
        : topology.key() + "=" + topology.value(domain);
  }

  private static String shown(@Nullable LabelSelector selector) {
    if (selector == null) {
      return "labels that nothing selects";
    }
    var clauses = new ArrayList<String>();
    new TreeMap<>(selector.matchLabels()).forEach((key, value) -> clauses.add(key + "=" + value));
    selector.matchExpressions().forEach(clause -> clauses.add(shown(clause)));
    return clauses.isEmpty() ? "any labels" : String.join(", ", clauses);
  }

  private List<String> podsOn(int node, Predicate<RunningPod> which) {
    var keys = new ArrayList<String>();
    var pods = nodes.pods(node);
    for (int i = 0; i < pods.size(); i++) {
      if (which.test(pods.get(i))) {
        keys.add(pods.get(i).key());
      }
    }
    keys.sort(null);
    return keys;
  }

  private List<String> podsNear(int node, Topology topology, Predicate<RunningPod> which) {
    var keys = new ArrayList<String>();
    for (var pod : cluster.pods()) {
      if (isNear(pod, node, topology) && which.test(pod)) {
        keys.add(pod.key());
      }
    }
    keys.sort(null);
    return keys;
  }

  private boolean isNear(RunningPod pod, int node, Topology topology) {
    int domain = topology.domainOf(node);
    return domain != Topology.NONE
        && nodes.isPresent(pod.node())
        && topology.domainOf(pod.node()) == domain;
  }

  private static void add(List<Cause> causes, String plugin, String detail) {
    causes.add(new Cause(plugin, detail, List.of()));
  }
}
