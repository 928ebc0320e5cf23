package io.berth.engine.rule;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import java.util.ArrayList;
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
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var claims = new PodClaims(shape, cluster);
    var missing = claims.missingText();
    if (missing != null) {
      return PodClaims.veto(missing);
    }
    var places = new ArrayList<Place>();
    for (var claim : claims.found()) {
      if (claim.volumeName().isEmpty()) {
        var problem = unboundProblem(claim.storageClassName(), cluster);
        if (!problem.isEmpty()) {
          return PodClaims.veto(problem);
        }
        continue;
      }
      var volume = cluster.volumes().volume(claim.volumeName());
      if (volume == null) {
        return PodClaims.veto("persistentvolume \"%s\" not found".formatted(claim.volumeName()));
      }
      volume
          .labels()
          .forEach((key, value) -> {
            if (LABELS.containsKey(key)) {
              places.add(new Place(key, Set.of(value.split("__"))));
            }
          });
    }
    return places.isEmpty() ? NodeTest.ALL : node -> verdict(places, node, cluster);
  }

  private static String unboundProblem(@Nullable String className, ClusterModel cluster) {
    if (className == null || className.isEmpty()) {
      return "PersistentVolumeClaim had no pv name and storageClass name";
    }
    var storageClass = cluster.volumes().storageClass(className);
    if (storageClass == null) {
      return "storageclass.storage.k8s.io \"%s\" not found".formatted(className);
    }
    return storageClass.waitsForConsumer() ? "" : "PersistentVolume had no name";
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
