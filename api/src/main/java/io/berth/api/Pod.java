package io.berth.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A pod as scheduling sees it. `nodeName` is `""` while the pod is pending; `controller` is the
/// owner reference with `controller: true`; `group` is what it is placed together with.
/// `generation` tells which spec a report about it speaks of.
public record Pod(
    String namespace,
    String name,
    String uid,
    Map<String, String> labels,
    @Nullable OwnerReference controller,
    boolean terminating,
    String nodeName,
    PodSpec spec,
    PodStatus status,
    @Nullable Group group,
    long generation)
    implements ClusterObject {

  public static final String KIND = "Pod";

  /// Names the pod group of a pod on clusters without the API for that.
  public static final String GROUP_LABEL = "berth.io/pod-group";

  /// How many pods of a group named by [#GROUP_LABEL] must be placed at once.
  public static final String MIN_COUNT_ANNOTATION = "berth.io/pod-group-min-count";

  public Pod {
    labels = Map.copyOf(labels);
  }

  /// A pod that is placed by itself.
  public Pod(
      String namespace,
      String name,
      String uid,
      Map<String, String> labels,
      @Nullable OwnerReference controller,
      boolean terminating,
      String nodeName,
      PodSpec spec,
      PodStatus status) {
    this(namespace, name, uid, labels, controller, terminating, nodeName, spec, status, null, 0);
  }

  /// `namespace/name`.
  public String key() {
    return namespace + "/" + name;
  }

  public int priority() {
    return spec.priority();
  }

  public boolean isFinished() {
    return PodPhase.isTerminal(status.phase());
  }

  /// Another pod of this kind: its uid is its name.
  public Pod withName(String newName) {
    return copy(newName, newName, labels, nodeName, spec, status);
  }

  public Pod withNodeName(String node) {
    return copy(name, uid, labels, node, spec, status);
  }

  public Pod withStatus(PodStatus newStatus) {
    return copy(name, uid, labels, nodeName, spec, newStatus);
  }

  public Pod withLabels(Map<String, String> newLabels) {
    return copy(name, uid, newLabels, nodeName, spec, status);
  }

  public Pod withSpec(PodSpec newSpec) {
    return copy(name, uid, labels, nodeName, newSpec, status);
  }

  /// The same pod, on its way out or not.
  public Pod withTerminating(boolean ending) {
    return new Pod(
        namespace,
        name,
        uid,
        labels,
        controller,
        ending,
        nodeName,
        spec,
        status,
        group,
        generation);
  }

  private Pod copy(
      String name,
      String uid,
      Map<String, String> labels,
      String node,
      PodSpec spec,
      PodStatus status) {
    return new Pod(
        namespace,
        name,
        uid,
        labels,
        controller,
        terminating,
        node,
        spec,
        status,
        group,
        generation);
  }

  /// The pods it is placed with. `minCount` is 0 when a PodGroup object of this name decides, as
  /// `spec.schedulingGroup` demands; otherwise label and annotation of the pod say it all.
  public record Group(String name, int minCount) {

    public boolean hasObject() {
      return minCount == 0;
    }
  }

  /// The object that manages this pod, such as a ReplicaSet.
  public record OwnerReference(String apiVersion, String kind, String name) {}

  @Override
  public String kind() {
    return KIND;
  }
}
