package io.berth.engine.rule;

import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Volume;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The persistent volume claims of a shape, as far as they exist.
final class PodClaims {

  private final List<Volume.Claim> names = new ArrayList<>();
  private final List<PersistentVolumeClaim> found = new ArrayList<>();
  private @Nullable String missing;

  PodClaims(Shape shape, ClusterModel cluster) {
    for (var volume : shape.spec().volumes()) {
      if (volume instanceof Volume.Claim name) {
        names.add(name);
        var claim = cluster.volumes().claim(shape.namespace(), name.claimName());
        if (claim != null) {
          found.add(claim);
        } else if (missing == null) {
          missing = name.claimName();
        }
      }
    }
  }

  boolean isEmpty() {
    return names.isEmpty();
  }

  List<PersistentVolumeClaim> found() {
    return found;
  }

  /// As Kubernetes words it that a claim does not exist, or `null` if all do.
  @Nullable String missingText() {
    return missing == null ? null : "persistentvolumeclaim \"%s\" not found".formatted(missing);
  }

  boolean isEphemeral(String claimName) {
    for (var name : names) {
      if (name.claimName().equals(claimName)) {
        return name.ephemeral();
      }
    }
    return false;
  }

  @Nullable String firstMissing() {
    return missing;
  }

  /// A test that only says no to the pod as such.
  static NodeTest veto(String reason) {
    var unfit = Verdict.unresolvable(reason);
    return new NodeTest() {
      @Override
      public Verdict verdict(int node) {
        return unfit;
      }

      @Override
      public Verdict.@Nullable Unfit veto() {
        return unfit;
      }
    };
  }
}
