package io.berth.engine.rule.volume;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.api.Pod;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.FilterForm;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps pods to the zones and regions their bound volumes are labelled with.
public final class VolumeZone implements FilterRule {

  static final Verdict OTHER_ZONE = Verdict.unresolvable("node(s) had no available volume zone");

  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String REGION = "topology.kubernetes.io/region";

  /// Each label with its present name, which a node may carry in its place.
  private static final Map<String, String> LABELS =
      Map.of(
          ZONE,
          ZONE,
          REGION,
          REGION,
          "failure-domain.beta.kubernetes.io/zone",
          ZONE,
          "failure-domain.beta.kubernetes.io/region",
          REGION);

  private record Place(String key, Set<String> values) {}

  @Override
  public String name() {
    return "VolumeZone";
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    return new VolumeCauses(shape, cluster)::zone;
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(
        Kind.STORAGE_CLASS_ADD,
        Kind.PERSISTENT_VOLUME_CLAIM_ADD,
        Kind.PERSISTENT_VOLUME_CLAIM_UPDATE,
        Kind.PERSISTENT_VOLUME_ADD,
        Kind.PERSISTENT_VOLUME_UPDATE,
        Kind.NODE_ADD,
        Kind.NODE_UPDATE_LABEL);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    return new VolumeHints(pod, cluster.volumes()).zone(event);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var places = new ArrayList<Place>();
    for (var named : PodClaims.of(shape, cluster)) {
      // As in Kubernetes, ephemeral volumes are not looked at.
      if (!named.ephemeral()) {
        var problem = find(named, cluster, places);
        if (problem != null) {
          return NodeTest.veto(problem);
        }
      }
    }
    return places.isEmpty() ? NodeTest.ALL : node -> verdict(places, node, cluster);
  }

  @Override
  public FilterForm filterForm(Shape shape, ClusterModel cluster) {
    return PodClaims.hasClaims(shape) ? FilterForm.LONG_WAY : FilterForm.SILENT;
  }

  /// Adds the places of a claim's volume; returns what is wrong with the claim, if anything is.
  private static @Nullable String find(
      PodClaims.Named named, ClusterModel cluster, List<Place> places) {
    var claim = named.claim();
    if (claim == null) {
      return named.notFound();
    }
    if (claim.volumeName().isEmpty()) {
      return unboundProblem(claim.storageClassName(), cluster);
    }
    var volume = cluster.volumes().volume(claim.volumeName());
    if (volume == null) {
      return "persistentvolume \"%s\" not found".formatted(claim.volumeName());
    }
    volume
        .labels()
        .forEach((key, value) -> {
          var zones = LABELS.containsKey(key) ? zones(value) : null;
          if (zones != null) {
            places.add(new Place(key, zones));
          }
        });
    return null;
  }

  // A label with an empty part is no list of zones, and ignored.
  private static @Nullable Set<String> zones(String label) {
    var zones = new HashSet<String>();
    for (var zone : label.split("__", -1)) {
      if (zone.isBlank()) {
        return null;
      }
      zones.add(zone.strip());
    }
    return zones;
  }

  private static @Nullable String unboundProblem(String className, ClusterModel cluster) {
    if (className.isEmpty()) {
      return "PersistentVolumeClaim had no pv name and storageClass name";
    }
    var storageClass = cluster.volumes().storageClass(className);
    if (storageClass == null) {
      return "storageclass.storage.k8s.io \"%s\" not found".formatted(className);
    }
    if (storageClass.bindingMode().isEmpty()) {
      return "VolumeBindingMode not set for StorageClass \"%s\"".formatted(className);
    }
    return storageClass.waitsForConsumer() ? null : "PersistentVolume had no name";
  }

  private static Verdict verdict(List<Place> places, int node, ClusterModel cluster) {
    var labels = cluster.nodes().node(node).labels();
    if (LABELS.keySet().stream().noneMatch(labels::containsKey)) {
      return FITS;
    }
    for (var place : places) {
      var value = labels.get(place.key());
      if (value == null) {
        value = labels.get(LABELS.getOrDefault(place.key(), place.key()));
      }
      if (value == null || !place.values().contains(value)) {
        return OTHER_ZONE;
      }
    }
    return FITS;
  }
}
