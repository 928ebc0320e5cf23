package io.berth.engine.rule.volume;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.api.CsiNode;
import io.berth.api.PersistentVolume.Source;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.Volume;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.FilterForm;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.volume.CsiMigration.Handle;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Keeps pods off nodes that cannot attach another volume of the CSI driver they need, or where a
/// driver does not run that insists on being there.
///
/// Counted are the volumes of the pods on a node and those attached to it, each once.
public final class NodeVolumeLimits implements FilterRule {

  private static final String NAME = "NodeVolumeLimits";

  static final Verdict EXCEEDED = Verdict.unschedulable("node(s) exceed max volume count");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    var causes = new VolumeCauses(shape, cluster);
    return new Causes() {
      @Override
      public Why of(int node) {
        return causes.limits(node);
      }

      @Override
      public boolean areOnTheNode(FilterRule rule) {
        return true;
      }
    };
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(
        Kind.CSI_NODE_ADD,
        Kind.CSI_NODE_UPDATE,
        Kind.CSI_DRIVER_UPDATE,
        Kind.VOLUME_ATTACHMENT_DELETE,
        Kind.ASSIGNED_POD_DELETE,
        Kind.PERSISTENT_VOLUME_CLAIM_ADD);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    return new VolumeHints(pod, cluster.volumes()).limits(event);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    if (!attaches(shape)) {
      return NodeTest.ALL;
    }
    for (var named : PodClaims.of(shape, cluster)) {
      if (named.claim() == null) {
        var missing =
            Verdict.unresolvable(
                "looking up PVC %s/%s: %s"
                    .formatted(named.namespace(), named.volume().claimName(), named.notFound()));
        return _ -> missing;
      }
    }
    return new LimitTest(shape, cluster);
  }

  @Override
  public FilterForm filterForm(Shape shape, ClusterModel cluster) {
    return attaches(shape) ? FilterForm.LONG_WAY : FilterForm.SILENT;
  }

  private static boolean attaches(Shape shape) {
    for (var volume : shape.spec().volumes()) {
      if (volume instanceof Volume.Claim || CsiMigration.isMigratable(volume)) {
        return true;
      }
    }
    return false;
  }

  private static final class LimitTest implements NodeTest {

    private final ClusterModel cluster;
    private final Shape shape;
    private final Map<Shape, Set<Handle>> withoutCsiNode = new HashMap<>();
    private final Map<Shape, Set<Handle>> onCsiNode = new HashMap<>();
    private @Nullable NodeVolumes counted;

    LimitTest(Shape shape, ClusterModel cluster) {
      this.shape = shape;
      this.cluster = cluster;
    }

    @Override
    public Verdict verdict(int node) {
      var csiNode = cluster.volumes().csiNode(cluster.nodes().name(node));
      var wanted = volumesOf(shape, csiNode);
      if (wanted.isEmpty()) {
        return FITS;
      }
      var absent = absentDriver(wanted, csiNode);
      if (absent != null) {
        return Verdict.unschedulable(absent + " CSI driver is not installed on the node");
      }
      return csiNode == null || !csiNode.isLimited() || fits(wanted, csiNode, node)
          ? FITS
          : EXCEEDED;
    }

    @Override
    public double burden(Shape pod, int node) {
      return attaches(pod) ? ALONE : 0;
    }

    private @Nullable String absentDriver(Set<Handle> wanted, @Nullable CsiNode csiNode) {
      var drivers = new TreeSet<String>();
      wanted.forEach(volume -> drivers.add(volume.driver()));
      for (var name : drivers) {
        var driver = cluster.volumes().driver(name);
        if (driver != null
            && driver.preventPodSchedulingIfMissing()
            && (csiNode == null || !csiNode.limits().containsKey(name))) {
          return name;
        }
      }
      return null;
    }

    private boolean fits(Set<Handle> wanted, CsiNode csiNode, int node) {
      var volumes = counted;
      if (volumes == null || volumes.node != node) {
        volumes = new NodeVolumes(node, attachedTo(csiNode.name()));
        var pods = cluster.nodes().pods(node);
        for (int i = 0; i < pods.size(); i++) {
          volumes.count(volumesOf(pods.get(i).shape(), csiNode), 1);
        }
        counted = volumes;
      }
      return volumes.hasRoomFor(wanted, csiNode.limits());
    }

    private Set<Handle> attachedTo(String node) {
      var attached = new HashSet<Handle>();
      for (var attachment : cluster.volumes().attachmentsOn(node)) {
        var name = attachment.volumeName();
        var volume = name == null ? null : cluster.volumes().volume(name);
        if (volume != null
            && volume.source() instanceof Source.Csi(_, var handle)
            && !attachment.attacher().isEmpty()) {
          attached.add(new Handle(attachment.attacher(), handle));
        }
      }
      return attached;
    }

    @Override
    public void pretend(Shape pod, int node, int sign) {
      var volumes = counted;
      if (volumes != null && volumes.node == node) {
        try {
          var csiNode = cluster.volumes().csiNode(cluster.nodes().name(node));
          volumes.count(volumesOf(pod, csiNode), sign);
        } catch (CycleException _) {
          // Whoever asks about the node is told.
          counted = null;
        }
      }
    }

    @Override
    public void endTrial() {
      counted = null;
    }

    /// The volumes a pod attaches; those of migrated plugins count only where CSI is known.
    private Set<Handle> volumesOf(Shape pod, @Nullable CsiNode csiNode) {
      boolean migrates = csiNode != null;
      return (migrates ? onCsiNode : withoutCsiNode)
          .computeIfAbsent(pod, each -> volumesOf(each, migrates));
    }

    private Set<Handle> volumesOf(Shape pod, boolean migrates) {
      var handles = new HashSet<Handle>();
      for (var volume : pod.spec().volumes()) {
        var inline = migrates ? CsiMigration.handle(volume) : null;
        if (inline != null) {
          handles.add(inline);
        }
      }
      for (var named : PodClaims.of(pod, cluster)) {
        var foreign = named.foreign();
        if (foreign != null) {
          throw CycleException.filter(NAME, foreign);
        }
        var handle = named.claim() == null ? null : handle(named.claim(), migrates);
        if (handle != null && !handle.driver().isEmpty() && !handle.id().isEmpty()) {
          handles.add(handle);
        }
      }
      return handles;
    }

    private @Nullable Handle handle(PersistentVolumeClaim claim, boolean migrates) {
      var volume =
          claim.volumeName().isEmpty() ? null : cluster.volumes().volume(claim.volumeName());
      if (volume == null) {
        return unboundHandle(claim, migrates);
      }
      if (volume.source() instanceof Source.Csi(var driver, var id)) {
        return new Handle(driver, id);
      }
      var migration = CsiMigration.of(volume);
      return migration == null || !migrates ? null : migration.handle(volume);
    }

    // A volume that is still to be made has no handle; its claim stands for it.
    private @Nullable Handle unboundHandle(PersistentVolumeClaim claim, boolean migrates) {
      var storageClass = cluster.volumes().storageClass(claim.storageClassName());
      if (storageClass == null) {
        return null;
      }
      var provisioner = storageClass.provisioner();
      var id = "unbound:" + claim.key();
      if (!CsiMigration.isInTree(provisioner)) {
        return new Handle(provisioner, id);
      }
      var migration = CsiMigration.of(provisioner);
      return migration == null || !migrates ? null : new Handle(migration.driver(), id);
    }
  }

  /// The volumes of one node, used by its pods or attached, each once.
  private static final class NodeVolumes {

    final int node;
    private final Set<Handle> attached;
    private final Map<Handle, Integer> users = new HashMap<>();
    private final Map<String, Integer> byDriver = new HashMap<>();

    NodeVolumes(int node, Set<Handle> attached) {
      this.node = node;
      this.attached = attached;
      attached.forEach(volume -> byDriver.merge(volume.driver(), 1, Integer::sum));
    }

    /// A pod with these volumes comes (`sign` 1) or goes (-1).
    void count(Set<Handle> volumes, int sign) {
      for (var volume : volumes) {
        int before = users.getOrDefault(volume, 0);
        users.put(volume, before + sign);
        if ((before == 0 || before + sign == 0) && !attached.contains(volume)) {
          byDriver.merge(volume.driver(), sign, Integer::sum);
        }
      }
    }

    boolean hasRoomFor(Set<Handle> wanted, Map<String, Integer> limits) {
      var needed = new HashMap<String, Integer>();
      for (var volume : wanted) {
        if (users.getOrDefault(volume, 0) == 0) {
          needed.merge(volume.driver(), 1, Integer::sum);
        }
      }
      for (var entry : needed.entrySet()) {
        int limit = limits.getOrDefault(entry.getKey(), CsiNode.UNLIMITED);
        long count = (long) byDriver.getOrDefault(entry.getKey(), 0) + entry.getValue();
        if (limit != CsiNode.UNLIMITED && count > limit) {
          return false;
        }
      }
      return true;
    }
  }
}
