package io.berth.answers.source;

import io.berth.api.Pod;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What placement reads of an object, and what a plan needs to make pods anew; nothing else: no
/// environment, no commands, no volumes of secrets, of annotations only those that decide.
public final class Essence {

  private static final Set<String> METADATA =
      Set.of(
          "name",
          "namespace",
          "uid",
          "labels",
          "annotations",
          "ownerReferences",
          "generation",
          "creationTimestamp",
          "deletionTimestamp");

  private static final Set<String> ANNOTATIONS =
      Set.of(
          Pod.MIN_COUNT_ANNOTATION,
          "controller.kubernetes.io/pod-deletion-cost",
          "pv.kubernetes.io/bind-completed",
          "volume.kubernetes.io/selected-node",
          "volume.beta.kubernetes.io/storage-class",
          "storage.alpha.kubernetes.io/migrated-plugins");

  private static final Set<String> UNREAD =
      Set.of(
          "env",
          "envFrom",
          "command",
          "args",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle",
          "securityContext",
          "imagePullSecrets",
          "imagePullPolicy",
          "serviceAccount",
          "serviceAccountName",
          "workingDir",
          "hostAliases",
          "dnsConfig",
          "nodeInfo",
          "addresses",
          "daemonEndpoints",
          "podIP",
          "podIPs",
          "hostIPs",
          "imageID",
          "containerID",
          "state",
          "lastState",
          "message",
          "volumeAttributes",
          "nodeStageSecretRef",
          "nodePublishSecretRef",
          "controllerPublishSecretRef",
          "controllerExpandSecretRef",
          "nodeExpandSecretRef",
          "parameters",
          "data");

  private static final Set<String> UNREAD_VOLUMES =
      Set.of(
          "secret",
          "configMap",
          "projected",
          "downwardAPI",
          "emptyDir",
          "hostPath",
          "nfs",
          "gitRepo");

  private Essence() {}

  /// A copy with what matters.
  public static Tree of(Tree object) {
    var copy = new Tree();
    for (var name : object.names()) {
      if (!UNREAD.contains(name)) {
        copy.put(name, name.equals("metadata") ? metadata(object) : part(object.get(name)));
      }
    }
    if (copy.get("status") instanceof Tree status) {
      status.remove("hostIP");
    }
    return copy;
  }

  private static Tree metadata(Tree object) {
    var copy = new Tree();
    var metadata = object.treeOrEmpty("metadata");
    for (var name : metadata.names()) {
      if (METADATA.contains(name)) {
        copy.put(name, Tree.copyOf(metadata.get(name)));
      }
    }
    if (copy.get("annotations") instanceof Tree annotations) {
      List.copyOf(annotations.names()).stream()
          .filter(name -> !ANNOTATIONS.contains(name))
          .forEach(annotations::remove);
    }
    return copy;
  }

  private static @Nullable Object part(@Nullable Object value) {
    return switch (value) {
      case Tree tree -> of(tree);
      case List<?> list -> {
        var kept = new ArrayList<@Nullable Object>();
        for (var each : list) {
          if (!(each instanceof Tree tree && isUnreadVolume(tree))) {
            kept.add(part(each));
          }
        }
        yield kept;
      }
      case null, default -> value;
    };
  }

  private static boolean isUnreadVolume(Tree tree) {
    return tree.has("name") && UNREAD_VOLUMES.stream().anyMatch(tree::has);
  }
}
