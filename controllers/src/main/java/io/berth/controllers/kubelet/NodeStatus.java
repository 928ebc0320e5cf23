package io.berth.controllers.kubelet;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import java.util.List;

/// What a kubelet reports about its node. It fills what is missing and leaves alone what others
/// have written: labels, taints, conditions of other types, extended resources.
final class NodeStatus {

  private NodeStatus() {}

  /// The status the node shall have now; `heartbeat` renews the times of the conditions.
  static Tree of(Tree node, NodeDefaults defaults, String address, String now, boolean heartbeat) {
    var status = node.treeOrEmpty("status").copy();
    var capacity = status.child("capacity");
    if (capacity.isEmpty()) {
      defaults.capacity().forEach(capacity::put);
    }
    allocatable(status, capacity);
    if (status.list("addresses").isEmpty()) {
      status.put(
          "addresses",
          List.of(
              Tree.of("type", "InternalIP", "address", address),
              Tree.of("type", "Hostname", "address", Meta.name(node))));
    }
    nodeInfo(status.child("nodeInfo"), defaults);
    if (status.number(0, "daemonEndpoints", "kubeletEndpoint", "Port") == 0) {
      status.putAt(10250, "daemonEndpoints", "kubeletEndpoint", "Port");
    }
    report(
        status,
        now,
        heartbeat,
        "MemoryPressure",
        false,
        "KubeletHasSufficientMemory",
        "kubelet has sufficient memory available");
    report(
        status,
        now,
        heartbeat,
        "DiskPressure",
        false,
        "KubeletHasNoDiskPressure",
        "kubelet has no disk pressure");
    report(
        status,
        now,
        heartbeat,
        "PIDPressure",
        false,
        "KubeletHasSufficientPID",
        "kubelet has sufficient PID available");
    report(
        status, now, heartbeat, "Ready", true, "KubeletReady", "kubelet is posting ready status");
    return status;
  }

  /// Extended resources that somebody patched into the capacity show up as allocatable, and leave
  /// with it; the rest of allocatable is made once.
  private static void allocatable(Tree status, Tree capacity) {
    var allocatable = status.child("allocatable");
    if (allocatable.isEmpty()) {
      capacity.fields().forEach(allocatable::put);
      return;
    }
    capacity.fields().forEach(allocatable::putIfAbsent);
    for (var name : List.copyOf(allocatable.names())) {
      if (Admission.isExtended(name) && !capacity.has(name)) {
        allocatable.remove(name);
      }
    }
  }

  private static void nodeInfo(Tree info, NodeDefaults defaults) {
    fill(info, "architecture", defaults.architecture());
    fill(info, "operatingSystem", defaults.operatingSystem());
    fill(info, "kubeletVersion", defaults.kubeletVersion());
    fill(info, "containerRuntimeVersion", "simulated://1.0");
    fill(info, "kernelVersion", "6.1.0");
    fill(info, "osImage", "Simulated Linux");
    for (var required : List.of("bootID", "kubeProxyVersion", "machineID", "systemUUID")) {
      info.putIfAbsent(required, "");
    }
  }

  private static void fill(Tree info, String field, String value) {
    if (info.textOrEmpty(field).isEmpty()) {
      info.put(field, value);
    }
  }

  private static void report(
      Tree status,
      String now,
      boolean heartbeat,
      String type,
      boolean value,
      String reason,
      String message) {
    var wanted = value ? "True" : "False";
    var known = Conditions.find(Tree.of("status", status), type);
    if (known != null && known.textOrEmpty("status").equals(wanted) && !heartbeat) {
      return;
    }
    var condition = Conditions.of(type, wanted, reason, message).put("lastHeartbeatTime", now);
    Conditions.set(status, condition, now);
  }
}
