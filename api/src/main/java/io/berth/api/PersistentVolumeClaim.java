package io.berth.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A claim as the volume rules read it. `storageClassName` is `null` when absent, unlike `""`.
public record PersistentVolumeClaim(
    String namespace,
    String name,
    String uid,
    @Nullable String storageClassName,
    String volumeName,
    boolean bindCompleted,
    String selectedNode,
    String phase,
    boolean terminating,
    @Nullable String owningPod,
    List<String> accessModes,
    String volumeMode,
    Quantity request,
    @Nullable LabelSelector selector) {

  public static final String READ_WRITE_ONCE_POD = "ReadWriteOncePod";

  public PersistentVolumeClaim {
    accessModes = List.copyOf(accessModes);
  }

  public String key() {
    return namespace + "/" + name;
  }

  /// As in Kubernetes, a claim is bound once the controller has said so by annotation.
  public boolean isBound() {
    return !volumeName.isEmpty() && bindCompleted;
  }
}
