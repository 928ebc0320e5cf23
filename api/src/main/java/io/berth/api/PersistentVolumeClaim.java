package io.berth.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A claim as the volume rules read it. `storageClassName` is `""` when absent; `request` is `null`
/// when absent, and `selectedNode` is `null` until a scheduler has chosen one.
public record PersistentVolumeClaim(
    String namespace,
    String name,
    String uid,
    String storageClassName,
    String volumeName,
    boolean bindCompleted,
    @Nullable String selectedNode,
    String phase,
    boolean terminating,
    @Nullable String controllerUid,
    List<String> accessModes,
    String volumeMode,
    String attributesClass,
    @Nullable Quantity request,
    @Nullable LabelSelector selector)
    implements Surrounding {

  public static final String KIND = "PersistentVolumeClaim";

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

  public Quantity size() {
    return request == null ? Quantity.ZERO : request;
  }

  /// The claim as it is once a node is chosen on which its volume is to be made.
  public PersistentVolumeClaim provisionedOn(String node) {
    return new PersistentVolumeClaim(
        namespace,
        name,
        uid,
        storageClassName,
        volumeName,
        bindCompleted,
        node,
        phase,
        terminating,
        controllerUid,
        accessModes,
        volumeMode,
        attributesClass,
        request,
        selector);
  }

  @Override
  public String kind() {
    return KIND;
  }
}
