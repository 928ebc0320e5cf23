package io.berth.controllers.kubelet;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.NodeSelectors;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Taints;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a kubelet checks before it runs a pod, in its order and words. As in Kubernetes.
///
/// The scheduler has checked most of this already; pods that name their node themselves, or that
/// raced with another, meet it here for the first time.
final class Admission {

  private static final List<String> FIRST = List.of("cpu", "memory", "ephemeral-storage");
  private static final Set<String> SAFE_SYSCTLS =
      Set.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.ping_group_range",
          "net.ipv4.ip_unprivileged_port_start",
          "net.ipv4.ip_local_reserved_ports",
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes",
          "net.ipv4.tcp_rmem",
          "net.ipv4.tcp_wmem");

  private Admission() {}

  /// `null` when the pod may run on the node beside `others`.
  static @Nullable Rejection check(Tree pod, Tree node, Collection<Allocation> others) {
    var spec = pod.treeOrEmpty("spec");
    var os = operatingSystem(spec, node);
    if (os != null) {
      return os;
    }
    var sysctl = sysctl(spec);
    if (sysctl != null) {
      return sysctl;
    }
    var resource = resources(WholeAmounts.requested(spec), node, others);
    if (resource != null) {
      return resource;
    }
    if (!NodeSelectors.allow(spec, node)) {
      return predicate("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
    }
    if (!Pods.node(pod).equals(Meta.name(node))) {
      return predicate("NodeName", "node(s) didn't match the requested node name");
    }
    if (portsClash(HostPort.of(spec), others)) {
      return predicate("NodePorts", "node(s) didn't have free ports for the requested pod ports");
    }
    if (Taints.repel(node, spec.trees("tolerations"), Taints::isNoExecute)) {
      return predicate("TaintToleration", "node(s) had taints that the pod didn't tolerate");
    }
    return null;
  }

  /// The first resource of which `wanted` does not fit beside `others`, or `null`.
  static @Nullable Rejection resources(
      Map<String, Long> wanted, Tree node, Collection<Allocation> others) {
    var allocatable = WholeAmounts.allocatable(node);
    var pods = allocatable.getOrDefault("pods", 0L);
    if (others.size() + 1 > pods) {
      return outOf("pods", 1, others.size(), pods);
    }
    var used = new HashMap<String, Long>();
    for (var other : others) {
      other.requests().forEach((name, amount) -> used.merge(name, amount, Long::sum));
    }
    var names = new TreeSet<>(wanted.keySet());
    names.removeAll(FIRST);
    for (var name : FIRST) {
      var rejection = resource(name, wanted, used, allocatable);
      if (rejection != null) {
        return rejection;
      }
    }
    for (var name : names) {
      // An extended resource that the node does not know belongs to the whole cluster.
      if (allocatable.containsKey(name) || !isExtended(name)) {
        var rejection = resource(name, wanted, used, allocatable);
        if (rejection != null) {
          return rejection;
        }
      }
    }
    return null;
  }

  private static @Nullable Rejection resource(
      String name, Map<String, Long> wanted, Map<String, Long> used, Map<String, Long> capacity) {
    long requested = wanted.getOrDefault(name, 0L);
    long inUse = used.getOrDefault(name, 0L);
    long total = capacity.getOrDefault(name, 0L);
    return requested > 0 && requested > total - inUse ? outOf(name, requested, inUse, total) : null;
  }

  static boolean isExtended(String name) {
    return name.contains("/")
        && !name.contains("kubernetes.io/")
        && !name.startsWith("requests.")
        && !name.startsWith("hugepages-");
  }

  private static @Nullable Rejection operatingSystem(Tree spec, Tree node) {
    var wanted = spec.text("nodeSelector", "kubernetes.io/os");
    var os = node.textOrEmpty("metadata", "labels", "kubernetes.io/os");
    if (wanted != null && !os.isEmpty() && !wanted.equals(os)) {
      return new Rejection(
          "PodOSSelectorNodeLabelDoesNotMatch",
          "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label");
    }
    var field = spec.text("os", "name");
    if (field != null && !field.equals(os.isEmpty() ? "linux" : os)) {
      return new Rejection(
          "PodOSNotSupported", "Failed to admit pod as the OS field doesn't match node OS");
    }
    return null;
  }

  private static @Nullable Rejection sysctl(Tree spec) {
    for (var sysctl : spec.trees("securityContext", "sysctls")) {
      var name = sysctl.textOrEmpty("name").replace('/', '.');
      if (!SAFE_SYSCTLS.contains(name)) {
        return new Rejection(
            "SysctlForbidden",
            "forbidden sysctl: \"%s\" not allowlisted".formatted(sysctl.textOrEmpty("name")));
      }
    }
    return null;
  }

  private static boolean portsClash(List<HostPort> wanted, Collection<Allocation> others) {
    for (var port : wanted) {
      for (var other : others) {
        for (var taken : other.ports()) {
          if (port.clashes(taken)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static Rejection outOf(String name, long requested, long used, long capacity) {
    return new Rejection(
        "OutOf" + name,
        "Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d"
            .formatted(name, requested, used, capacity));
  }

  private static Rejection predicate(String name, String why) {
    return new Rejection(name, "Predicate %s failed: %s".formatted(name, why));
  }

  /// Why a pod may not run here.
  record Rejection(String reason, String message) {}

  /// What a pod on the node holds.
  record Allocation(
      String uid,
      String namespace,
      String name,
      long priority,
      Map<String, Long> requests,
      List<HostPort> ports) {

    static Allocation of(Tree pod) {
      var spec = pod.treeOrEmpty("spec");
      return new Allocation(
          Meta.uid(pod),
          Meta.namespace(pod),
          Meta.name(pod),
          spec.number(0, "priority"),
          WholeAmounts.requested(spec),
          HostPort.of(spec));
    }
  }
}
