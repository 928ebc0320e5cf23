package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.Reservation;
import io.berth.kinds.meta.Cursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Fills in what a service gets from the cluster: address family, addresses, node ports.
///
/// Mirrors: registry/core/service/storage.Allocators
final class ServiceAllocation implements Reservation {

  private static final FieldPath SPEC = FieldPath.of("spec");

  private final ServiceAddresses addresses;
  private final ServiceAddresses.Hold hold;
  private final Tree service;
  private final @Nullable Tree old;
  private final boolean dryRun;
  private boolean kept;

  ServiceAllocation(ServiceAddresses addresses, Tree service, @Nullable Tree old, boolean dryRun) {
    this.addresses = addresses;
    this.hold = dryRun ? addresses.rehearse() : addresses.hold();
    this.service = service;
    this.old = old;
    this.dryRun = dryRun;
  }

  void run() {
    try {
      normalize();
      families();
      clusterIps();
      nodePorts();
    } catch (RuntimeException e) {
      hold.giveBack();
      throw e;
    }
  }

  /// One address and the list of addresses say the same; an update keeps what it does not mention.
  private void normalize() {
    var spec = service.child("spec");
    var before = old == null ? new Tree() : old.treeOrEmpty("spec");
    if (old != null && needsAddress(before) && needsAddress(spec)) {
      if (spec.textOrEmpty("clusterIP").isEmpty() && spec.list("clusterIPs").isEmpty()) {
        Fields.keep(spec, before, "clusterIP");
      }
      boolean singleChanged = Fields.differs(spec, before, "clusterIP");
      boolean listChanged = Fields.differs(spec, before, "clusterIPs");
      var single = spec.textOrEmpty("clusterIP");
      if (singleChanged && !listChanged && !spec.list("clusterIPs").isEmpty()) {
        if (single.isEmpty()) {
          Fields.keep(spec, before, "clusterIP");
        } else {
          var list = new ArrayList<>(spec.list("clusterIPs"));
          list.set(0, single);
          spec.put("clusterIPs", single.equals("None") ? List.of(single) : list);
        }
      } else if (!singleChanged && spec.list("clusterIPs").isEmpty()) {
        Fields.keep(spec, before, "clusterIPs");
      }
      keepPorts(spec, before);
    }
    var single = spec.textOrEmpty("clusterIP");
    if (!single.isEmpty() && spec.list("clusterIPs").isEmpty()) {
      spec.put("clusterIPs", List.of(single));
    }
  }

  private static void keepPorts(Tree spec, Tree before) {
    if (!needsNodePorts(spec) || !needsNodePorts(before)) {
      return;
    }
    var known = new HashMap<String, Long>();
    before
        .trees("ports")
        .forEach(port -> known.put(port.textOrEmpty("name"), port.number(0, "nodePort")));
    var used = new HashSet<Long>();
    spec.trees("ports").forEach(port -> used.add(port.number(0, "nodePort")));
    for (var port : spec.trees("ports")) {
      var was = known.getOrDefault(port.textOrEmpty("name"), 0L);
      if (port.number(0, "nodePort") == 0 && was != 0 && used.add(was)) {
        port.put("nodePort", was);
      }
    }
    if (spec.number(0, "healthCheckNodePort") == 0 && needsHealthCheck(spec)) {
      Fields.keep(spec, before, "healthCheckNodePort");
    }
  }

  static boolean needsAddress(Tree spec) {
    return !spec.textOrEmpty("type").equals("ExternalName");
  }

  static boolean needsNodePorts(Tree spec) {
    var type = spec.textOrEmpty("type");
    return type.equals("NodePort")
        || (type.equals("LoadBalancer")
            && !Boolean.FALSE.equals(spec.get("allocateLoadBalancerNodePorts")));
  }

  static boolean needsHealthCheck(Tree spec) {
    return spec.textOrEmpty("type").equals("LoadBalancer")
        && spec.textOrEmpty("externalTrafficPolicy").equals("Local");
  }

  private static boolean isHeadless(Tree spec) {
    return spec.textOrEmpty("clusterIP").equals("None");
  }

  private void families() {
    var spec = service.child("spec");
    if (!needsAddress(spec)) {
      return;
    }
    boolean selectorless = isHeadless(spec) && spec.texts("selector").isEmpty();
    if (!spec.has("ipFamilyPolicy")) {
      var before = old == null ? "" : old.textOrEmpty("spec", "ipFamilyPolicy");
      spec.put(
          "ipFamilyPolicy",
          !before.isEmpty() ? before : selectorless ? "RequireDualStack" : "SingleStack");
    }
    var errors = new FieldErrors();
    var cursor = Cursor.of(Resource.SERVICES, service, errors);
    ServiceValidation.clusterIps(cursor.at("spec"), old);
    errors.throwIfAny(Resource.SERVICES, service.textOrEmpty("metadata", "name"));
    var policy = spec.textOrEmpty("ipFamilyPolicy");
    var families = spec.childList("ipFamilies");
    if (families.isEmpty()) {
      families.add("IPv4");
    }
    if (selectorless) {
      if (families.size() < 2 && !policy.equals("SingleStack")) {
        families.add("IPv4".equals(families.getFirst()) ? "IPv6" : "IPv4");
      }
      return;
    }
    if (policy.equals("RequireDualStack")) {
      errors.invalid(
          SPEC.child("ipFamilyPolicy"),
          policy,
          "this cluster is not configured for dual-stack services");
    }
    for (int i = 0; i < families.size(); i++) {
      if (!"IPv4".equals(families.get(i))) {
        errors.invalid(
            SPEC.child("ipFamilies").index(i), families.get(i), "not configured on this cluster");
      }
    }
    errors.throwIfAny(Resource.SERVICES, service.textOrEmpty("metadata", "name"));
  }

  private void clusterIps() {
    var spec = service.child("spec");
    if (!needsAddress(spec) || isHeadless(spec)) {
      return;
    }
    var wanted = spec.textOrEmpty("clusterIP");
    var held = old == null ? List.of() : old.list("spec", "clusterIPs");
    if (wanted.isEmpty()) {
      var address = hold.takeAddress();
      spec.put("clusterIP", address).put("clusterIPs", List.of(address));
    } else if (!held.contains(wanted) && (old == null || held.isEmpty())) {
      var refused = hold.takeAddress(wanted);
      if (!refused.isEmpty()) {
        throw ServiceAddresses.invalid(
            service,
            SPEC.child("clusterIPs"),
            spec.list("clusterIPs"),
            "failed to allocate IP " + wanted + ": " + refused);
      }
    }
  }

  private void nodePorts() {
    var spec = service.child("spec");
    var type = spec.textOrEmpty("type");
    var held = old == null ? List.<Long>of() : ServiceAddresses.nodePorts(old);
    if (type.equals("NodePort") || type.equals("LoadBalancer")) {
      var byPort = new HashMap<Long, Long>();
      var ports = spec.trees("ports");
      for (int i = 0; i < ports.size(); i++) {
        nodePort(ports.get(i), held, byPort, SPEC.child("ports").index(i).child("nodePort"));
      }
    }
    if (needsHealthCheck(spec)) {
      long wanted = spec.number(0, "healthCheckNodePort");
      if (wanted == 0) {
        spec.put("healthCheckNodePort", hold.takePort());
      } else if (!held.contains(wanted)) {
        refuse(hold.takePort(wanted), wanted, SPEC.child("healthCheckNodePort"));
      }
    }
  }

  // A port over TCP and the same over UDP share a node port.
  private void nodePort(Tree port, List<Long> held, Map<Long, Long> byPort, FieldPath path) {
    long wanted = port.number(0, "nodePort");
    long number = port.number(0, "port");
    var shared = byPort.get(number);
    if (wanted == 0) {
      if (needsNodePorts(service.treeOrEmpty("spec"))) {
        long taken = shared == null ? hold.takePort() : shared;
        port.put("nodePort", taken);
        byPort.put(number, taken);
      }
    } else {
      if (!held.contains(wanted) && (shared == null || shared != wanted)) {
        refuse(hold.takePort(wanted), wanted, path);
      }
      byPort.putIfAbsent(number, wanted);
    }
  }

  private void refuse(String why, long port, FieldPath path) {
    if (!why.isEmpty()) {
      throw ServiceAddresses.invalid(service, path, port, why);
    }
  }

  @Override
  public void keep() {
    kept = !dryRun;
    if (kept && old != null) {
      addresses.release(old, service);
    }
  }

  @Override
  public void close() {
    if (!kept) {
      hold.giveBack();
    }
  }
}
