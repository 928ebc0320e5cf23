package io.berth.scheduler;

import io.berth.api.ApiException;
import io.berth.api.Pod;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.api.Volume;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.PatchType;
import java.time.Duration;
import java.time.InstantSource;

/// Has the claims of a pod bound before the pod is (Kubernetes' VolumeBinding PreBind): names the
/// chosen node on each claim that waits for its first consumer, and waits until it has a volume.
final class ClaimBinder {

  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  private static final String BOUND = "pv.kubernetes.io/bind-completed";
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final Cluster cluster;
  private final InstantSource clock;
  private final Duration patience;

  ClaimBinder(Cluster cluster, InstantSource clock, Duration patience) {
    this.cluster = cluster;
    this.clock = clock;
    this.patience = patience;
  }

  /// Returns when every claim has its volume; throws an [ApiException] when one gets none in time.
  void bind(Pod pod, String node) throws InterruptedException {
    for (var volume : pod.spec().volumes()) {
      if (volume instanceof Volume.Claim claim) {
        bind(pod, claim.claimName(), node);
      }
    }
  }

  private void bind(Pod pod, String name, String node) throws InterruptedException {
    var claim = fetch(pod, name);
    if (isBound(claim)) {
      return;
    }
    if (!node.equals(claim.text("metadata", "annotations", SELECTED_NODE))) {
      cluster.patch(
          Resource.PERSISTENT_VOLUME_CLAIMS,
          pod.namespace(),
          name,
          null,
          PatchType.MERGE,
          Tree.of("metadata", Tree.of("annotations", Tree.of(SELECTED_NODE, node))));
    }
    var deadline = clock.instant().plus(patience);
    while (!isBound(fetch(pod, name))) {
      if (clock.instant().isAfter(deadline)) {
        throw new ApiException(
            408,
            "Timeout",
            "running PreBind plugin \"VolumeBinding\": binding volumes: context deadline exceeded");
      }
      Thread.sleep(LOOK_AGAIN);
    }
  }

  private Tree fetch(Pod pod, String name) {
    return cluster.fetch(Resource.PERSISTENT_VOLUME_CLAIMS, pod.namespace(), name);
  }

  private static boolean isBound(Tree claim) {
    return !claim.textOrEmpty("spec", "volumeName").isEmpty()
        && claim.text("metadata", "annotations", BOUND) != null;
  }
}
