package io.berth.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A volume as the volume rules read it. `csiDriver` and `csiHandle` are `""` for other sources.
public record PersistentVolume(
    String name,
    Map<String, String> labels,
    String storageClassName,
    Quantity capacity,
    List<String> accessModes,
    String volumeMode,
    String phase,
    boolean terminating,
    @Nullable String claim,
    String claimUid,
    @Nullable List<NodeSelectorTerm> nodeAffinity,
    String csiDriver,
    String csiHandle) {

  public PersistentVolume {
    labels = Map.copyOf(labels);
    accessModes = List.copyOf(accessModes);
    nodeAffinity = nodeAffinity == null ? null : List.copyOf(nodeAffinity);
  }
}
