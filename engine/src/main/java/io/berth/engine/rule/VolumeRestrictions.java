package io.berth.engine.rule;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Volume;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps pods off nodes where a disk they want is taken, and pods waiting for a claim that only one
/// pod may use.
public final class VolumeRestrictions implements FilterRule {

  static final Verdict DISK_TAKEN = Verdict.unschedulable("node(s) had no available disk");
  static final Verdict CLAIM_TAKEN =
      Verdict.unschedulable(
          "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode"
              + " already in-use by another pod");

  @Override
  public String name() {
    return "VolumeRestrictions";
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    if (shape.spec().volumes().isEmpty()) {
      return NodeTest.ALL;
    }
    var disks = new ArrayList<Volume>();
    var exclusive = new HashSet<String>();
    for (var volume : shape.spec().volumes()) {
      if (volume instanceof Volume.Claim(var name, _)) {
        var claim = cluster.volumes().claim(shape.namespace(), name);
        if (claim == null) {
          return new Missing(name);
        }
        if (claim.accessModes().contains(PersistentVolumeClaim.READ_WRITE_ONCE_POD)) {
          exclusive.add(name);
        }
      } else if (isDisk(volume)) {
        disks.add(volume);
      }
    }
    int taken = exclusive.isEmpty() ? 0 : taken(shape.namespace(), exclusive, cluster);
    return disks.isEmpty() && taken == 0
        ? NodeTest.ALL
        : new Disks(cluster.nodes(), shape.namespace(), List.copyOf(disks), exclusive, taken);
  }

  /// How many of the claims some pod of the cluster uses.
  private static int taken(String namespace, Set<String> claims, ClusterModel cluster) {
    var used = new HashSet<String>();
    for (var pod : cluster.pods()) {
      if (pod.namespace().equals(namespace) && cluster.nodes().find(pod.nodeName()) >= 0) {
        for (var volume : pod.shape().spec().volumes()) {
          if (volume instanceof Volume.Claim(var name, _) && claims.contains(name)) {
            used.add(name);
          }
        }
      }
    }
    return used.size();
  }

  private static boolean isDisk(Volume volume) {
    return switch (volume) {
      case Volume.GcePersistentDisk _, Volume.AwsElasticBlockStore _ -> true;
      case Volume.Iscsi _, Volume.Rbd _ -> true;
      case Volume.Claim _, Volume.Image _, Volume.Csi _ -> false;
    };
  }

  /// Whether two pods of a node cannot both have these volumes.
  private static boolean conflict(Volume wanted, Volume existing) {
    return switch (wanted) {
      case Volume.GcePersistentDisk(var name, var readOnly) ->
          existing instanceof Volume.GcePersistentDisk(var other, var otherReadOnly)
              && name.equals(other)
              && !(readOnly && otherReadOnly);
      case Volume.AwsElasticBlockStore(var id) ->
          existing instanceof Volume.AwsElasticBlockStore(var other) && id.equals(other);
      case Volume.Iscsi(var iqn, var readOnly) ->
          existing instanceof Volume.Iscsi(var other, var otherReadOnly)
              && iqn.equals(other)
              && !(readOnly && otherReadOnly);
      case Volume.Rbd rbd -> existing instanceof Volume.Rbd other && conflict(rbd, other);
      case Volume.Claim _, Volume.Image _, Volume.Csi _ -> false;
    };
  }

  private static boolean conflict(Volume.Rbd wanted, Volume.Rbd existing) {
    return wanted.pool().equals(existing.pool())
        && wanted.image().equals(existing.image())
        && !(wanted.readOnly() && existing.readOnly())
        && wanted.monitors().stream().anyMatch(existing.monitors()::contains);
  }

  private record Missing(String claim) implements NodeTest {

    @Override
    public Verdict verdict(int node) {
      return FITS;
    }

    @Override
    public Verdict.@Nullable Unfit veto() {
      return Verdict.unresolvable("persistentvolumeclaim \"%s\" not found".formatted(claim));
    }
  }

  private static final class Disks implements NodeTest {

    private final NodeTable nodes;
    private final String namespace;
    private final List<Volume> wanted;
    private final Set<String> exclusive;
    private final int taken;
    private int pretended;

    Disks(
        NodeTable nodes, String namespace, List<Volume> wanted, Set<String> exclusive, int taken) {
      this.nodes = nodes;
      this.namespace = namespace;
      this.wanted = wanted;
      this.exclusive = exclusive;
      this.taken = taken;
    }

    @Override
    public Verdict verdict(int node) {
      if (!wanted.isEmpty() && anyConflict(node)) {
        return DISK_TAKEN;
      }
      return taken + pretended > 0 ? CLAIM_TAKEN : FITS;
    }

    private boolean anyConflict(int node) {
      var pods = nodes.pods(node);
      for (int i = 0; i < pods.size(); i++) {
        for (var existing : pods.get(i).shape().spec().volumes()) {
          for (var volume : wanted) {
            if (conflict(volume, existing)) {
              return true;
            }
          }
        }
      }
      return false;
    }

    @Override
    public void pretend(Shape pod, int node, int sign) {
      if (!exclusive.isEmpty() && pod.namespace().equals(namespace)) {
        for (var volume : pod.spec().volumes()) {
          if (volume instanceof Volume.Claim(var name, _) && exclusive.contains(name)) {
            pretended += sign;
          }
        }
      }
    }

    @Override
    public void endTrial() {
      pretended = 0;
    }
  }
}
