package io.berth.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A volume as the volume rules read it. `claim` is the `namespace/name` it is reserved for.
public record PersistentVolume(
    String name,
    Map<String, String> labels,
    String storageClassName,
    Quantity capacity,
    List<String> accessModes,
    String volumeMode,
    String attributesClass,
    String phase,
    boolean terminating,
    @Nullable String claim,
    String claimUid,
    @Nullable List<NodeSelectorTerm> nodeAffinity,
    Source source)
    implements Surrounding {

  public static final String KIND = "PersistentVolume";

  public PersistentVolume {
    labels = Map.copyOf(labels);
    accessModes = List.copyOf(accessModes);
    nodeAffinity = nodeAffinity == null ? null : List.copyOf(nodeAffinity);
  }

  /// Where the bytes are, as far as limits and migration care.
  public sealed interface Source {

    record Csi(String driver, String handle) implements Source {}

    /// A plugin that was once part of Kubernetes, by its name such as `kubernetes.io/aws-ebs`;
    /// `kind` is that of an Azure disk, or empty.
    record InTree(String plugin, String volumeId, String kind) implements Source {}

    record Other() implements Source {}
  }

  /// Whether the volume is, or is to be, bound to the claim.
  public boolean isFor(PersistentVolumeClaim wanting) {
    return wanting.key().equals(claim) && (claimUid.isEmpty() || claimUid.equals(wanting.uid()));
  }

  /// The volume as it is once it is reserved for a claim.
  public PersistentVolume reservedFor(PersistentVolumeClaim wanting) {
    return new PersistentVolume(
        name,
        labels,
        storageClassName,
        capacity,
        accessModes,
        volumeMode,
        attributesClass,
        phase,
        terminating,
        wanting.key(),
        wanting.uid(),
        nodeAffinity,
        source);
  }

  @Override
  public String kind() {
    return KIND;
  }
}
