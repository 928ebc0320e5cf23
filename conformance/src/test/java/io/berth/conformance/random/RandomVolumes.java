package io.berth.conformance.random;

import io.berth.api.Tree;
import io.berth.conformance.Step;
import java.util.ArrayList;
import java.util.List;

/// Random claims, volumes, classes and CSI objects over a small vocabulary, and volumes for pods.
///
/// Two free volumes never have the same size, storage reachable from one node has one capacity, and
/// one driver insists on being there: between equal ones kube-scheduler chooses at random.
final class RandomVolumes {

  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String EBS = "ebs.csi.aws.com";
  private static final String[] CLASSES = {"fast", "local", "now", "zonal", "ebs", "unset"};
  private static final int CLAIMS = 6;
  private static final int VOLUMES = 8;

  private final Chance chance;
  private final RandomSelectors selectors;
  private final boolean generous;
  private int size = 1;

  RandomVolumes(Chance chance, RandomSelectors selectors) {
    this.chance = chance;
    this.selectors = selectors;
    this.generous = chance.percent(40);
  }

  /// Now and then, but in a generous cluster rarely, so that several nodes are left to choose from.
  private boolean hinders(int percent) {
    return chance.percent(generous ? percent / 6 : percent);
  }

  /// What the cluster starts with.
  void fill(Tree tree) {
    var classes = new ArrayList<Object>();
    for (var name : CLASSES) {
      if (chance.percent(name.equals("unset") ? 5 : 92)) {
        classes.add(storageClass(name));
      }
    }
    tree.put("storageClasses", classes);
    tree.put("persistentVolumes", all(VOLUMES, 85, i -> volume("pv" + i)));
    var claims = new ArrayList<Object>();
    for (var namespace : RandomCases.NAMESPACES) {
      claims.addAll(all(CLAIMS, 93, i -> claim(namespace, "c" + i)));
    }
    tree.put("persistentVolumeClaims", claims);
    tree.put("csiNodes", all(9, 85, i -> csiNode("n%02d".formatted(i))));
    var drivers = new ArrayList<Object>();
    for (var name : List.of("csi.a", "csi.b", EBS)) {
      if (chance.percent(70)) {
        drivers.add(driver(name));
      }
    }
    tree.put("csiDrivers", drivers);
    var capacities = new ArrayList<Object>();
    for (var storageClass : List.of("fast", "zonal", "ebs")) {
      for (var zone : List.of("z1", "z2", "z3")) {
        if (!hinders(20)) {
          capacities.add(capacity(storageClass, zone));
        }
      }
    }
    tree.put("csiStorageCapacities", capacities);
    tree.put("volumeAttachments", all(5, 50, i -> attachment("va" + i)));
  }

  /// Sometimes gives VolumeBinding a shape of its own.
  void configure(Tree tree) {
    if (!chance.percent(35)) {
      return;
    }
    var corners = new ArrayList<Tree>();
    for (int utilization = 0; utilization <= 100; utilization += chance.between(20, 60)) {
      corners.add(Tree.of("utilization", utilization, "score", chance.between(0, 10)));
    }
    var config = tree.child("config");
    config.put("apiVersion", "kubescheduler.config.k8s.io/v1");
    config.put("kind", "KubeSchedulerConfiguration");
    var profiles = config.trees("profiles");
    var profile =
        profiles.isEmpty() ? Tree.of("schedulerName", "default-scheduler") : profiles.getFirst();
    profile
        .childList("pluginConfig")
        .add(
            Tree.of(
                "name",
                "VolumeBinding",
                "args",
                Tree.of(
                    "apiVersion",
                    "kubescheduler.config.k8s.io/v1",
                    "kind",
                    "VolumeBindingArgs",
                    "shape",
                    corners)));
    config.put("profiles", List.of(profile));
  }

  private interface Made {
    Tree of(int index);
  }

  private List<Object> all(int count, int percent, Made made) {
    var list = new ArrayList<Object>();
    for (int i = 0; i < count; i++) {
      if (chance.percent(percent)) {
        list.add(made.of(i));
      }
    }
    return list;
  }

  /// A step in which something here changes or goes.
  Tree change() {
    var namespace = chance.one(RandomCases.NAMESPACES);
    var claim = "c" + chance.between(0, CLAIMS - 1);
    var volume = "pv" + chance.between(0, VOLUMES - 1);
    return switch (chance.between(0, 9)) {
      case 0, 1, 2 -> put("PersistentVolumeClaim", claim(namespace, claim));
      case 3, 4 -> put("PersistentVolume", volume(volume));
      case 5 -> put("CSINode", csiNode(selectors.nodeName()));
      case 6 -> put("VolumeAttachment", attachment("va" + chance.between(0, 5)));
      case 7 -> put("CSIDriver", driver(chance.one("csi.a", "csi.b", EBS)));
      case 8 -> put("CSIStorageCapacity", capacity(chance.one("fast", "zonal"), zone()));
      default ->
          Tree.of(
              "remove",
              chance.one(
                  "PersistentVolumeClaim/" + namespace + "/" + claim,
                  "PersistentVolume/" + volume,
                  "CSINode/" + selectors.nodeName(),
                  "CSIDriver/csi.a",
                  "StorageClass/zonal",
                  "VolumeAttachment/va1",
                  "CSIStorageCapacity/default/fast-z1"));
    };
  }

  private static Tree put(String kind, Tree object) {
    return Tree.of("put", object.copy().put("kind", kind));
  }

  /// Gives a pod volumes; returns the claim an ephemeral one needs, for a cluster to have.
  List<Tree> use(Tree pod) {
    var made = new ArrayList<Tree>();
    if (!chance.percent(75)) {
      return made;
    }
    var volumes = new ArrayList<>(pod.trees("spec", "volumes"));
    int count = chance.percent(60) ? 1 : chance.between(2, 3);
    for (int i = 0; i < count; i++) {
      var name = "claim" + i;
      switch (chance.between(0, 9)) {
        case 0 -> {
          volumes.add(
              Tree.of("name", name, "ephemeral", Tree.of("volumeClaimTemplate", new Tree())));
          made.addAll(ephemeralClaim(pod, name));
        }
        case 1 -> volumes.add(disk(name));
        default ->
            volumes.add(
                Tree.of(
                    "name",
                    name,
                    "persistentVolumeClaim",
                    Tree.of("claimName", "c" + chance.between(0, CLAIMS - 1))));
      }
    }
    pod.child("spec").put("volumes", volumes);
    return made;
  }

  private List<Tree> ephemeralClaim(Tree pod, String volume) {
    if (chance.percent(15)) {
      return List.of();
    }
    var claim =
        claim(
            pod.textOrEmpty("metadata", "namespace"),
            pod.textOrEmpty("metadata", "name") + "-" + volume);
    var owner = chance.percent(93) ? Step.key(pod) : "somebody";
    claim
        .child("metadata")
        .put(
            "ownerReferences",
            List.of(
                Tree.of(
                    "apiVersion",
                    "v1",
                    "kind",
                    "Pod",
                    "name",
                    pod.textOrEmpty("metadata", "name"),
                    "uid",
                    owner,
                    "controller",
                    true)));
    return List.of(put("PersistentVolumeClaim", claim));
  }

  private Tree disk(String name) {
    var id = chance.one("d1", "d2", "d3");
    return switch (chance.between(0, 4)) {
      case 0 -> Tree.of("name", name, "awsElasticBlockStore", Tree.of("volumeID", ebsId()));
      case 1 -> Tree.of("name", name, "gcePersistentDisk", Tree.of("pdName", id));
      case 2 ->
          Tree.of("name", name, "azureDisk", Tree.of("diskName", id, "diskURI", "/disks/" + id));
      case 3 -> Tree.of("name", name, "cinder", Tree.of("volumeID", id));
      default -> Tree.of("name", name, "portworxVolume", Tree.of("volumeID", id));
    };
  }

  private String ebsId() {
    var id = "vol-" + chance.between(1, 3);
    return chance.percent(40) ? "aws://us-east-1a/" + id : id;
  }

  private String zone() {
    return chance.one("z1", "z2", "z3");
  }

  private Tree storageClass(String name) {
    var storageClass =
        Tree.of(
            "metadata",
            Tree.of("name", name),
            "provisioner",
            switch (name) {
              case "local" -> "kubernetes.io/no-provisioner";
              case "ebs" -> "kubernetes.io/aws-ebs";
              case "zonal" -> "csi.b";
              default -> "csi.a";
            });
    if (!name.equals("unset")) {
      storageClass.put(
          "volumeBindingMode", name.equals("now") ? "Immediate" : "WaitForFirstConsumer");
    }
    if (name.equals("zonal")) {
      storageClass.put("allowedTopologies", chance.many(0, 2, this::topology));
    }
    return storageClass;
  }

  private Tree topology() {
    var clauses = new ArrayList<Tree>();
    clauses.add(
        Tree.of("key", RandomSelectors.ZONE, "values", chance.some(1, 2, "z1", "z2", "z3")));
    if (chance.percent(25)) {
      clauses.add(Tree.of("key", "disk", "values", chance.some(1, 2, "ssd", "hdd")));
    }
    return Tree.of("matchLabelExpressions", clauses);
  }

  private Tree claim(String namespace, String name) {
    var meta = Tree.of("name", name, "namespace", namespace, "uid", "uid-" + name);
    var spec =
        Tree.of(
            "accessModes",
            hinders(15)
                ? List.of("ReadWriteOncePod")
                : chance.some(1, 2, "ReadWriteOnce", "ReadOnlyMany"),
            "resources",
            Tree.of("requests", Tree.of("storage", chance.one("1Gi", "3Gi", "3500M", "9Gi"))));
    if (chance.percent(95)) {
      spec.put("storageClassName", chance.percent(2) ? "" : storageClassName());
    }
    var status = Tree.of("phase", "Pending");
    if (hinders(30)) {
      spec.put("volumeName", "pv" + chance.between(0, VOLUMES));
      if (chance.percent(92)) {
        meta.child("annotations").put("pv.kubernetes.io/bind-completed", "yes");
        status.put("phase", chance.percent(96) ? "Bound" : "Lost");
      }
    } else if (hinders(12)) {
      meta.child("annotations").put("volume.kubernetes.io/selected-node", selectors.nodeName());
    }
    if (chance.percent(3)) {
      meta.put("deletionTimestamp", "2026-01-01T00:00:00Z");
    }
    if (chance.percent(8)) {
      spec.put("volumeMode", "Block");
    }
    if (chance.percent(8)) {
      spec.put("selector", Tree.of("matchLabels", Tree.of("tier", chance.one("gold", "iron"))));
    }
    if (chance.percent(5)) {
      spec.put("volumeAttributesClassName", "quick");
    }
    return Tree.of("metadata", meta, "spec", spec, "status", status);
  }

  private String storageClassName() {
    return hinders(30)
        ? chance.one("ebs", "now", "unset")
        : chance.one("fast", "fast", "local", "local", "zonal");
  }

  private Tree volume(String name) {
    var meta = Tree.of("name", name);
    labels(meta);
    var spec =
        Tree.of(
            "capacity",
            Tree.of("storage", chance.between(1, 9) * 1000 + size++ + "Mi"),
            "accessModes",
            chance.some(1, 3, "ReadWriteOnce", "ReadOnlyMany", "ReadWriteOncePod"),
            "storageClassName",
            chance.one("fast", "local", "local", "local", "ebs"));
    source(spec, name);
    if (hinders(60)) {
      spec.put("nodeAffinity", Tree.of("required", nodeSelector()));
    }
    if (chance.percent(15)) {
      var claim = "c" + chance.between(0, CLAIMS - 1);
      var reference = Tree.of("namespace", chance.one(RandomCases.NAMESPACES), "name", claim);
      if (chance.percent(60)) {
        reference.put("uid", chance.percent(90) ? "uid-" + claim : "uid-other");
      }
      spec.put("claimRef", reference);
    }
    if (chance.percent(8)) {
      spec.put("volumeMode", "Block");
    }
    if (chance.percent(5)) {
      spec.put("volumeAttributesClassName", "quick");
    }
    if (chance.percent(4)) {
      meta.put("deletionTimestamp", "2026-01-01T00:00:00Z");
    }
    var phase = chance.percent(85) ? "Available" : chance.one("Bound", "Released", "Pending");
    return Tree.of("metadata", meta, "spec", spec, "status", Tree.of("phase", phase));
  }

  private void labels(Tree meta) {
    if (chance.percent(35)) {
      var key = chance.one(RandomSelectors.ZONE, RandomSelectors.ZONE, OLD_ZONE);
      var zones = String.join("__", chance.some(1, 2, "z1", "z2", "z3"));
      meta.child("labels").put(key, chance.percent(4) ? zones + "__" : zones);
    }
    if (chance.percent(10)) {
      meta.child("labels").put(RandomSelectors.REGION, chance.one("r1", "r2"));
    }
    if (chance.percent(25)) {
      meta.child("labels").put("tier", chance.one("gold", "iron"));
    }
  }

  private void source(Tree spec, String name) {
    switch (chance.between(0, 7)) {
      case 0 -> spec.put("awsElasticBlockStore", Tree.of("volumeID", ebsId()));
      case 1 -> spec.put("gcePersistentDisk", Tree.of("pdName", name));
      case 2 -> spec.put("hostPath", Tree.of("path", "/" + name));
      case 3 ->
          spec.put("csi", Tree.of("driver", "csi.b", "volumeHandle", chance.one("h1", "h2", name)));
      case 4 -> spec.put("cinder", Tree.of("volumeID", name));
      default -> spec.put("csi", Tree.of("driver", "csi.a", "volumeHandle", "h-" + name));
    }
  }

  private Tree nodeSelector() {
    return Tree.of("nodeSelectorTerms", chance.many(1, 2, this::nodeTerm));
  }

  private Tree nodeTerm() {
    return switch (chance.between(0, 4)) {
      case 0, 1 -> clauses(RandomSelectors.ZONE, chance.some(1, 2, "z1", "z2", "z3"));
      case 2 -> clauses(OLD_ZONE, chance.some(1, 2, "z1", "z2"));
      case 3 ->
          clauses(RandomSelectors.HOSTNAME, List.of(selectors.nodeName(), selectors.nodeName()));
      default -> selectors.nodeTerm();
    };
  }

  private static Tree clauses(String key, List<String> values) {
    return Tree.of(
        "matchExpressions", List.of(Tree.of("key", key, "operator", "In", "values", values)));
  }

  private Tree csiNode(String name) {
    var node = Tree.of("metadata", Tree.of("name", name));
    if (chance.percent(50)) {
      node.child("metadata")
          .child("annotations")
          .put(
              "storage.alpha.kubernetes.io/migrated-plugins",
              String.join(
                  ",",
                  chance.some(
                      1,
                      3,
                      "kubernetes.io/aws-ebs",
                      "kubernetes.io/gce-pd",
                      "kubernetes.io/cinder")));
    }
    var drivers = new ArrayList<Tree>();
    for (var driver : List.of("csi.a", "csi.b", EBS, "pd.csi.storage.gke.io")) {
      if (chance.percent(75)) {
        var entry = Tree.of("name", driver, "nodeID", name);
        if (hinders(75)) {
          entry.put("allocatable", Tree.of("count", chance.one(0, 1, 1, 2, 2, 3, 20)));
        }
        drivers.add(entry);
      }
    }
    node.put("spec", Tree.of("drivers", drivers));
    return node;
  }

  private Tree driver(String name) {
    var spec = new Tree();
    if (chance.percent(75)) {
      spec.put("storageCapacity", chance.percent(85));
    }
    if (name.equals("csi.a") && chance.percent(40)) {
      spec.put("preventPodSchedulingIfMissing", chance.percent(70));
    }
    return Tree.of("metadata", Tree.of("name", name), "spec", spec);
  }

  private Tree capacity(String storageClass, String zone) {
    var capacity =
        Tree.of(
            "metadata",
            Tree.of("name", storageClass + "-" + zone, "namespace", "default"),
            "storageClassName",
            storageClass,
            "capacity",
            chance.one("2Gi", "5Gi", "10Gi", "100Gi", "7777M", "12Gi", "40Gi"));
    if (chance.percent(94)) {
      capacity.put("nodeTopology", Tree.of("matchLabels", Tree.of(RandomSelectors.ZONE, zone)));
    }
    if (chance.percent(25)) {
      capacity.put("maximumVolumeSize", chance.one("1Gi", "4Gi", "50Gi"));
    }
    return capacity;
  }

  private Tree attachment(String name) {
    return Tree.of(
        "metadata",
        Tree.of("name", name),
        "spec",
        Tree.of(
            "attacher",
            chance.one("csi.a", "csi.a", "csi.b"),
            "nodeName",
            selectors.nodeName(),
            "source",
            Tree.of("persistentVolumeName", "pv" + chance.between(0, VOLUMES))));
  }
}
