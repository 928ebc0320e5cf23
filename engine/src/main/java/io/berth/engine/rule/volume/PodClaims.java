package io.berth.engine.rule.volume;

import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Volume;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The persistent volume claims of a shape, in the order of its volumes, as far as they exist.
final class PodClaims {

  private PodClaims() {}

  /// A claim that a pod names, and the object of that name.
  record Named(Volume.Claim volume, String namespace, @Nullable PersistentVolumeClaim claim) {

    boolean ephemeral() {
      return volume.ephemeral();
    }

    String notFound() {
      return "persistentvolumeclaim \"%s\" not found".formatted(volume.claimName());
    }

    /// Why the claim of an ephemeral volume is not the pod's, or `null` if all is well.
    @Nullable String foreign() {
      var owner = volume.owner();
      if (owner == null || claim == null || owner.podUid().equals(claim.controllerUid())) {
        return null;
      }
      return "PVC %s/%s was not created for pod %s/%s (pod is not owner)"
          .formatted(namespace, claim.name(), namespace, owner.podName());
    }
  }

  static boolean hasClaims(Shape shape) {
    for (var volume : shape.spec().volumes()) {
      if (volume instanceof Volume.Claim) {
        return true;
      }
    }
    return false;
  }

  static List<Named> of(Shape shape, ClusterModel cluster) {
    var named = new ArrayList<Named>();
    for (var volume : shape.spec().volumes()) {
      if (volume instanceof Volume.Claim claim) {
        var found = cluster.volumes().claim(shape.namespace(), claim.claimName());
        named.add(new Named(claim, shape.namespace(), found));
      }
    }
    return named;
  }
}
