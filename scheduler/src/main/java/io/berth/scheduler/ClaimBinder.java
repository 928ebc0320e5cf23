package io.berth.scheduler;

import io.berth.api.ApiException;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.PatchType;
import io.berth.engine.VolumeReservation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Has the claims of a pod bound before the pod is (Kubernetes' VolumeBinding PreBind).
///
/// A claim that gets an existing volume is written into that volume; for one that gets a new volume
/// the chosen node is named on the claim. Then others bind and provision, and this waits for them.
final class ClaimBinder {

  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  private static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  private final Cluster cluster;
  private final ClaimBindings bindings;
  private final Duration patience;

  ClaimBinder(Cluster cluster, ClaimBindings bindings, Duration patience) {
    this.cluster = cluster;
    this.bindings = bindings;
    this.patience = patience;
  }

  /// Returns when every claim of the reservation has its volume; throws an [ApiException] when one
  /// gets none in time, or when what was reserved is no longer there.
  void bind(Pod pod, String node, VolumeReservation reservation) throws InterruptedException {
    if (reservation.isEmpty()) {
      return;
    }
    expect(pod, node);
    reservation.volumes().forEach(this::reserve);
    for (var claim : reservation.provisioned()) {
      select(claim, node);
    }
    long deadline = System.nanoTime() + patience.toNanos();
    for (var claim : reservation.volumes().keySet()) {
      await(claim, null, deadline);
    }
    for (var claim : reservation.provisioned()) {
      await(claim, node, deadline);
    }
  }

  // Binding may take long: others see where the pod is expected meanwhile. Nothing depends on it.
  private void expect(Pod pod, String node) {
    try {
      cluster.patch(
          Resource.PODS,
          pod.namespace(),
          pod.name(),
          "status",
          PatchType.STRATEGIC,
          Tree.of(
              "metadata", Tree.of("uid", pod.uid()), "status", Tree.of("nominatedNodeName", node)));
    } catch (ApiException e) {
      // Only a courtesy; the bind itself will tell what is wrong.
    }
  }

  private void reserve(String claim, String volume) {
    var current = cluster.fetch(Resource.PERSISTENT_VOLUMES, "", volume);
    var wanting = fetchClaim(claim);
    var reference = current.tree("spec", "claimRef");
    if (reference != null && !isFor(reference, wanting)) {
      throw failed("volume \"%s\" already bound to a different claim".formatted(volume));
    }
    if (reference != null && !reference.textOrEmpty("uid").isEmpty()) {
      return;
    }
    var reserved = current.copy();
    reserved.child("spec").put("claimRef", reference(wanting));
    if (reference == null) {
      reserved.child("metadata").child("annotations").put(BOUND_BY_CONTROLLER, "yes");
    }
    cluster.update(Resource.PERSISTENT_VOLUMES, null, reserved);
  }

  private static boolean isFor(Tree reference, Tree claim) {
    var uid = reference.textOrEmpty("uid");
    return reference.textOrEmpty("namespace").equals(claim.textOrEmpty("metadata", "namespace"))
        && reference.textOrEmpty("name").equals(claim.textOrEmpty("metadata", "name"))
        && (uid.isEmpty() || uid.equals(claim.textOrEmpty("metadata", "uid")));
  }

  private static Tree reference(Tree claim) {
    var meta = claim.treeOrEmpty("metadata");
    return Tree.of(
        "apiVersion",
        "v1",
        "kind",
        "PersistentVolumeClaim",
        "namespace",
        meta.textOrEmpty("namespace"),
        "name",
        meta.textOrEmpty("name"),
        "uid",
        meta.textOrEmpty("uid"),
        "resourceVersion",
        meta.textOrEmpty("resourceVersion"));
  }

  private void select(String claim, String node) {
    int slash = claim.indexOf('/');
    cluster.patch(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        claim.substring(0, slash),
        claim.substring(slash + 1),
        null,
        PatchType.MERGE,
        Tree.of("metadata", Tree.of("annotations", Tree.of(SELECTED_NODE, node))));
    // What is seen before the watch has caught up says nothing about the provisioner.
    awaitSelection(claim, node);
  }

  private void awaitSelection(String claim, String node) {
    try {
      bindings.await(
          claim,
          seen -> seen == null || seen.isBound() || node.equals(seen.selectedNode()),
          patience.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void await(String claim, @Nullable String selected, long deadline)
      throws InterruptedException {
    long left = (deadline - System.nanoTime()) / 1_000_000;
    boolean inTime = bindings.await(claim, seen -> isSettled(seen, selected), left);
    if (!inTime) {
      throw failed("context deadline exceeded");
    }
    bindings.await(
        claim,
        seen -> {
          if (seen == null) {
            throw failed("persistentvolumeclaim \"%s\" not found".formatted(claim));
          }
          if (!seen.isBound()) {
            throw failed("provisioning failed for PVC \"%s\"".formatted(claim));
          }
          return true;
        },
        0);
  }

  /// Bound, or beyond hope: the claim is gone, or the provisioner has given the node back.
  private static boolean isSettled(@Nullable PersistentVolumeClaim claim, @Nullable String node) {
    return claim == null || claim.isBound() || (node != null && !node.equals(claim.selectedNode()));
  }

  private Tree fetchClaim(String key) {
    int slash = key.indexOf('/');
    return cluster.fetch(
        Resource.PERSISTENT_VOLUME_CLAIMS, key.substring(0, slash), key.substring(slash + 1));
  }

  private static ApiException failed(String why) {
    return new ApiException(500, "InternalError", "binding volumes: " + why);
  }
}
