package io.berth.kinds.core;

import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Fields of a pod's spec that Kubernetes knows and keeps behind gates that are off: dropped
/// without a word, in pods and in templates alike.
///
/// Mirrors: api/pod.DropDisabledPodFields
final class DisabledPodFields {

  private static final List<String> PROBES =
      List.of("livenessProbe", "readinessProbe", "startupProbe");

  private DisabledPodFields() {}

  static void drop(Tree spec) {
    spec.remove("evictionResponders");
    for (var list : List.of("initContainers", "containers", "ephemeralContainers")) {
      spec.trees(list).forEach(DisabledPodFields::dropFromContainer);
    }
    spec.trees("volumes").forEach(DisabledPodFields::dropFromVolume);
  }

  private static void dropFromContainer(Tree container) {
    for (var probe : PROBES) {
      remove(container.tree(probe, "httpGet"), "protocol");
    }
    var lifecycle = container.tree("lifecycle");
    if (lifecycle != null) {
      lifecycle.remove("stopSignal");
      remove(lifecycle.tree("postStart", "httpGet"), "protocol");
      remove(lifecycle.tree("preStop", "httpGet"), "protocol");
    }
    container.trees("volumeMounts").forEach(mount -> mount.remove("bindMountOptions"));
  }

  private static void dropFromVolume(Tree volume) {
    remove(volume.tree("emptyDir"), "mode");
    dropOwners(volume);
    var projected = volume.tree("projected");
    if (projected != null) {
      projected.remove("defaultUser");
      projected.trees("sources").forEach(DisabledPodFields::dropOwners);
    }
  }

  private static void dropOwners(Tree source) {
    for (var kind : List.of("configMap", "secret", "downwardAPI")) {
      var files = source.tree(kind);
      if (files != null) {
        files.remove("defaultUser");
        files.trees("items").forEach(item -> item.remove("user"));
      }
    }
    remove(source.tree("serviceAccountToken"), "user");
    remove(source.tree("clusterTrustBundle"), "user");
    remove(source.tree("podCertificate"), "user");
  }

  private static void remove(@Nullable Tree tree, String field) {
    if (tree != null) {
      tree.remove(field);
    }
  }
}
