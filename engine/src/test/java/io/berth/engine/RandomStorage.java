package io.berth.engine;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.LabelSelector;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.ObjectReference;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.PodSpec;
import io.berth.api.Quantity;
import io.berth.api.Requirement;
import io.berth.api.StorageClass;
import io.berth.api.Surrounding;
import io.berth.api.Volume;
import io.berth.api.VolumeAttachment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Small random claims, volumes and what serves them, with few names, so that they often fit.
final class RandomStorage {

  private static final String DRIVER = "disk.example.com";

  private final RandomCluster random;

  RandomStorage(RandomCluster random) {
    this.random = random;
  }

  Surrounding object() {
    return switch (random.below(9)) {
      case 0 -> new StorageClass(className(), provisioner(), bindingMode(), topologies());
      case 1 -> csiNode();
      case 2 -> new CsiDriver(DRIVER, random.chance(0.5), random.chance(0.5));
      case 3 -> capacity();
      case 4 ->
          new VolumeAttachment(
              random.one("at1", "at2"),
              DRIVER,
              random.nodeName(),
              random.chance(0.5) ? volumeName() : null);
      case 5, 6 -> volume();
      default -> claim();
    };
  }

  /// One that may or may not be there.
  ObjectReference reference() {
    return object().reference();
  }

  /// The pod, at times with claims.
  Pod using(Pod pod) {
    if (random.chance(0.6)) {
      return pod;
    }
    var volumes = new ArrayList<Volume>();
    volumes.add(new Volume.Claim(claimName(), null));
    if (random.chance(0.3)) {
      volumes.add(new Volume.Claim(claimName(), null));
    }
    return pod.withSpec(with(pod.spec(), volumes));
  }

  private static PodSpec with(PodSpec spec, List<Volume> volumes) {
    return new PodSpec(
        spec.initContainers(),
        spec.containers(),
        spec.overhead(),
        spec.podRequests(),
        spec.nodeSelector(),
        spec.nodeAffinity(),
        spec.podAffinity(),
        spec.podAntiAffinity(),
        spec.tolerations(),
        spec.topologySpreadConstraints(),
        spec.priority(),
        spec.neverPreempts(),
        spec.schedulerName(),
        spec.schedulingGates(),
        volumes,
        spec.resourceClaims(),
        spec.features());
  }

  private String className() {
    return random.one("fast", "slow");
  }

  private String claimName() {
    return random.one("c1", "c2");
  }

  private String volumeName() {
    return random.one("v1", "v2", "v3");
  }

  private String provisioner() {
    return random.one("kubernetes.io/no-provisioner", DRIVER);
  }

  private String bindingMode() {
    return random.chance(0.8) ? "WaitForFirstConsumer" : "Immediate";
  }

  private List<Map<String, List<String>>> topologies() {
    return random.chance(0.7)
        ? List.of()
        : List.of(Map.of(RandomCluster.ZONE, List.of(random.one("a", "b"))));
  }

  private CsiNode csiNode() {
    int limit = random.one(1, 2, CsiNode.UNLIMITED);
    return new CsiNode(random.nodeName(), Map.of(DRIVER, limit), Set.of());
  }

  private CsiStorageCapacity capacity() {
    return new CsiStorageCapacity(
        "default",
        random.one("cap1", "cap2"),
        className(),
        Quantity.parse(random.one("1Gi", "8Gi")),
        null,
        random.chance(0.9)
            ? LabelSelector.of(Map.of(RandomCluster.ZONE, random.one("a", "b", "c")))
            : null);
  }

  private PersistentVolumeClaim claim() {
    var name = claimName();
    boolean bound = random.chance(0.3);
    return new PersistentVolumeClaim(
        random.namespaceName(),
        name,
        name + random.below(2),
        className(),
        bound ? volumeName() : "",
        bound,
        null,
        bound ? "Bound" : "Pending",
        random.chance(0.05),
        null,
        List.of(random.one("ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod")),
        "Filesystem",
        "",
        Quantity.parse(random.one("1Gi", "2Gi")),
        null);
  }

  private PersistentVolume volume() {
    return new PersistentVolume(
        volumeName(),
        random.chance(0.2) ? Map.of(RandomCluster.ZONE, random.one("a", "b")) : Map.of(),
        className(),
        Quantity.parse(random.one("1Gi", "4Gi")),
        List.of("ReadWriteOnce", "ReadWriteOncePod"),
        "Filesystem",
        "",
        "Available",
        false,
        random.chance(0.1) ? random.namespaceName() + "/" + claimName() : null,
        "",
        nodeAffinity(),
        new PersistentVolume.Source.Csi(DRIVER, random.one("h1", "h2")));
  }

  private @Nullable List<NodeSelectorTerm> nodeAffinity() {
    if (random.chance(0.5)) {
      return null;
    }
    var zone = new Requirement(RandomCluster.ZONE, "In", List.of(random.one("a", "b"), "c"));
    return List.of(new NodeSelectorTerm(List.of(zone), List.of()));
  }
}
