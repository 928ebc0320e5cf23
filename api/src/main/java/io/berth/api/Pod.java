package io.berth.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A pod as scheduling sees it. `nodeName` is `""` while the pod is pending; `controller` is the
/// owner reference with `controller: true`.
public record Pod(
    String namespace,
    String name,
    String uid,
    Map<String, String> labels,
    @Nullable OwnerReference controller,
    boolean terminating,
    String nodeName,
    PodSpec spec,
    PodStatus status) {

  public Pod {
    labels = Map.copyOf(labels);
  }

  /// `namespace/name`.
  public String key() {
    return namespace + "/" + name;
  }

  public int priority() {
    return spec.priority();
  }

  public boolean isFinished() {
    return status.phase().equals("Succeeded") || status.phase().equals("Failed");
  }

  public Pod withName(String newName) {
    return new Pod(
        namespace, newName, newName, labels, controller, terminating, nodeName, spec, status);
  }

  public Pod withNodeName(String node) {
    return new Pod(namespace, name, uid, labels, controller, terminating, node, spec, status);
  }

  public Pod withStatus(PodStatus newStatus) {
    return new Pod(
        namespace, name, uid, labels, controller, terminating, nodeName, spec, newStatus);
  }

  public Pod withLabels(Map<String, String> newLabels) {
    return new Pod(
        namespace, name, uid, newLabels, controller, terminating, nodeName, spec, status);
  }

  public Pod withSpec(PodSpec newSpec) {
    return new Pod(
        namespace, name, uid, labels, controller, terminating, nodeName, newSpec, status);
  }

  /// The object that manages this pod, such as a ReplicaSet.
  public record OwnerReference(String apiVersion, String kind, String name) {}
}
