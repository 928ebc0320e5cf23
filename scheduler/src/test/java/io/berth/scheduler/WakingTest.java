package io.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One row for each rule and kind of event that can end its rejection: the pod is bound by that
/// event, without a sweep, and events that cannot help it wake nobody.
class WakingTest {

  private static final String ZONE = "topology.kubernetes.io/zone";

  private static final String NOBODY = "kubernetes.io/no-provisioner";

  private static final List<Row> ROWS = new ArrayList<>();

  static {
    nodeUnschedulable();
    taintToleration();
    nodeAffinity();
    nodePorts();
    nodeResourcesFit();
    podTopologySpread();
    interPodAffinity();
    volumes();
    nodeDeclaredFeatures();
    gatesAndNominations();
  }

  static List<Row> rows() {
    return ROWS;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void isBoundByTheEventThatHelps(Row row) {
    var desk = new Desk();
    row.given.accept(desk);
    desk.put(row.pod).decideAll();
    assertThat(desk.isBound("p")).as("fits too early").isFalse();
    if (!row.rejector.isEmpty()) {
      assertThat(desk.rejectors("p")).as(desk.message("p")).contains(row.rejector);
    }

    row.help.accept(desk);
    assertThat(desk.woken()).as("pods woken").isEqualTo(1);
    desk.decideAll();

    assertThat(desk.isBound("p")).as(desk.message("p")).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void isLeftAloneByWhatCannotHelp(Row row) {
    var desk = new Desk();
    row.given.accept(desk);
    desk.put(row.pod).decideAll();
    int before = desk.woken();

    for (var event : row.harmless) {
      event.accept(desk);
    }

    assertThat(desk.woken() - before).isZero();
  }

  private static void nodeUnschedulable() {
    var cordoned = node("a", "", "unschedulable: true", 4);
    row("NodeUnschedulable", "NodeAdd")
        .given(cordoned)
        .pod(pod("p", "", ""))
        .harmless(node("b", "", "unschedulable: true", 4))
        .harmless(node("a", "color: red", "unschedulable: true", 4))
        .help(node("c", "", "", 4));
    row("NodeUnschedulable", "NodeUpdateTaint")
        .given(cordoned)
        .pod(pod("p", "", ""))
        .harmless(
            node(
                "a",
                "",
                "unschedulable: true\n  taints: [{key: x, value: y, effect: PreferNoSchedule}]",
                4))
        .help(node("a", "", "", 4));
    row("NodeUnschedulable", "TargetPodUpdateToleration")
        .given(cordoned)
        .pod(pod("p", "", ""))
        .harmless(pod("p", "", "tolerations: [{key: other, operator: Exists}]"))
        .help(
            pod(
                "p",
                "",
                "tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}]"));
  }

  private static void taintToleration() {
    var tainted = node("a", "", "taints: [{key: gpu, value: v, effect: NoSchedule}]", 4);
    row("TaintToleration", "NodeAdd")
        .given(tainted)
        .pod(pod("p", "", ""))
        .harmless(node("b", "", "taints: [{key: gpu, value: v, effect: NoExecute}]", 4))
        .help(node("c", "", "taints: [{key: soft, value: v, effect: PreferNoSchedule}]", 4));
    row("TaintToleration", "NodeUpdateTaint")
        .given(tainted)
        .pod(pod("p", "", ""))
        .harmless(node("a", "", "taints: [{key: gpu, value: other, effect: NoSchedule}]", 4))
        .harmless(node("a", "x: y", "taints: [{key: gpu, value: other, effect: NoSchedule}]", 8))
        .help(node("a", "", "", 4));
    row("TaintToleration", "TargetPodUpdateToleration")
        .given(tainted)
        .pod(pod("p", "", ""))
        .harmless(pod("p", "color: red", ""))
        .help(pod("p", "", "tolerations: [{key: gpu, operator: Exists}]"));
  }

  private static void nodeAffinity() {
    var pod = pod("p", "", "nodeSelector: {disk: ssd}");
    row("NodeAffinity", "NodeAdd")
        .given(node("a", "", "", 4))
        .pod(pod)
        .harmless(node("b", "disk: hdd", "", 4))
        .help(node("c", "disk: ssd", "", 4));
    row("NodeAffinity", "NodeUpdateLabel")
        .given(node("a", "", "", 4))
        .pod(pod)
        .harmless(node("a", "disk: hdd", "", 4))
        .harmless(node("a", "disk: hdd", "", 8))
        .help(node("a", "disk: ssd", "", 8));
  }

  private static void nodePorts() {
    var ports = "containers: [{name: c, image: i, ports: [{containerPort: 80, hostPort: %d}]}]";
    row("NodePorts", "AssignedPodDelete")
        .given(
            node("a", "", "", 4),
            running("x", "a", "", ports.formatted(80)),
            running("y", "a", "", ports.formatted(81)))
        .pod(pod("p", "", ports.formatted(80)))
        .harmless(desk -> desk.removePod("y"))
        .help(desk -> desk.removePod("x"));
    row("NodePorts", "NodeAdd")
        .given(node("a", "", "", 4), running("x", "a", "", ports.formatted(80)))
        .pod(pod("p", "", ports.formatted(80)))
        .harmless(node("a", "color: red", "", 4))
        .help(node("b", "", "", 4));
  }

  private static void nodeResourcesFit() {
    row("NodeResourcesFit", "AssignedPodDelete")
        .given(node("a", "", "", 1), running("x", "a", "", cpu(1)))
        .pod(pod("p", "", cpu(1)))
        .harmless(running("x", "a", "color: red", cpu(1)))
        .help(desk -> desk.removePod("x"));
    row("NodeResourcesFit", "AssignedPodScaleDown")
        .given(node("a", "", "", 2), running("x", "a", "", cpu(2) + memory("1Gi")))
        .pod(pod("p", "", cpu(1)))
        .harmless(running("x", "a", "", cpu(2)))
        .help(running("x", "a", "", cpu(1)));
    row("NodeResourcesFit", "TargetPodScaleDown")
        .given(node("a", "", "", 1))
        .pod(pod("p", "", cpu(2)))
        .harmless(pod("p", "", cpu(3)))
        .help(pod("p", "", cpu(1)));
    row("NodeResourcesFit", "NodeAdd")
        .given(node("a", "", "", 1))
        .pod(pod("p", "", cpu(2)))
        .harmless(node("b", "", "", 1))
        .help(node("c", "", "", 2));
    row("NodeResourcesFit", "NodeUpdateAllocatable")
        .given(node("a", "", "", 2), running("x", "a", "", cpu(2)))
        .pod(pod("p", "", cpu(2)))
        .harmless(node("a", "", "", 1))
        .help(node("a", "", "", 4));
  }

  private static void podTopologySpread() {
    var spread =
        """
        topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: %s
          whenUnsatisfiable: DoNotSchedule
          nodeAffinityPolicy: Ignore
          labelSelector: {matchLabels: {app: web}}
        """
            .formatted(ZONE);
    var pod = pod("p", "app: web", spread + "nodeSelector: {%s: a}".formatted(ZONE));
    Row[] zones = {
      row("PodTopologySpread", "AssignedPodAdd"),
      row("PodTopologySpread", "AssignedPodUpdateLabel"),
      row("PodTopologySpread", "AssignedPodDelete"),
      row("PodTopologySpread", "NodeDelete")
    };
    for (var row : zones) {
      row.given(
              node("a", ZONE + ": a", "", 4),
              node("b", ZONE + ": b", "", 4),
              running("x", "a", "app: web", ""),
              running("y", "b", "app: other", ""))
          .pod(pod("p", "app: web", spread + onlyOn("a")))
          .harmless(running("z", "b", "app: other", ""))
          .harmless(desk -> desk.removePod("y"))
          .harmless(node("c", "", "", 4));
    }
    zones[0].help(running("w", "b", "app: web", ""));
    zones[1].help(running("y", "b", "app: web", ""));
    zones[2].help(desk -> desk.removePod("x"));
    zones[3].help(desk -> desk.removeNode("b"));
    row("PodTopologySpread", "NodeAdd")
        .given(node("a", "", "", 4))
        .pod(pod("p", "app: web", spread))
        .harmless(node("b", "", "", 4))
        .help(node("c", ZONE + ": a", "", 4));
    row("PodTopologySpread", "NodeUpdateLabel")
        .given(node("a", "", "", 4))
        .pod(pod("p", "app: web", spread))
        .harmless(node("a", "color: red", "", 4))
        .help(node("a", ZONE + ": a", "", 4));
    row("PodTopologySpread", "NodeUpdateTaint")
        .given(
            node("a", ZONE + ": a", "", 4),
            node("b", ZONE + ": b", "", 4),
            running("x", "a", "app: web", ""))
        .pod(
            pod(
                "p",
                "app: web",
                spread.stripTrailing() + "\n  nodeTaintsPolicy: Honor\n" + onlyOn("a")))
        .harmless(node("b", ZONE + ": b", "", 5))
        .help(node("b", ZONE + ": b", "taints: [{key: k, value: v, effect: NoSchedule}]", 5));
    row("PodTopologySpread", "TargetPodUpdateLabel")
        .given(
            node("a", ZONE + ": a", "", 4),
            node("b", ZONE + ": b", "", 4),
            running("x", "a", "app: web", ""))
        .pod(pod)
        .harmless(
            pod("p", "app: web\n    color: red", spread + "nodeSelector: {%s: a}".formatted(ZONE)))
        .help(pod("p", "app: lone", spread + "nodeSelector: {%s: a}".formatted(ZONE)));
    row("PodTopologySpread", "TargetPodUpdateToleration")
        .given(
            node("a", ZONE + ": a", "", 4),
            node("b", ZONE + ": b", "taints: [{key: k, value: v, effect: NoSchedule}]", 4),
            node("c", ZONE + ": c", "unschedulable: true", 4),
            running("x", "a", "app: web", ""))
        .pod(pod("p", "app: web", spread))
        .harmless(node("a", ZONE + ": a", "", 8))
        .help(pod("p", "app: web", spread + "tolerations: [{key: k, operator: Exists}]"));
  }

  private static void interPodAffinity() {
    var near =
        """
        affinity:
          podAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: %s
              labelSelector: {matchLabels: {app: db}}
        """
            .formatted(ZONE);
    var apart = near.replace("podAffinity", "podAntiAffinity");
    row("InterPodAffinity", "AssignedPodAdd")
        .given(node("a", ZONE + ": a", "", 4))
        .pod(pod("p", "", near))
        .harmless(running("x", "a", "app: web", ""))
        .help(running("y", "a", "app: db", ""));
    row("InterPodAffinity", "AssignedPodUpdateLabel")
        .given(node("a", ZONE + ": a", "", 4), running("x", "a", "app: web", ""))
        .pod(pod("p", "", near))
        .harmless(running("x", "a", "app: cache", ""))
        .help(running("x", "a", "app: db", ""));
    row("InterPodAffinity", "AssignedPodUpdateLabel, anti")
        .given(node("a", ZONE + ": a", "", 4), running("x", "a", "app: db", ""))
        .pod(pod("p", "", apart))
        .harmless(running("x", "a", "app: db\n    color: red", ""))
        .help(running("x", "a", "app: web", ""));
    row("InterPodAffinity", "AssignedPodDelete")
        .given(
            node("a", ZONE + ": a", "", 4),
            running("x", "a", "app: db", ""),
            running("y", "a", "app: web", ""))
        .pod(pod("p", "", apart))
        .harmless(desk -> desk.removePod("y"))
        .help(desk -> desk.removePod("x"));
    row("InterPodAffinity", "AssignedPodDelete, whose term kept the pod off")
        .given(
            node("a", ZONE + ": a", "", 4), running("x", "a", "", apart), running("y", "a", "", ""))
        .pod(pod("p", "app: db", ""))
        .harmless(desk -> desk.removePod("y"))
        .help(desk -> desk.removePod("x"));
    row("InterPodAffinity", "TargetPodUpdateLabel")
        .given(node("a", ZONE + ": a", "", 4), running("x", "a", "", apart))
        .pod(pod("p", "app: db", ""))
        .harmless(pod("p", "app: db", "tolerations: [{key: k, operator: Exists}]"))
        .help(pod("p", "app: web", ""));
    row("InterPodAffinity", "NodeAdd")
        .given(node("a", ZONE + ": a", "", 4), running("x", "a", "app: db", ""))
        .pod(pod("p", "", apart))
        .harmless(node("a", ZONE + ": a", "", 8))
        .help(node("b", ZONE + ": b", "", 4));
    row("InterPodAffinity", "NodeUpdateLabel")
        .given(
            node("a", ZONE + ": a", "", 4),
            node("b", "", "", 4),
            running("x", "a", "app: db", "nodeSelector: {}"))
        .pod(pod("p", "", near + onlyOn("b")))
        .harmless(node("b", "color: red", "", 4))
        .help(node("b", ZONE + ": a", "", 4));
  }

  private static void volumes() {
    var uses = "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]";
    row("VolumeRestrictions", "PersistentVolumeClaimAdd")
        .given(node("a", "", "", 4), volume("disk", "", "data"))
        .pod(pod("p", "", uses))
        .harmless(claim("other", "disk"))
        .help(claim("data", "disk"));
    row("VolumeZone", "PersistentVolumeAdd")
        .given(node("a", "", "", 4), claim("data", "disk"))
        .pod(pod("p", "", uses))
        .harmless(claim("other", "disk"))
        .help(volume("disk", "", "data"));
    row("VolumeBinding", "StorageClassAdd")
        .given(node("a", "", "", 4), unboundClaim("data", "fast"))
        .pod(pod("p", "", uses))
        .harmless(storageClass("slow", "WaitForFirstConsumer"))
        .help(storageClass("fast", "WaitForFirstConsumer"));
    row("VolumeBinding", "PersistentVolumeClaimUpdate")
        .given(
            node("a", "", "", 4),
            storageClass("standard", "Immediate"),
            unboundClaim("data", "standard"),
            volume("disk", "", "data"))
        .pod(pod("p", "", uses))
        .harmless(unboundClaim("other", "standard"))
        .harmless(claim("other", "disk"))
        .help(claim("data", "disk"));
    row("VolumeBinding", "PersistentVolumeAdd")
        .given(
            node("a", "", "", 4),
            storageClass("local", "WaitForFirstConsumer").replace("csi.example.com", NOBODY),
            unboundClaim("data", "local"))
        .pod(pod("p", "", uses))
        .harmless(freeVolume("elsewhere", "other"))
        .help(freeVolume("disk", "local"));
    row("VolumeBinding", "PersistentVolumeUpdate")
        .given(
            node("a", "", "", 4),
            storageClass("local", "WaitForFirstConsumer").replace("csi.example.com", NOBODY),
            freeVolume("disk", "local").replace("1Gi", "1Mi"),
            unboundClaim("data", "local"))
        .pod(pod("p", "", uses))
        .harmless(freeVolume("disk", "local").replace("1Gi", "1Mi"))
        .help(freeVolume("disk", "local"));
    row("VolumeBinding", "StorageClassUpdate")
        .given(
            node("a", "disk: here", "", 4),
            storageClass("fast", "WaitForFirstConsumer") + onlyWhere("there"),
            unboundClaim("data", "fast"))
        .pod(pod("p", "", uses))
        .harmless(storageClass("fast", "WaitForFirstConsumer") + onlyWhere("there"))
        .help(storageClass("fast", "WaitForFirstConsumer") + onlyWhere("here"));
    row("VolumeZone", "NodeUpdateLabel")
        .given(
            node("a", ZONE + ": a", "", 4),
            claim("data", "disk"),
            volume("disk", "", "data").replace("{name: disk}", inZone("b")))
        .pod(pod("p", "", uses))
        .harmless(node("a", ZONE + ": a", "", 8))
        .help(node("a", ZONE + ": b", "", 8));
    row("VolumeZone", "PersistentVolumeUpdate")
        .given(
            node("a", ZONE + ": a", "", 4),
            claim("data", "disk"),
            volume("disk", "", "data").replace("{name: disk}", inZone("b")))
        .pod(pod("p", "", uses))
        .harmless(volume("disk", "", "data").replace("{name: disk}", inZone("b")))
        .help(volume("disk", "", "data").replace("{name: disk}", inZone("a")));
    row("VolumeBinding", "NodeAdd")
        .given(
            node("a", "disk: none", "", 4), claim("data", "disk"), volume("disk", "here", "data"))
        .pod(pod("p", "", uses))
        .harmless(node("a", "disk: none", "", 8))
        .help(node("b", "disk: here", "", 4));
    row("VolumeBinding", "NodeUpdateLabel")
        .given(
            node("a", "disk: none", "", 4), claim("data", "disk"), volume("disk", "here", "data"))
        .pod(pod("p", "", uses))
        .harmless(node("a", "disk: none", "", 8))
        .help(node("a", "disk: here", "", 8));
    var fast = storageClass("fast", "WaitForFirstConsumer");
    row("VolumeBinding", "CSIStorageCapacityAdd")
        .given(node("a", "", "", 4), fast, driver(true), unboundClaim("data", "fast"))
        .pod(pod("p", "", uses))
        .harmless(capacity("slow", "9Gi"))
        .help(capacity("fast", "9Gi"));
    row("VolumeBinding", "CSIStorageCapacityUpdate")
        .given(
            node("a", "", "", 4),
            fast,
            driver(true),
            capacity("fast", "2Mi"),
            unboundClaim("data", "fast"))
        .pod(pod("p", "", uses))
        .harmless(capacity("fast", "1Mi"))
        .help(capacity("fast", "9Gi"));
    row("VolumeBinding", "CSIDriverUpdate")
        .given(node("a", "", "", 4), fast, driver(true), unboundClaim("data", "fast"))
        .pod(pod("p", "", uses))
        .harmless(driver(true))
        .help(driver(false));
    row("NodeVolumeLimits", "VolumeAttachmentDelete")
        .given(
            node("a", "", "", 4),
            csiNode("a", 1),
            claim("data", "disk"),
            volume("disk", "", "data"),
            volume("disk2", "", "nobody"),
            attachment("at-a", "disk2"))
        .pod(pod("p", "", uses))
        .harmless(attachment("at-a", "disk2"))
        .help(desk -> desk.removeAttachment("at-a"));
    row("VolumeRestrictions", "AssignedPodDelete")
        .given(
            node("a", "", "", 4),
            claim("data", "disk").replace("ReadWriteOnce", "ReadWriteOncePod"),
            volume("disk", "", "data").replace("ReadWriteOnce", "ReadWriteOncePod"),
            running("x", "a", "", uses),
            running("y", "a", "", ""))
        .pod(pod("p", "", uses))
        .harmless(desk -> desk.removePod("y"))
        .help(desk -> desk.removePod("x"));
    var disk = "volumes: [{name: v, awsElasticBlockStore: {volumeID: %s}}]";
    row("VolumeRestrictions", "AssignedPodDelete, same disk")
        .given(
            node("a", "", "", 4),
            running("x", "a", "", disk.formatted("one")),
            running("y", "a", "", disk.formatted("two")))
        .pod(pod("p", "", disk.formatted("one")))
        .harmless(desk -> desk.removePod("y"))
        .help(desk -> desk.removePod("x"));
    row("VolumeRestrictions", "NodeAdd")
        .given(node("a", "", "", 4), running("x", "a", "", disk.formatted("one")))
        .pod(pod("p", "", disk.formatted("one")))
        .harmless(node("a", "", "", 8))
        .help(node("b", "", "", 4));
    row("NodeVolumeLimits", "AssignedPodDelete")
        .given(
            node("a", "", "", 4),
            csiNode("a", 1),
            claim("data", "disk"),
            claim("more", "disk2"),
            volume("disk", "", "data"),
            volume("disk2", "", "more"),
            running("x", "a", "", uses.replace("data", "more")),
            running("y", "a", "", ""))
        .pod(pod("p", "", uses))
        .harmless(desk -> desk.removePod("y"))
        .help(desk -> desk.removePod("x"));
    row("NodeVolumeLimits", "CSINodeUpdate")
        .given(
            node("a", "", "", 4),
            csiNode("a", 1),
            claim("data", "disk"),
            claim("more", "disk2"),
            volume("disk", "", "data"),
            volume("disk2", "", "more"),
            running("x", "a", "", uses.replace("data", "more")))
        .pod(pod("p", "", uses))
        .harmless(csiNode("a", 1))
        .help(csiNode("a", 2));
  }

  private static void nodeDeclaredFeatures() {
    var needs = "hostNetwork: true\nhostUsers: false";
    row("NodeDeclaredFeatures", "NodeUpdateDeclaredFeature")
        .given(node("a", "", "", 4))
        .pod(pod("p", "", needs))
        .harmless(node("a", "color: red", "", 8))
        .help(
            node("a", "color: red", "", 8)
                + "  declaredFeatures: [UserNamespacesHostNetworkSupport]\n");
    row("NodeDeclaredFeatures", "NodeAdd")
        .given(node("a", "", "", 4))
        .pod(pod("p", "", needs))
        .harmless(node("a", "color: red", "", 8))
        .help(node("b", "", "", 4) + "  declaredFeatures: [UserNamespacesHostNetworkSupport]\n");
    row("NodeDeclaredFeatures", "TargetPodUpdate")
        .given(node("a", "", "", 4))
        .pod(pod("p", "", needs))
        .harmless(node("a", "color: red", "", 8))
        .help(pod("p", "", ""));
  }

  private static void gatesAndNominations() {
    row("", "TargetPodUpdateSchedulingGatesEliminated")
        .given(node("a", "", "", 4))
        .pod(pod("p", "", "schedulingGates: [{name: one}, {name: two}]"))
        .harmless(pod("p", "", "schedulingGates: [{name: two}]"))
        .help(pod("p", "", ""));
    // A promise that ends frees room for pods that are no more important than who had it.
    row("NodeResourcesFit", "AssignedPodDelete of a pod that waited for the node")
        .given(
            node("a", "", "", 2),
            nominated("high", "a", 10, cpu(2)),
            nominated("low", "a", 1, cpu(2)))
        .pod(pod("p", "", "priority: 5\n" + cpu(1)))
        .harmless(desk -> desk.removePod("low"))
        .help(desk -> desk.removePod("high"));
    row("NodeResourcesFit", "AssignedPodDelete of a promise taken back")
        .given(node("a", "", "", 2), nominated("high", "a", 10, cpu(2)))
        .pod(pod("p", "", "priority: 5\n" + cpu(1)))
        .harmless(nominated("high", "a", 10, cpu(2)))
        .help(nominated("high", "''", 10, cpu(2)));
  }

  private static String onlyOn(String node) {
    return "nodeSelector: {kubernetes.io/hostname: %s}\n".formatted(node);
  }

  private static String cpu(int cores) {
    return "containers: [{name: c, image: i, resources: {requests: {cpu: %d}}}]\n".formatted(cores);
  }

  private static String memory(String amount) {
    return "overhead: {memory: %s}\n".formatted(amount);
  }

  private static String node(String name, String labels, String spec, int cpu) {
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

  private static String pod(String name, String labels, String spec) {
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

  private static String running(String name, String node, String labels, String spec) {
    return pod(name, labels, spec) + "  nodeName: " + node + "\n";
  }

  private static String nominated(String name, String node, int priority, String spec) {
    return pod(name, "", spec + "schedulingGates: [{name: g}]\npriority: " + priority)
        + "status: {nominatedNodeName: "
        + node
        + "}\n";
  }

  private static String claim(String name, String volume) {
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

  private static String unboundClaim(String name, String storageClass) {
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

  private static String volume(String name, String disk, String claim) {
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

  private static String freeVolume(String name, String storageClass) {
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

  private static String inZone(String zone) {
    return "{name: disk, labels: {%s: %s}}".formatted(ZONE, zone);
  }

  private static String onlyWhere(String disk) {
    return "allowedTopologies: [{matchLabelExpressions: [{key: disk, values: [%s]}]}]\n"
        .formatted(disk);
  }

  private static String storageClass(String name, String mode) {
    return """
    ---
    kind: StorageClass
    metadata: {name: %s}
    provisioner: csi.example.com
    volumeBindingMode: %s
    """
        .formatted(name, mode);
  }

  private static String driver(boolean publishesCapacity) {
    return """
    ---
    kind: CSIDriver
    metadata: {name: csi.example.com}
    spec: {storageCapacity: %s}
    """
        .formatted(publishesCapacity);
  }

  private static String capacity(String storageClass, String amount) {
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

  private static String attachment(String name, String volume) {
    return """
    ---
    kind: VolumeAttachment
    metadata: {name: %s}
    spec: {attacher: csi.example.com, nodeName: a, source: {persistentVolumeName: %s}}
    """
        .formatted(name, volume);
  }

  private static String csiNode(String name, int limit) {
    return """
    ---
    kind: CSINode
    metadata: {name: %s}
    spec: {drivers: [{name: csi.example.com, nodeID: x, allocatable: {count: %d}}]}
    """
        .formatted(name, limit);
  }

  private static Row row(String rejector, String event) {
    var row = new Row(rejector, event);
    ROWS.add(row);
    return row;
  }

  /// A cluster, a pod that does not fit, what does not help, and what does.
  static final class Row {

    private final String rejector;
    private final String event;
    private Consumer<Desk> given = _ -> {};
    private String pod = "";
    private final List<Consumer<Desk>> harmless = new ArrayList<>();
    private Consumer<Desk> help = _ -> {};

    Row(String rejector, String event) {
      this.rejector = rejector;
      this.event = event;
    }

    Row given(String... documents) {
      given = given.andThen(desk -> desk.put(String.join("", documents)));
      return this;
    }

    Row pod(String document) {
      pod = document;
      return this;
    }

    Row harmless(String document) {
      return harmless(desk -> desk.put(document));
    }

    Row harmless(Consumer<Desk> change) {
      harmless.add(change);
      return this;
    }

    void help(String document) {
      help(desk -> desk.put(document));
    }

    void help(Consumer<Desk> change) {
      help = change;
    }

    @Override
    public String toString() {
      return rejector + " " + event;
    }
  }
}
