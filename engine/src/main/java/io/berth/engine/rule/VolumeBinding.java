package io.berth.engine.rule;

import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.StorageClass;
import io.berth.engine.Code;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps pods to nodes where their claims are, or can be, served.
///
/// Bound claims must be reachable from the node; claims that wait for their first consumer need a
/// free volume there, or a class that can provision one for the node.
public final class VolumeBinding implements FilterRule {

  static final String NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
  static final String NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind";
  static final String VOLUME_GONE =
      "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";

  @Override
  public String name() {
    return "VolumeBinding";
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var claims = new PodClaims(shape, cluster);
    if (claims.isEmpty()) {
      return NodeTest.ALL;
    }
    var problem = problem(claims);
    if (problem != null) {
      return PodClaims.veto(problem);
    }
    var bound = new ArrayList<PersistentVolumeClaim>();
    var waiting = new ArrayList<PersistentVolumeClaim>();
    for (var claim : claims.found()) {
      if (claim.isBound()) {
        bound.add(claim);
      } else if (waitsForConsumer(claim, cluster)) {
        waiting.add(claim);
      } else {
        return PodClaims.veto("pod has unbound immediate PersistentVolumeClaims");
      }
    }
    waiting.sort(Comparator.comparing(PersistentVolumeClaim::request));
    return new BindingTest(bound, waiting, cluster);
  }

  private static @Nullable String problem(PodClaims claims) {
    var missing = claims.firstMissing();
    if (missing != null) {
      return claims.isEphemeral(missing)
          ? "waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\""
              .formatted(missing)
          : claims.missingText();
    }
    for (var claim : claims.found()) {
      if (claim.phase().equals("Lost")) {
        return "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
            .formatted(claim.name(), claim.volumeName());
      }
      if (claim.terminating()) {
        return "persistentvolumeclaim \"%s\" is being deleted".formatted(claim.name());
      }
    }
    return null;
  }

  // A claim with a volume name but not yet bound completely is the volume controller's to finish.
  private static boolean waitsForConsumer(PersistentVolumeClaim claim, ClusterModel cluster) {
    var storageClass = classOf(claim, cluster);
    return claim.volumeName().isEmpty() && storageClass != null && storageClass.waitsForConsumer();
  }

  private static @Nullable StorageClass classOf(PersistentVolumeClaim claim, ClusterModel cluster) {
    var name = claim.storageClassName();
    return name == null ? null : cluster.volumes().storageClass(name);
  }

  private record BindingTest(
      List<PersistentVolumeClaim> bound, List<PersistentVolumeClaim> waiting, ClusterModel cluster)
      implements NodeTest {

    @Override
    public Verdict verdict(int node) {
      var reasons = new ArrayList<String>();
      boolean gone = false;
      boolean reachable = true;
      for (var claim : bound) {
        var volume = cluster.volumes().volume(claim.volumeName());
        gone |= volume == null;
        reachable &= volume == null || isReachable(volume, node);
      }
      if (!reachable) {
        reasons.add(NODE_CONFLICT);
      }
      if (!canBind(node)) {
        reasons.add(NOTHING_TO_BIND);
      }
      if (gone) {
        reasons.add(VOLUME_GONE);
      }
      return reasons.isEmpty() ? Verdict.FITS : new Verdict.Unfit(Code.UNRESOLVABLE, reasons);
    }

    private boolean isReachable(PersistentVolume volume, int node) {
      var terms = volume.nodeAffinity();
      return terms == null || NodeMatcher.of(terms).matches(cluster.nodes().node(node));
    }

    private boolean canBind(int node) {
      Set<String> taken = new HashSet<>();
      for (var claim : waiting) {
        var selected = claim.selectedNode();
        if (!selected.isEmpty() && !selected.equals(cluster.nodes().name(node))) {
          return false;
        }
        var volume = smallestFree(claim, taken, node);
        if (volume != null) {
          taken.add(volume.name());
        } else if (!canProvision(claim, node)) {
          return false;
        }
      }
      return true;
    }

    private @Nullable PersistentVolume smallestFree(
        PersistentVolumeClaim claim, Set<String> taken, int node) {
      PersistentVolume smallest = null;
      for (var volume : cluster.volumes().volumes()) {
        if (taken.contains(volume.name()) || !serves(volume, claim) || !isReachable(volume, node)) {
          continue;
        }
        if (claim.key().equals(volume.claim())) {
          return volume;
        }
        if (smallest == null || volume.capacity().compareTo(smallest.capacity()) < 0) {
          smallest = volume;
        }
      }
      return smallest;
    }

    private static boolean serves(PersistentVolume volume, PersistentVolumeClaim claim) {
      boolean own = claim.key().equals(volume.claim());
      boolean free = volume.claim() == null && volume.phase().equals("Available");
      var selector = claim.selector();
      return (own || free)
          && !volume.terminating()
          && volume.storageClassName().equals(claim.storageClassName())
          && volume.capacity().compareTo(claim.request()) >= 0
          && volume.volumeMode().equals(claim.volumeMode())
          && volume.accessModes().containsAll(claim.accessModes())
          && (own || selector == null || selector.matches(volume.labels()));
    }

    private boolean canProvision(PersistentVolumeClaim claim, int node) {
      var storageClass = classOf(claim, cluster);
      return storageClass != null
          && !storageClass.provisioner().isEmpty()
          && !storageClass.provisioner().equals(StorageClass.NO_PROVISIONER)
          && isAllowed(storageClass, cluster.nodes().node(node).labels());
    }

    private static boolean isAllowed(StorageClass storageClass, Map<String, String> labels) {
      if (storageClass.allowedTopologies().isEmpty()) {
        return true;
      }
      for (var topology : storageClass.allowedTopologies()) {
        boolean all = true;
        for (var clause : topology.entrySet()) {
          var value = labels.get(clause.getKey());
          all &= value != null && clause.getValue().contains(value);
        }
        if (all && !topology.isEmpty()) {
          return true;
        }
      }
      return false;
    }
  }
}
