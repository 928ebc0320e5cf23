package io.berth.api;

import java.util.List;

/// What scheduling reads of a volume. Volumes that no rule looks at (config maps, secrets, empty
/// directories) are left out when a pod is read.
public sealed interface Volume {

  /// A claim, by name; `ephemeral` claims are named after pod and volume and owned by the pod.
  record Claim(String claimName, boolean ephemeral) implements Volume {}

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

  /// An inline CSI volume of a driver.
  record Csi(String driver) implements Volume {}
}
