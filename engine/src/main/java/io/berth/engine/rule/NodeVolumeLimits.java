package io.berth.engine.rule;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.api.CsiNode;
import io.berth.api.PersistentVolumeClaim;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// Keeps pods off nodes that cannot attach another volume of the CSI driver they need.
///
/// Counted are the volumes of pods on the node; attachments beyond those are not known here, see
/// `docs/compatibility.md`.
public final class NodeVolumeLimits implements FilterRule {

  static final Verdict EXCEEDED = Verdict.unschedulable("node(s) exceed max volume count");

  @Override
  public String name() {
    return "NodeVolumeLimits";
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var claims = new PodClaims(shape, cluster);
    if (claims.isEmpty()) {
      return NodeTest.ALL;
    }
    var missing = claims.missingText();
    var wanted = new HashMap<String, String>();
    addVolumes(shape, cluster, wanted);
    return node -> {
      if (missing != null) {
        return Verdict.unresolvable(missing);
      }
      var csiNode = cluster.volumes().csiNode(cluster.nodes().name(node));
      return wanted.isEmpty() || csiNode == null || fits(wanted, csiNode, node, cluster)
          ? FITS
          : EXCEEDED;
    };
  }

  private static boolean fits(
      Map<String, String> wanted, CsiNode csiNode, int node, ClusterModel cluster) {
    var attached = new HashMap<String, String>();
    var pods = cluster.nodes().pods(node);
    for (int i = 0; i < pods.size(); i++) {
      addVolumes(pods.get(i).shape(), cluster, attached);
    }
    var counts = new HashMap<String, Integer>();
    attached.values().forEach(driver -> counts.merge(driver, 1, Integer::sum));
    var needed = new HashMap<String, Integer>();
    wanted.forEach((volume, driver) -> {
      if (!attached.containsKey(volume)) {
        needed.merge(driver, 1, Integer::sum);
      }
    });
    for (var entry : needed.entrySet()) {
      int limit =
          Objects.requireNonNullElse(csiNode.limits().get(entry.getKey()), CsiNode.UNLIMITED);
      long count = (long) counts.getOrDefault(entry.getKey(), 0) + entry.getValue();
      if (limit != CsiNode.UNLIMITED && count > limit) {
        return false;
      }
    }
    return true;
  }

  /// The CSI volumes of a pod, by a name no two volumes share, with their drivers.
  private static void addVolumes(Shape shape, ClusterModel cluster, Map<String, String> volumes) {
    for (var claim : new PodClaims(shape, cluster).found()) {
      var volume =
          claim.volumeName().isEmpty() ? null : cluster.volumes().volume(claim.volumeName());
      if (volume == null) {
        addUnbound(claim, cluster, volumes);
      } else if (!volume.csiDriver().isEmpty()) {
        volumes.put(volume.csiDriver() + "/" + volume.csiHandle(), volume.csiDriver());
      }
    }
  }

  private static void addUnbound(
      PersistentVolumeClaim claim, ClusterModel cluster, Map<String, String> volumes) {
    var className = claim.storageClassName();
    var storageClass = className == null ? null : cluster.volumes().storageClass(className);
    if (storageClass != null && !storageClass.provisioner().isEmpty()) {
      volumes.put(
          storageClass.provisioner() + "/unbound/" + claim.key(), storageClass.provisioner());
    }
  }
}
