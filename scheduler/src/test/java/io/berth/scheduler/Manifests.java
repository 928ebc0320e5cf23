package io.berth.scheduler;

/// Short words for the objects that tests put before a scheduler.
final class Manifests {

  static final String ZONE = "topology.kubernetes.io/zone";

  /// The provisioner of volumes that are made by hand.
  static final String NOBODY = "kubernetes.io/no-provisioner";

  private Manifests() {}

  static String onlyOn(String node) {
    return "nodeSelector: {kubernetes.io/hostname: %s}\n".formatted(node);
  }

  static String cpu(int cores) {
    return "containers: [{name: c, image: i, resources: {requests: {cpu: %d}}}]\n".formatted(cores);
  }

  static String memory(String amount) {
    return "overhead: {memory: %s}\n".formatted(amount);
  }

  static String node(String name, String labels, String spec, int cpu) {
    return """
    ---
    kind: Node
    metadata:
      name: %s
      labels:
        kubernetes.io/hostname: %s
        %s
    spec:
      arch: amd64
      %s
    status:
      allocatable: {cpu: %d, memory: 8Gi, pods: 20}
    """
        .formatted(name, name, labels, spec, cpu);
  }

  static String pod(String name, String labels, String spec) {
    return """
    ---
    kind: Pod
    metadata:
      namespace: default
      name: %s
      labels:
        pod: %s
        %s
    spec:
      schedulerName: default-scheduler
    """
            .formatted(name, name, labels)
        + spec.indent(2);
  }

  static String running(String name, String node, String labels, String spec) {
    return pod(name, labels, spec) + "  nodeName: " + node + "\n";
  }

  static String nominated(String name, String node, int priority, String spec) {
    return pod(name, "", spec + "schedulingGates: [{name: g}]\npriority: " + priority)
        + "status: {nominatedNodeName: "
        + node
        + "}\n";
  }

  static String claim(String name, String volume) {
    return """
    ---
    kind: PersistentVolumeClaim
    metadata:
      namespace: default
      name: %s
      uid: %s
      annotations: {pv.kubernetes.io/bind-completed: "yes"}
    spec:
      storageClassName: standard
      volumeName: %s
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 1Gi}}
    status: {phase: Bound}
    """
        .formatted(name, name, volume);
  }

  static String unboundClaim(String name, String storageClass) {
    return """
    ---
    kind: PersistentVolumeClaim
    metadata: {namespace: default, name: %s, uid: %s}
    spec:
      storageClassName: %s
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 1Gi}}
    status: {phase: Pending}
    """
        .formatted(name, name, storageClass);
  }

  static String volume(String name, String disk, String claim) {
    var affinity =
        disk.isEmpty()
            ? ""
            : """
            nodeAffinity:
              required:
                nodeSelectorTerms:
                - matchExpressions: [{key: disk, operator: In, values: [%s]}]
            """
                .formatted(disk)
                .indent(2);
    return """
    ---
    kind: PersistentVolume
    metadata: {name: %s}
    spec:
      storageClassName: standard
      capacity: {storage: 1Gi}
      accessModes: [ReadWriteOnce]
      claimRef: {namespace: default, name: %s, uid: %s}
      csi: {driver: csi.example.com, volumeHandle: %s}
    """
            .formatted(name, claim, claim, name)
        + affinity
        + "status: {phase: Bound}\n";
  }

  static String freeVolume(String name, String storageClass) {
    return """
    ---
    kind: PersistentVolume
    metadata: {name: %s}
    spec:
      storageClassName: %s
      capacity: {storage: 1Gi}
      accessModes: [ReadWriteOnce]
      local: {path: /disks/%s}
    status: {phase: Available}
    """
        .formatted(name, storageClass, name);
  }

  static String inZone(String zone) {
    return "{name: disk, labels: {%s: %s}}".formatted(ZONE, zone);
  }

  static String onlyWhere(String disk) {
    return "allowedTopologies: [{matchLabelExpressions: [{key: disk, values: [%s]}]}]\n"
        .formatted(disk);
  }

  static String storageClass(String name, String mode) {
    return """
    ---
    kind: StorageClass
    metadata: {name: %s}
    provisioner: csi.example.com
    volumeBindingMode: %s
    """
        .formatted(name, mode);
  }

  static String driver(boolean publishesCapacity) {
    return """
    ---
    kind: CSIDriver
    metadata: {name: csi.example.com}
    spec: {storageCapacity: %s}
    """
        .formatted(publishesCapacity);
  }

  static String capacity(String storageClass, String amount) {
    return """
    ---
    kind: CSIStorageCapacity
    metadata: {namespace: default, name: %s}
    storageClassName: %s
    capacity: %s
    nodeTopology: {}
    """
        .formatted(storageClass, storageClass, amount);
  }

  static String attachment(String name, String volume) {
    return """
    ---
    kind: VolumeAttachment
    metadata: {name: %s}
    spec: {attacher: csi.example.com, nodeName: a, source: {persistentVolumeName: %s}}
    """
        .formatted(name, volume);
  }

  static String csiNode(String name, int limit) {
    return """
    ---
    kind: CSINode
    metadata: {name: %s}
    spec: {drivers: [{name: csi.example.com, nodeID: x, allocatable: {count: %d}}]}
    """
        .formatted(name, limit);
  }
}
