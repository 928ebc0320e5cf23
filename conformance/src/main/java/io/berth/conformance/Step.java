package io.berth.conformance;

import io.berth.api.Tree;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One thing that happens to a cluster: a decision that is asked for, or a change.
public sealed interface Step {

  /// A pending pod is to be placed now. `expect` is the recorded answer; `assume` is the node on
  /// which the pod runs afterwards, whatever was answered. Without `assume` the pod vanishes.
  record Decide(
      Tree pod, @Nullable Tree expect, @Nullable String assume, @Nullable String startTime)
      implements Step {}

  /// A change of the cluster.
  sealed interface Event extends Step {}

  record AddNode(Tree node) implements Event {}

  record UpdateNode(Tree node) implements Event {}

  record RemoveNode(String name) implements Event {}

  record AddPod(Tree pod) implements Event {}

  record UpdatePod(Tree pod) implements Event {}

  /// A running pod disappears; `pod` is `namespace/name`.
  record RemovePod(String pod) implements Event {}

  record UpdateNamespace(Tree namespace) implements Event {}

  /// A pending pod waits for a node that preemption frees for it.
  record Nominate(Tree pod, String node) implements Event {}

  /// That pending pod disappears; `pod` is `namespace/name`.
  record Unnominate(String pod) implements Event {}

  /// An object that is no node and no pod appears or changes; its `kind` says what it is.
  record Put(Tree object) implements Event {}

  /// Such an object disappears: `Kind/name`, or `Kind/namespace/name`.
  record Remove(String object) implements Event {}

  Set<String> COMPANIONS = Set.of("expect", "assume", "startTime");

  static Step of(Tree tree, int index) {
    var kinds = tree.names().stream().filter(name -> !COMPANIONS.contains(name)).toList();
    if (kinds.size() != 1) {
      throw new IllegalArgumentException(
          "step %d must have exactly one of decide, addNode, updateNode, removeNode, addPod, updatePod, removePod, updateNamespace, nominate, unnominate, put, remove, but has %s"
              .formatted(index, kinds));
    }
    var kind = kinds.getFirst();
    return switch (kind) {
      case "decide" ->
          new Decide(
              object(tree, index, kind),
              tree.tree("expect"),
              tree.text("assume"),
              tree.text("startTime"));
      case "addNode" -> new AddNode(object(tree, index, kind));
      case "updateNode" -> new UpdateNode(object(tree, index, kind));
      case "removeNode" -> new RemoveNode(name(tree, index, kind));
      case "addPod" -> new AddPod(object(tree, index, kind));
      case "updatePod" -> new UpdatePod(object(tree, index, kind));
      case "removePod" -> new RemovePod(name(tree, index, kind));
      case "updateNamespace" -> new UpdateNamespace(object(tree, index, kind));
      case "nominate" -> {
        var nomination = object(tree, index, kind);
        yield new Nominate(object(nomination, index, "pod"), name(nomination, index, "node"));
      }
      case "unnominate" -> new Unnominate(name(tree, index, kind));
      case "put" -> {
        var object = object(tree, index, kind);
        checkKind(object.textOrEmpty("kind"), index, kind);
        yield new Put(object);
      }
      case "remove" -> {
        var object = name(tree, index, kind);
        checkKind(object.split("/", 2)[0], index, kind);
        checkName(object, index);
        yield new Remove(object);
      }
      default ->
          throw new IllegalArgumentException(
              "step %d has unknown kind \"%s\"".formatted(index, kind));
    };
  }

  private static void checkKind(String kind, int index, String step) {
    if (!ClusterObjects.LISTS.containsKey(kind)) {
      throw new IllegalArgumentException(
          "step %d: %s knows no kind \"%s\"; it takes %s"
              .formatted(index, step, kind, String.join(", ", ClusterObjects.LISTS.keySet())));
    }
  }

  private static void checkName(String object, int index) {
    var parts = object.split("/", -1);
    int expected = ClusterObjects.isNamespaced(parts[0]) ? 3 : 2;
    if (parts.length != expected) {
      throw new IllegalArgumentException(
          "step %d: remove \"%s\" must be %s/%sname"
              .formatted(index, object, parts[0], expected == 3 ? "namespace/" : ""));
    }
  }

  /// `namespace/name` of a pod.
  static String key(Tree pod) {
    return pod.textOrEmpty("metadata", "namespace") + "/" + pod.textOrEmpty("metadata", "name");
  }

  /// The pod as it runs after a decision: on its node, started, and no longer nominated.
  static Tree placed(Tree pod, String node, @Nullable String startTime) {
    var placed = pod.copy();
    placed.child("spec").put("nodeName", node);
    var status = placed.child("status");
    status.remove("nominatedNodeName");
    if (startTime != null) {
      status.put("startTime", startTime);
    }
    return placed;
  }

  private static Tree object(Tree tree, int index, String field) {
    if (tree.get(field) instanceof Tree object) {
      return object;
    }
    throw new IllegalArgumentException("step %d: %s must be an object".formatted(index, field));
  }

  private static String name(Tree tree, int index, String field) {
    if (tree.get(field) instanceof String name) {
      return name;
    }
    throw new IllegalArgumentException("step %d: %s must be a string".formatted(index, field));
  }
}
