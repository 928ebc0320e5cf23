package io.berth.engine.explain;

import io.berth.api.Container;
import io.berth.api.Pod;
import io.berth.engine.Examination;
import io.berth.engine.Explanation;
import io.berth.engine.Explanation.Cause;
import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.HostPorts;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.Requests;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Profile;
import io.berth.engine.rule.affinity.NodeAffinity;
import io.berth.engine.rule.resources.NodeResourcesFit;
import io.berth.engine.rule.spread.PodTopologySpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/// Looks up what the objections to a pod rest on.
public final class Explainer {

  private final ClusterModel cluster;
  private final NodeTable nodes;
  private final Shape shape;
  private final String podKey;
  private final Profile profile;
  private final VolumeCauses volumes;
  private final AffinityCauses affinity;

  public Explainer(Pod pod, Profile profile, ClusterModel cluster) {
    this.cluster = cluster;
    this.nodes = cluster.nodes();
    this.shape = cluster.shapeOf(pod);
    this.podKey = pod.key();
    this.profile = profile;
    this.volumes = new VolumeCauses(shape, cluster);
    this.affinity = new AffinityCauses(shape, cluster);
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
      case "NodeAffinity" -> labels(rejection, node, causes);
      case "NodePorts" -> ports(node, causes);
      case "NodeResourcesFit" -> resources(node, causes);
      case "InterPodAffinity" -> affinity.of(rejection, node, causes);
      case "PodTopologySpread" -> spread(node, causes);
      case "VolumeRestrictions" -> volumes.restrictions(causes);
      case "NodeVolumeLimits" -> volumes.limits(node, causes);
      case "VolumeBinding" -> volumes.binding(node, causes);
      case "VolumeZone" -> volumes.zone(node, causes);
      default -> {}
    }
    if (causes.size() == before) {
      // With the pods that run nothing stands in the way, so it is those that wait for the node.
      var reasons = String.join(", ", rejection.reasons());
      causes.add(new Cause(rejection.plugin(), reasons, waitingFor(node)));
    }
  }

  /// The pods whose promised room on the node this one may not take.
  private List<String> waitingFor(int node) {
    var waiting = new ArrayList<String>();
    for (var nominated : cluster.nominations().on(nodes.name(node))) {
      if (nominated.shape().priority() >= shape.priority() && !nominated.podKey().equals(podKey)) {
        waiting.add(nominated.podKey());
      }
    }
    waiting.sort(null);
    return waiting;
  }

  private <R> void withRule(Class<R> kind, Consumer<R> use) {
    profile.filters().stream().filter(kind::isInstance).map(kind::cast).forEach(use);
  }

  private void labels(Rejection rejection, int node, List<Cause> causes) {
    var labels = new LabelCauses(nodes.node(node), causes);
    if (rejection.reasons().equals(NodeAffinity.UNMATCHED_BY_PROFILE.reasons())) {
      withRule(NodeAffinity.class, rule -> labels.of("addedAffinity term", rule.added()));
    } else {
      labels.of(shape.spec());
    }
  }

  private void spread(int node, List<Cause> causes) {
    withRule(
        PodTopologySpread.class,
        rule -> new SpreadCauses(rule.hard(shape, cluster), cluster).of(node, causes));
  }

  private void taints(int node, List<Cause> causes) {
    for (var taint : nodes.node(node).taints()) {
      if (taint.repels() && !shape.spec().tolerates(taint)) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        add(causes, "TaintToleration", "taint " + taint.key() + value + ":" + taint.effect());
      }
    }
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
        Requests::cpuMillis,
        nodes.cpuRequested(node),
        nodes.cpuAllocatable(node),
        node,
        causes);
    resource(
        "memory (bytes)",
        Requests::memoryBytes,
        nodes.memoryRequested(node),
        nodes.memoryAllocatable(node),
        node,
        causes);
    resource(
        "ephemeral-storage (bytes)",
        Requests::ephemeralBytes,
        nodes.ephemeralRequested(node),
        nodes.ephemeralAllocatable(node),
        node,
        causes);
    for (int id : asked.scalars()) {
      if (!isIgnored(cluster.resources().name(id))) {
        resource(
            cluster.resources().name(id),
            requests -> requests.scalar(id),
            nodes.scalarRequested(id, node),
            nodes.scalarAllocatable(id, node),
            node,
            causes);
      }
    }
  }

  private boolean isIgnored(String resource) {
    return profile.filters().stream()
        .anyMatch(rule -> rule instanceof NodeResourcesFit fit && fit.isIgnored(resource));
  }

  private void resource(
      String name,
      ToLongFunction<Requests> amount,
      long taken,
      long offered,
      int node,
      List<Cause> causes) {
    long asked = amount.applyAsLong(shape.requests());
    if (asked > 0 && asked > offered - taken) {
      causes.add(
          new Cause(
              "NodeResourcesFit",
              "%s: asks for %d, %d of %d are free".formatted(name, asked, offered - taken, offered),
              asked > offered
                  ? List.of()
                  : podsOn(node, pod -> amount.applyAsLong(pod.shape().running()) > 0)));
    }
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

  private static void add(List<Cause> causes, String plugin, String detail) {
    causes.add(new Cause(plugin, detail, List.of()));
  }
}
