package io.berth.scheduler;

import static io.berth.scheduler.Manifests.ZONE;
import static io.berth.scheduler.Manifests.cpu;
import static io.berth.scheduler.Manifests.memory;
import static io.berth.scheduler.Manifests.node;
import static io.berth.scheduler.Manifests.nominated;
import static io.berth.scheduler.Manifests.onlyOn;
import static io.berth.scheduler.Manifests.pod;
import static io.berth.scheduler.Manifests.running;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One row for each rule and kind of event that can end its rejection: the pod is bound by that
/// event, without a sweep, and events that cannot help it wake nobody. [VolumeWakingTest] has the
/// rules about volumes.
class WakingTest {

  private static final List<WakingRow> ROWS = new ArrayList<>();

  static {
    nodeUnschedulable();
    taintToleration();
    nodeAffinity();
    nodePorts();
    nodeResourcesFit();
    podTopologySpread();
    interPodAffinity();
    nodeDeclaredFeatures();
    gatesAndNominations();
  }

  static List<WakingRow> rows() {
    return ROWS;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void isBoundByTheEventThatHelps(WakingRow row) {
    row.checkBound();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void isLeftAloneByWhatCannotHelp(WakingRow row) {
    row.checkLeftAlone();
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
    WakingRow[] zones = {
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

  private static WakingRow row(String rejector, String event) {
    var row = new WakingRow(rejector, event);
    ROWS.add(row);
    return row;
  }
}
