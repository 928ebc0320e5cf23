package io.berth.api;

import org.jspecify.annotations.Nullable;

/// How much storage of a class is left for the nodes that `nodeTopology` selects; without it the
/// storage is reachable from nowhere.
public record CsiStorageCapacity(
    String namespace,
    String name,
    String storageClassName,
    @Nullable Quantity capacity,
    @Nullable Quantity maximumVolumeSize,
    @Nullable LabelSelector nodeTopology)
    implements Surrounding {

  public static final String KIND = "CSIStorageCapacity";

  public String key() {
    return namespace + "/" + name;
  }

  /// Whether one volume of the size fits; the largest possible volume says so more precisely.
  public boolean holds(Quantity size) {
    var limit = maximumVolumeSize != null ? maximumVolumeSize : capacity;
    return limit != null && limit.value() >= size.value();
  }

  @Override
  public String kind() {
    return KIND;
  }
}
