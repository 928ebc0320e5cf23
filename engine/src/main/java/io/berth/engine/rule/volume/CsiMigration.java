package io.berth.engine.rule.volume;

import io.berth.api.CsiNode;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolume.Source;
import io.berth.api.Requirement;
import io.berth.api.Volume;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.NodeMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Volume plugins that were once part of Kubernetes, and the CSI drivers that took them over.
///
/// A migrated volume is counted under the driver's name and its handle there, and where the volume
/// speaks of zones, nodes are asked for the driver's own zone label.
enum CsiMigration {
  AWS_EBS("kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone"),
  GCE_PD("kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone"),
  AZURE_DISK("kubernetes.io/azure-disk", "disk.csi.azure.com", ""),
  CINDER(
      "kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone"),
  PORTWORX("kubernetes.io/portworx-volume", "pxd.portworx.com", "");

  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String REGION = "topology.kubernetes.io/region";
  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";
  private static final Set<String> WITHOUT_LIMITS =
      Set.of("kubernetes.io/azure-file", "kubernetes.io/vsphere-volume");
  private static final String NO_REGION = "failed to get region from zones: ";
  private static final String UNSPECIFIED = "UNSPECIFIED";

  private final String plugin;
  private final String driver;
  private final String zoneKey;

  CsiMigration(String plugin, String driver, String zoneKey) {
    this.plugin = plugin;
    this.driver = driver;
    this.zoneKey = zoneKey;
  }

  /// Whether the name is that of a plugin with a successor, known to schedulers or not.
  static boolean isInTree(String plugin) {
    return of(plugin) != null || WITHOUT_LIMITS.contains(plugin);
  }

  /// What became of the plugin of this name, or `null` if it has no successor that schedulers know.
  static @Nullable CsiMigration of(String plugin) {
    for (var migration : values()) {
      if (migration.plugin.equals(plugin)) {
        return migration;
      }
    }
    return null;
  }

  static @Nullable CsiMigration of(PersistentVolume volume) {
    return volume.source() instanceof Source.InTree(var plugin, _, _) ? of(plugin) : null;
  }

  String driver() {
    return driver;
  }

  /// Whether volumes of the plugin are served by the driver on the node.
  boolean isOn(@Nullable CsiNode node) {
    return node != null && node.migratedPlugins().contains(plugin);
  }

  /// A volume as a CSI driver knows it.
  record Handle(String driver, String id) {}

  static boolean isMigratable(Volume volume) {
    return volume instanceof Volume.AwsElasticBlockStore
        || volume instanceof Volume.GcePersistentDisk
        || volume instanceof Volume.InTree;
  }

  /// The handle under which the driver knows a disk that a pod names itself, or `null` if none.
  static @Nullable Handle handle(Volume volume) {
    try {
      return switch (volume) {
        case Volume.AwsElasticBlockStore(var id) -> AWS_EBS.handle(ebsVolumeId(id));
        case Volume.GcePersistentDisk(var name, _) -> GCE_PD.handle(gceDisk("zones", "", name));
        case Volume.InTree(var plugin, var id) -> {
          var migration = of(plugin);
          yield migration == null ? null : migration.handle(id);
        }
        default -> null;
      };
    } catch (UntranslatableException e) {
      throw CycleException.filter(
          "NodeVolumeLimits", "converting volume from inline to csi: " + e.getMessage());
    }
  }

  /// The handle of a persistent volume, or `null` where it has none in CSI.
  @Nullable Handle handle(PersistentVolume volume) {
    try {
      return translate(volume);
    } catch (UntranslatableException e) {
      return null;
    }
  }

  private Handle handle(String id) {
    return new Handle(driver, id);
  }

  private @Nullable Handle translate(PersistentVolume volume) throws UntranslatableException {
    if (!(volume.source() instanceof Source.InTree(_, var id, var kind))) {
      return null;
    }
    if (this == AZURE_DISK && !kind.isEmpty() && !kind.equalsIgnoreCase("managed")) {
      throw new UntranslatableException("kind(" + kind + ") is not supported in csi migration");
    }
    return switch (this) {
      case AWS_EBS -> handle(ebsVolumeId(id));
      case GCE_PD -> handle(gceDisk(volume, id));
      case AZURE_DISK, CINDER, PORTWORX -> handle(id);
    };
  }

  private static String ebsVolumeId(String id) throws UntranslatableException {
    if (!id.startsWith("aws://")) {
      return id;
    }
    // aws://zone/vol-id, with or without a zone.
    int host = id.indexOf('/', "aws://".length());
    var path = host < 0 ? "" : id.substring(host).replaceAll("^/+|/+$", "");
    if (path.startsWith("vol-") && path.indexOf('/') < 0) {
      return path;
    }
    throw new UntranslatableException(
        "failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (%s)"
            .formatted(id));
  }

  private static String gceDisk(PersistentVolume volume, String name)
      throws UntranslatableException {
    var label = volume.labels().getOrDefault(OLD_ZONE, "");
    var zones = (label.isEmpty() ? volume.labels().getOrDefault(ZONE, "") : label).split("__", -1);
    if (zones.length == 1) {
      return gceDisk("zones", zones[0], name);
    }
    var regions = new TreeSet<String>();
    for (var zone : zones) {
      if (zone.split("-", -1).length != 3) {
        throw new UntranslatableException(
            NO_REGION
                + "zone in unexpected format, expected: {locale}-{region}-{zone}, got: "
                + zone);
      }
      regions.add(zone.substring(0, zone.lastIndexOf('-')));
    }
    if (regions.size() != 1) {
      throw new UntranslatableException(
          NO_REGION
              + "multiple or no regions gotten from zones, got: map[%s:{}]"
                  .formatted(String.join(":{} ", regions)));
    }
    return gceDisk("regions", regions.first(), name);
  }

  private static String gceDisk(String kind, String place, String name) {
    return "projects/%s/%s/%s/disks/%s"
        .formatted(UNSPECIFIED, kind, place.isEmpty() ? UNSPECIFIED : place, name);
  }

  /// Whether the node can reach the volume once the driver serves it.
  boolean isReachable(PersistentVolume volume, Map<String, String> nodeLabels) {
    try {
      translate(volume);
    } catch (UntranslatableException e) {
      throw CycleException.filter("VolumeBinding", "could not translate pv: " + e.getMessage());
    }
    var terms = zoneKey.isEmpty() ? volume.nodeAffinity() : translated(volume);
    return terms == null || NodeMatcher.of(terms).matchesLabels(nodeLabels);
  }

  /// The volume's node affinity in the driver's words.
  private @Nullable List<NodeSelectorTerm> translated(PersistentVolume volume) {
    var terms = volume.nodeAffinity();
    boolean old = speaksOldLabels(volume);
    var zone = old ? OLD_ZONE : ZONE;
    if (hasValues(terms, zone)) {
      terms = renamed(terms, zone, zoneKey);
    } else if (volume.labels().containsKey(zone)) {
      terms = withZones(terms, volume.labels().getOrDefault(zone, ""));
    }
    return old && hasValues(terms, OLD_REGION) ? renamed(terms, OLD_REGION, REGION) : terms;
  }

  private static boolean speaksOldLabels(PersistentVolume volume) {
    if (mentions(volume.nodeAffinity(), ZONE)) {
      return false;
    }
    if (mentions(volume.nodeAffinity(), OLD_ZONE)) {
      return true;
    }
    return !volume.labels().containsKey(ZONE) && volume.labels().containsKey(OLD_ZONE);
  }

  private static boolean mentions(@Nullable List<NodeSelectorTerm> terms, String key) {
    return terms != null
        && terms.stream()
            .anyMatch(term -> term.matchExpressions().stream().anyMatch(e -> e.key().equals(key)));
  }

  private static boolean hasValues(@Nullable List<NodeSelectorTerm> terms, String key) {
    return terms != null
        && terms.stream()
            .flatMap(term -> term.matchExpressions().stream())
            .anyMatch(clause -> clause.key().equals(key) && !clause.values().isEmpty());
  }

  private static @Nullable List<NodeSelectorTerm> renamed(
      @Nullable List<NodeSelectorTerm> terms, String before, String after) {
    if (terms == null) {
      return null;
    }
    var renamed = new ArrayList<NodeSelectorTerm>();
    for (var term : terms) {
      var clauses = new ArrayList<Requirement>();
      for (var clause : term.matchExpressions()) {
        var key = clause.key().equals(before) ? after : clause.key();
        clauses.add(new Requirement(key, clause.operator(), clause.values()));
      }
      renamed.add(new NodeSelectorTerm(clauses, term.matchFields()));
    }
    return renamed;
  }

  private @Nullable List<NodeSelectorTerm> withZones(
      @Nullable List<NodeSelectorTerm> terms, String label) {
    var zones = new TreeSet<String>();
    for (var zone : label.split("__", -1)) {
      if (!zone.isBlank()) {
        zones.add(zone.strip());
      }
    }
    if (zones.isEmpty()) {
      return terms;
    }
    var clause = new Requirement(zoneKey, "In", List.copyOf(zones));
    var every =
        terms == null || terms.isEmpty()
            ? List.of(new NodeSelectorTerm(List.of(), List.of()))
            : terms;
    var extended = new ArrayList<NodeSelectorTerm>();
    for (var term : every) {
      var clauses = new ArrayList<>(term.matchExpressions());
      clauses.add(clause);
      extended.add(new NodeSelectorTerm(clauses, term.matchFields()));
    }
    return extended;
  }

  /// A volume that the driver cannot take over.
  private static final class UntranslatableException extends Exception {

    private static final long serialVersionUID = 1;

    UntranslatableException(String problem) {
      super(problem);
    }
  }
}
