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
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Has the claims of a pod bound before the pod is (Kubernetes' VolumeBinding PreBind).
///
/// A claim that gets an existing volume is written into that volume; for one that gets a new volume
/// the chosen node is named on the claim. Then others bind and provision, and this waits for them,
/// without a thread.
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

  /// `done` hears, perhaps much later, that every claim of the reservation has its volume (`null`),
  /// or what failed: one gets none in time, or what was reserved is no longer there.
  void bind(
      Pod pod,
      String node,
      VolumeReservation reservation,
      Consumer<@Nullable RuntimeException> done) {
    var waits = new ArrayDeque<Wait>();
    try {
      expect(pod, node);
      reservation.volumes().forEach(this::reserve);
      for (var claim : reservation.provisioned()) {
        select(claim, node);
        // What is seen before the watch has caught up says nothing about the provisioner.
        waits.add(new Wait(claim, seen -> isSelected(seen, node), false));
      }
    } catch (RuntimeException e) {
      done.accept(e);
      return;
    }
    for (var claim : reservation.volumes().keySet()) {
      waits.add(new Wait(claim, seen -> isSettled(seen, null), true));
    }
    for (var claim : reservation.provisioned()) {
      waits.add(new Wait(claim, seen -> isSettled(seen, node), true));
    }
    awaitAll(waits, cluster.crew().nanos() + patience.toNanos(), done);
  }

  private void awaitAll(
      Queue<Wait> waits, long deadline, Consumer<@Nullable RuntimeException> done) {
    var next = waits.poll();
    if (next == null) {
      done.accept(null);
      return;
    }
    bindings.when(
        next.claim,
        next.until,
        Duration.ofNanos(Math.max(0, deadline - cluster.crew().nanos())),
        inTime -> {
          var failure = next.decides ? failure(next.claim, inTime) : null;
          if (failure == null) {
            awaitAll(waits, deadline, done);
          } else {
            done.accept(failure);
          }
        });
  }

  private @Nullable RuntimeException failure(String claim, boolean inTime) {
    if (!inTime) {
      return failed("context deadline exceeded");
    }
    var seen = bindings.find(claim);
    if (seen == null) {
      return failed("persistentvolumeclaim \"%s\" not found".formatted(claim));
    }
    return seen.isBound() ? null : failed("provisioning failed for PVC \"%s\"".formatted(claim));
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
  }

  private static boolean isSelected(@Nullable PersistentVolumeClaim claim, String node) {
    return claim == null || claim.isBound() || node.equals(claim.selectedNode());
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

  /// What is waited for; one that does not decide may also stay away.
  private record Wait(
      String claim, Predicate<@Nullable PersistentVolumeClaim> until, boolean decides) {}
}
