package io.berth.console.scene;

import io.berth.api.Tree;

/// A pod as the map shows it.
///
/// @param node `""` while it has none
/// @param maker the controller that made it, as `Kind name`; `""` if nobody did
/// @param message what its scheduler last said of it, `""` if nothing
public record PodCell(
    String namespace,
    String name,
    String node,
    PodState state,
    String maker,
    long priority,
    Room asks,
    String since,
    String message) {

  static PodCell of(Tree pod) {
    return new PodCell(
        pod.textOrEmpty("metadata", "namespace"),
        pod.textOrEmpty("metadata", "name"),
        pod.textOrEmpty("spec", "nodeName"),
        PodState.of(pod),
        maker(pod),
        pod.number(0, "spec", "priority"),
        Room.askedBy(pod),
        pod.textOrEmpty("metadata", "creationTimestamp"),
        message(pod));
  }

  static String maker(Tree object) {
    for (var owner : object.trees("metadata", "ownerReferences")) {
      if (owner.flag("controller")) {
        return owner.textOrEmpty("kind") + " " + owner.textOrEmpty("name");
      }
    }
    return "";
  }

  private static String message(Tree pod) {
    for (var condition : pod.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("PodScheduled")
          && condition.textOrEmpty("status").equals("False")) {
        return condition.textOrEmpty("message");
      }
    }
    return "";
  }

  /// `namespace/name`.
  public String key() {
    return namespace + "/" + name;
  }

  public boolean isWaiting() {
    return state == PodState.WAITING || state == PodState.GATED;
  }

  /// What it takes of its node.
  Room taken() {
    return node.isEmpty() || !state.takesRoom() ? Room.NONE : asks;
  }
}
