package io.berth.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What scheduling reads of a volume. Volumes that no rule looks at (config maps, secrets, empty
/// directories) are left out when a pod is read.
public sealed interface Volume {

  /// A claim, by name. That of an ephemeral volume is named after pod and volume, and must be owned
  /// by the pod.
  record Claim(String claimName, @Nullable Owner owner) implements Volume {

    /// The pod an ephemeral claim is made for.
    public record Owner(String podName, String podUid) {}

    public boolean ephemeral() {
      return owner != null;
    }
  }

  /// An image mounted as a volume.
  record Image(String reference) implements Volume {}

  record GcePersistentDisk(String pdName, boolean readOnly) implements Volume {}

  record AwsElasticBlockStore(String volumeId) implements Volume {}

  record Iscsi(String iqn, boolean readOnly) implements Volume {}

  record Rbd(List<String> monitors, String pool, String image, boolean readOnly) implements Volume {

    public Rbd {
      monitors = List.copyOf(monitors);
    }
  }

  /// A disk of another plugin that a CSI driver has taken over.
  record InTree(String plugin, String volumeId) implements Volume {}

  /// An inline CSI volume of a driver.
  record Csi(String driver) implements Volume {}
}
