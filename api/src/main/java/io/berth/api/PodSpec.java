package io.berth.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What scheduling reads of a pod's spec, without `nodeName`: replicas of one template are equal.
///
/// `podRequests` are the pod-level requests, `null` when the pod has none. `resourceClaims` are the
/// names of dynamic resource claims. `features` are node features the pod as a whole needs.
public record PodSpec(
    List<Container> initContainers,
    List<Container> containers,
    Map<String, Quantity> overhead,
    @Nullable Map<String, Quantity> podRequests,
    Map<String, String> nodeSelector,
    NodeAffinity nodeAffinity,
    PodAffinity podAffinity,
    PodAffinity podAntiAffinity,
    List<Toleration> tolerations,
    List<TopologySpreadConstraint> topologySpreadConstraints,
    int priority,
    boolean neverPreempts,
    String schedulerName,
    List<String> schedulingGates,
    List<Volume> volumes,
    List<String> resourceClaims,
    List<String> features) {

  public static final String DEFAULT_SCHEDULER = "default-scheduler";

  public PodSpec {
    initContainers = List.copyOf(initContainers);
    containers = List.copyOf(containers);
    overhead = Map.copyOf(overhead);
    podRequests = podRequests == null ? null : Map.copyOf(podRequests);
    nodeSelector = Map.copyOf(nodeSelector);
    tolerations = List.copyOf(tolerations);
    topologySpreadConstraints = List.copyOf(topologySpreadConstraints);
    schedulingGates = List.copyOf(schedulingGates);
    volumes = List.copyOf(volumes);
    resourceClaims = List.copyOf(resourceClaims);
    features = List.copyOf(features);
  }

  public boolean tolerates(Taint taint) {
    for (var toleration : tolerations) {
      if (toleration.tolerates(taint)) {
        return true;
      }
    }
    return false;
  }
}
