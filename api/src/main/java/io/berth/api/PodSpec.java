package io.berth.api;

import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  // By hand, here and in what it is made of: specs are looked up by the hundred thousand, and
  // Java's own methods of records go through method handles, which are dear in a process that has
  // just started.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof PodSpec that
            && priority == that.priority
            && neverPreempts == that.neverPreempts
            && containers.equals(that.containers)
            && initContainers.equals(that.initContainers)
            && overhead.equals(that.overhead)
            && Objects.equals(podRequests, that.podRequests)
            && nodeSelector.equals(that.nodeSelector)
            && Objects.equals(nodeAffinity, that.nodeAffinity)
            && Objects.equals(podAffinity, that.podAffinity)
            && Objects.equals(podAntiAffinity, that.podAntiAffinity)
            && tolerations.equals(that.tolerations)
            && topologySpreadConstraints.equals(that.topologySpreadConstraints)
            && schedulerName.equals(that.schedulerName)
            && schedulingGates.equals(that.schedulingGates)
            && volumes.equals(that.volumes)
            && resourceClaims.equals(that.resourceClaims)
            && features.equals(that.features));
  }

  @Override
  public int hashCode() {
    int hash = 31 * containers.hashCode() + nodeSelector.hashCode();
    hash = 31 * hash + priority;
    // Most pods have none of these.
    hash = 31 * hash + (initContainers.isEmpty() ? 0 : initContainers.hashCode());
    hash = 31 * hash + (tolerations.isEmpty() ? 0 : tolerations.hashCode());
    hash = 31 * hash + (volumes.isEmpty() ? 0 : volumes.hashCode());
    hash = 31 * hash + affinityHash();
    return 31 * hash + schedulerName.hashCode();
  }

  private int affinityHash() {
    int hash = nodeAffinity.isEmpty() ? 0 : nodeAffinity.hashCode();
    hash = 31 * hash + (podAffinity.isEmpty() ? 0 : podAffinity.hashCode());
    hash = 31 * hash + (podAntiAffinity.isEmpty() ? 0 : podAntiAffinity.hashCode());
    return 31 * hash
        + (topologySpreadConstraints.isEmpty() ? 0 : topologySpreadConstraints.hashCode());
  }

  public boolean hasClaims() {
    for (var volume : volumes) {
      if (volume instanceof Volume.Claim) {
        return true;
      }
    }
    return false;
  }

  public boolean tolerates(Taint taint) {
    for (var toleration : tolerations) {
      if (toleration.tolerates(taint)) {
        return true;
      }
    }
    return false;
  }

  /// Whether a hard taint among these keeps the pod off a node.
  public boolean isRepelledBy(List<Taint> taints) {
    for (var taint : taints) {
      if (taint.repels() && !tolerates(taint)) {
        return true;
      }
    }
    return false;
  }
}
