package io.berth.engine.rule.volume;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.Volume;
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
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Keeps pods apart that cannot share a disk: on one node, or anywhere for ReadWriteOncePod claims.
public final class VolumeRestrictions implements FilterRule {

  static final Verdict DISK_CONFLICT = Verdict.unschedulable("node(s) had no available disk");
  static final Verdict CLAIM_IN_USE =
      Verdict.unschedulable(
          "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode"
              + " already in-use by another pod");

  @Override
  public String name() {
    return "VolumeRestrictions";
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    var causes = new VolumeCauses(shape, cluster);
    var disks = disks(shape);
    return node -> causes.restrictions(node, pod -> SharingTest.conflict(disks, pod));
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(Kind.ASSIGNED_POD_DELETE, Kind.NODE_ADD, Kind.PERSISTENT_VOLUME_CLAIM_ADD);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    return new VolumeHints(pod, cluster.volumes()).restrictions(event);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var disks = disks(shape);
    var exclusive = new HashSet<String>();
    for (var named : PodClaims.of(shape, cluster)) {
      if (named.ephemeral()) {
        continue;
      }
      var claim = named.claim();
      if (claim == null) {
        return NodeTest.veto(named.notFound());
      }
      if (claim.accessModes().contains(PersistentVolumeClaim.READ_WRITE_ONCE_POD)) {
        exclusive.add(claim.name());
      }
    }
    int users = 0;
    for (var claim : exclusive) {
      users += cluster.claimUsers(shape.namespace(), claim) > 0 ? 1 : 0;
    }
    return disks.isEmpty() && users == 0
        ? NodeTest.ALL
        : new SharingTest(disks, exclusive, users, cluster);
  }

  @Override
  public FilterForm filterForm(Shape shape, ClusterModel cluster) {
    return PodClaims.hasClaims(shape) || !disks(shape).isEmpty()
        ? FilterForm.LONG_WAY
        : FilterForm.SILENT;
  }

  private static List<Volume> disks(Shape shape) {
    var disks = new ArrayList<Volume>();
    for (var volume : shape.spec().volumes()) {
      switch (volume) {
        case Volume.GcePersistentDisk _,
            Volume.AwsElasticBlockStore _,
            Volume.Iscsi _,
            Volume.Rbd _ ->
            disks.add(volume);
        case Volume.Claim _, Volume.Image _, Volume.InTree _, Volume.Csi _ -> {}
      }
    }
    return disks;
  }

  private static final class SharingTest implements NodeTest {

    private final List<Volume> disks;
    private final Set<String> exclusive;
    private final int users;
    private final ClusterModel cluster;
    private int trial;

    SharingTest(List<Volume> disks, Set<String> exclusive, int users, ClusterModel cluster) {
      this.disks = disks;
      this.exclusive = exclusive;
      this.users = users;
      this.cluster = cluster;
    }

    @Override
    public Verdict verdict(int node) {
      var pods = cluster.nodes().pods(node);
      for (int i = 0; i < pods.size() && !disks.isEmpty(); i++) {
        if (conflict(disks, pods.get(i).shape())) {
          return DISK_CONFLICT;
        }
      }
      return users + trial > 0 ? CLAIM_IN_USE : FITS;
    }

    static boolean conflict(List<Volume> disks, Shape other) {
      for (var disk : disks) {
        for (var used : other.spec().volumes()) {
          if (conflict(disk, used)) {
            return true;
          }
        }
      }
      return false;
    }

    private static boolean conflict(Volume a, Volume b) {
      return switch (a) {
        case Volume.GcePersistentDisk(var name, var readOnly) ->
            b instanceof Volume.GcePersistentDisk(var other, var otherReadOnly)
                && name.equals(other)
                && !(readOnly && otherReadOnly);
        case Volume.AwsElasticBlockStore(var id) ->
            b instanceof Volume.AwsElasticBlockStore(var other) && id.equals(other);
        case Volume.Iscsi(var iqn, var readOnly) ->
            b instanceof Volume.Iscsi(var other, var otherReadOnly)
                && iqn.equals(other)
                && !(readOnly && otherReadOnly);
        case Volume.Rbd(var monitors, var pool, var image, var readOnly) ->
            b instanceof Volume.Rbd other
                && !Collections.disjoint(monitors, other.monitors())
                && pool.equals(other.pool())
                && image.equals(other.image())
                && !(readOnly && other.readOnly());
        case Volume.Claim _, Volume.Image _, Volume.InTree _, Volume.Csi _ -> false;
      };
    }

    @Override
    public void pretend(Shape pod, int node, int sign) {
      // As in Kubernetes, a claim of the same name in another namespace counts too.
      for (var volume : pod.spec().volumes()) {
        if (volume instanceof Volume.Claim claim
            && !claim.ephemeral()
            && exclusive.contains(claim.claimName())) {
          trial += sign;
        }
      }
    }

    @Override
    public void endTrial() {
      trial = 0;
    }
  }
}
