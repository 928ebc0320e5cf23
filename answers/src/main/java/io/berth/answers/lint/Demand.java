package io.berth.answers.lint;

import io.berth.api.NodeAffinity;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodAffinityTerm;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Toleration;
import io.berth.api.TopologySpreadConstraint;
import java.util.List;
import java.util.Map;

/// A pod with some of its demands and none of the others: it needs no room, tolerates every taint,
/// and runs anywhere until told otherwise.
final class Demand {

  private final Pod pod;
  private Map<String, String> nodeSelector = Map.of();
  private NodeAffinity nodeAffinity = NodeAffinity.NONE;
  private PodAffinity near = PodAffinity.NONE;
  private PodAffinity far = PodAffinity.NONE;
  private List<Toleration> tolerations = List.of(new Toleration("", "Exists", "", ""));
  private List<TopologySpreadConstraint> spread = List.of();

  private Demand(Pod pod) {
    this.pod = pod;
  }

  static Demand of(Pod pod) {
    return new Demand(pod);
  }

  /// The labels it requires of nodes.
  Demand nodes() {
    nodeSelector = pod.spec().nodeSelector();
    nodeAffinity = new NodeAffinity(pod.spec().nodeAffinity().required(), List.of());
    return this;
  }

  /// No taint but those it tolerates.
  Demand tolerations() {
    tolerations = pod.spec().tolerations();
    return this;
  }

  Demand near() {
    near = new PodAffinity(pod.spec().podAffinity().required(), List.of());
    return this;
  }

  Demand far() {
    far = new PodAffinity(pod.spec().podAntiAffinity().required(), List.of());
    return this;
  }

  Demand far(PodAffinityTerm term) {
    far = new PodAffinity(List.of(term), List.of());
    return this;
  }

  Demand spread() {
    spread =
        pod.spec().topologySpreadConstraints().stream()
            .filter(TopologySpreadConstraint::isHard)
            .toList();
    return this;
  }

  Pod pod() {
    var spec =
        new PodSpec(
            List.of(),
            List.of(),
            Map.of(),
            null,
            nodeSelector,
            nodeAffinity,
            near,
            far,
            tolerations,
            spread,
            0,
            true,
            PodSpec.DEFAULT_SCHEDULER,
            List.of(),
            List.of(),
            List.of(),
            List.of());
    return new Pod(
        pod.namespace(),
        pod.name(),
        pod.uid(),
        pod.labels(),
        null,
        false,
        "",
        spec,
        PodStatus.NONE);
  }
}
