package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of services.
final class ServiceValidation {

  static final List<String> TRAFFIC_POLICIES = List.of("Cluster", "Local");
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final String ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'";
  private static final String SOURCE_RANGES =
      "service.beta.kubernetes.io/load-balancer-source-ranges";
  private static final String UNCHANGEABLE = "may not change once set";
  private static final int MAX_AFFINITY_SECONDS = 86400;

  private final Tree service;
  private final Tree spec;
  private final @Nullable Tree old;
  private final FieldErrors errors;
  private final String type;

  ServiceValidation(Tree service, @Nullable Tree old, FieldErrors errors) {
    this.service = service;
    this.spec = service.treeOrEmpty("spec");
    this.old = old;
    this.errors = errors;
    this.type = spec.textOrEmpty("type");
  }

  void all() {
    boolean headless = isHeadless(spec);
    var ports = spec.trees("ports");
    if (ports.isEmpty() && !headless && !type.equals("ExternalName")) {
      errors.required(SPEC.child("ports"));
    }
    byType(headless);
    var names = new HashSet<String>();
    for (int i = 0; i < ports.size(); i++) {
      port(ports.get(i), ports.size() > 1, names, SPEC.child("ports").index(i));
    }
    ObjectMeta.validateLabels(spec.texts("selector"), SPEC.child("selector"), errors);
    affinity();
    clusterIps(spec, old, errors);
    externalIps();
    Checks.oneOf(
        SPEC.child("type"),
        type,
        List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort"),
        errors);
    portsAreDistinct(ports);
    balancer();
    traffic();
  }

  static boolean isHeadless(Tree spec) {
    return spec.list("clusterIPs").size() == 1 && "None".equals(spec.list("clusterIPs").getFirst());
  }

  private void byType(boolean headless) {
    switch (type) {
      case "LoadBalancer", "NodePort" -> {
        if (headless) {
          errors.invalid(
              SPEC.child("clusterIPs").index(0),
              "None",
              "may not be set to 'None' for " + type + " services");
        }
      }
      case "ExternalName" -> {
        for (var field : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
          if (spec.get(field) != null && !List.of().equals(spec.get(field))) {
            errors.forbidden(SPEC.child(field), "may not be set for ExternalName services");
          }
        }
        var name = spec.textOrEmpty("externalName");
        var bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (Checks.required(SPEC.child("externalName"), bare, errors)) {
          Checks.dnsSubdomain(SPEC.child("externalName"), bare, errors);
        }
      }
      default -> {}
    }
  }

  private void port(Tree port, boolean named, Set<String> names, FieldPath path) {
    var name = port.textOrEmpty("name");
    if (name.isEmpty()) {
      if (named) {
        errors.required(path.child("name"));
      }
    } else {
      Checks.dnsLabel(path.child("name"), name, errors);
      if (!names.add(name)) {
        errors.duplicate(path.child("name"), name);
      }
    }
    long number = port.number(0, "port");
    Checks.complaints(path.child("port"), number, Names.portNumber(number), errors);
    Checks.oneOf(
        path.child("protocol"),
        port.textOrEmpty("protocol"),
        List.of("SCTP", "TCP", "UDP"),
        errors);
    HandlerValidation.port(port.get("targetPort"), path.child("targetPort"), errors);
    if (port.get("appProtocol") instanceof String protocol) {
      Checks.qualifiedName(path.child("appProtocol"), protocol, errors);
    }
  }

  private void affinity() {
    var affinity = spec.textOrEmpty("sessionAffinity");
    Checks.oneOf(SPEC.child("sessionAffinity"), affinity, List.of("ClientIP", "None"), errors);
    var path = SPEC.child("sessionAffinityConfig");
    if (affinity.equals("None") && spec.get("sessionAffinityConfig") != null) {
      errors.forbidden(path, "must not be set when session affinity is None");
    }
    if (affinity.equals("ClientIP")) {
      var seconds = spec.at("sessionAffinityConfig", "clientIP", "timeoutSeconds");
      if (seconds instanceof Long timeout && (timeout <= 0 || timeout > MAX_AFFINITY_SECONDS)) {
        errors.invalid(
            path.child("clientIP", "timeoutSeconds"),
            timeout,
            "must be greater than 0 and less than " + MAX_AFFINITY_SECONDS);
      }
    }
  }

  static void clusterIps(Tree spec, @Nullable Tree old, FieldErrors errors) {
    if (spec.textOrEmpty("type").equals("ExternalName")) {
      return;
    }
    var path = SPEC.child("clusterIPs");
    var single = spec.textOrEmpty("clusterIP");
    var all = spec.list("clusterIPs").stream().map(String::valueOf).toList();
    if (!single.isEmpty()) {
      if (all.isEmpty()) {
        errors.required(path);
      } else if (!all.getFirst().equals(single)) {
        errors.invalid(path, all, "first value must match `clusterIP`");
      }
    } else if (!all.isEmpty()) {
      errors.invalid(path, all, "must be empty when `clusterIP` is not specified");
    }
    families(spec, errors);
    var stored =
        old == null
            ? List.<String>of()
            : old.list("spec", "clusterIPs").stream().map(String::valueOf).toList();
    for (int i = 0; i < all.size(); i++) {
      if (i == 0 && all.get(i).equals("None")) {
        if (all.size() > 1) {
          errors.invalid(path, all, "'None' must be the first and only value");
        }
      } else {
        IpAddresses.validate(path.index(i), all.get(i), stored, errors);
      }
    }
    if (all.size() > 2) {
      errors.invalid(path, all, "may only hold up to 2 values");
    }
  }

  private static void families(Tree spec, FieldErrors errors) {
    var seen = new HashSet<String>();
    var families = spec.list("ipFamilies");
    for (int i = 0; i < families.size(); i++) {
      var family = String.valueOf(families.get(i));
      Checks.supported(SPEC.child("ipFamilies").index(i), family, List.of("IPv4", "IPv6"), errors);
      if (!seen.add(family)) {
        errors.duplicate(SPEC.child("ipFamilies").index(i), family);
      }
    }
    if (spec.get("ipFamilyPolicy") instanceof String policy) {
      Checks.supported(
          SPEC.child("ipFamilyPolicy"),
          policy,
          List.of("PreferDualStack", "RequireDualStack", "SingleStack"),
          errors);
    }
  }

  private void externalIps() {
    var stored =
        old == null
            ? List.<String>of()
            : old.list("spec", "externalIPs").stream().map(String::valueOf).toList();
    var all = spec.list("externalIPs");
    for (int i = 0; i < all.size(); i++) {
      int before = errors.size();
      var path = SPEC.child("externalIPs").index(i);
      IpAddresses.validate(path, String.valueOf(all.get(i)), stored, errors);
      if (errors.size() == before) {
        IpAddresses.validateReachable(path, String.valueOf(all.get(i)), errors);
      }
    }
  }

  private void portsAreDistinct(List<Tree> ports) {
    var nodePorts = new HashSet<String>();
    for (int i = 0; i < ports.size(); i++) {
      long nodePort = ports.get(i).number(0, "nodePort");
      var path = SPEC.child("ports").index(i).child("nodePort");
      if (nodePort != 0 && type.equals("ClusterIP")) {
        errors.forbidden(path, "may not be used when `type` is 'ClusterIP'");
      }
    }
    for (int i = 0; i < ports.size(); i++) {
      long nodePort = ports.get(i).number(0, "nodePort");
      if (nodePort != 0 && !nodePorts.add(ports.get(i).textOrEmpty("protocol") + nodePort)) {
        errors.duplicate(SPEC.child("ports").index(i).child("nodePort"), nodePort);
      }
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < ports.size(); i++) {
      var port = ports.get(i);
      if (!seen.add(port.textOrEmpty("protocol") + port.number(0, "port"))) {
        errors.duplicate(SPEC.child("ports").index(i), shown(port));
      }
    }
  }

  private static Tree shown(Tree port) {
    return Tree.of(
        "Name",
        "",
        "Protocol",
        port.textOrEmpty("protocol"),
        "AppProtocol",
        null,
        "Port",
        port.number(0, "port"),
        "TargetPort",
        0,
        "NodePort",
        0);
  }

  private void balancer() {
    boolean balanced = type.equals("LoadBalancer");
    var ranges = spec.list("loadBalancerSourceRanges");
    var annotation = service.texts("metadata", "annotations").get(SOURCE_RANGES);
    if (!ranges.isEmpty()) {
      var path = SPEC.child("LoadBalancerSourceRanges");
      if (!balanced) {
        errors.forbidden(path, ONLY_BALANCED);
      }
      for (int i = 0; i < ranges.size(); i++) {
        IpAddresses.validateCidr(
            path.index(i), String.valueOf(ranges.get(i)).strip(), List.of(), errors);
      }
    } else if (annotation != null) {
      var path = ObjectMeta.PATH.child("annotations").key(SOURCE_RANGES);
      if (!balanced) {
        errors.forbidden(path, ONLY_BALANCED);
      }
      for (var range : annotation.isBlank() ? new String[0] : annotation.split(",", -1)) {
        IpAddresses.validateCidr(path, range.strip(), List.of(), errors);
      }
    }
    if (!balanced && spec.get("allocateLoadBalancerNodePorts") != null) {
      errors.forbidden(SPEC.child("allocateLoadBalancerNodePorts"), ONLY_BALANCED);
    }
    balancerClass(balanced);
  }

  private void balancerClass(boolean balanced) {
    var path = SPEC.child("loadBalancerClass");
    if (spec.get("loadBalancerClass") instanceof String name) {
      if (balanced) {
        Checks.qualifiedName(path, name, errors);
      } else {
        errors.forbidden(path, ONLY_BALANCED);
      }
    }
  }

  static boolean isExternal(Tree spec) {
    var type = spec.textOrEmpty("type");
    return type.equals("LoadBalancer")
        || type.equals("NodePort")
        || (type.equals("ClusterIP") && !spec.list("externalIPs").isEmpty());
  }

  private void traffic() {
    var policy = spec.textOrEmpty("externalTrafficPolicy");
    var path = SPEC.child("externalTrafficPolicy");
    if (isExternal(spec)) {
      Checks.oneOf(path, policy, List.of("Cluster", "Local"), errors);
    } else if (!policy.isEmpty()) {
      errors.invalid(path, policy, "may only be set for externally-accessible services");
    }
    long health = spec.number(0, "healthCheckNodePort");
    var healthPath = SPEC.child("healthCheckNodePort");
    if (ServiceAllocation.needsHealthCheck(spec)) {
      if (health == 0) {
        errors.required(healthPath);
      } else {
        Checks.complaints(healthPath, health, Names.portNumber(health), errors);
      }
    } else if (health != 0) {
      errors.invalid(
          healthPath,
          health,
          "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
    }
    if (spec.get("internalTrafficPolicy") instanceof String internal) {
      Checks.supported(SPEC.child("internalTrafficPolicy"), internal, TRAFFIC_POLICIES, errors);
    } else if (List.of("ClusterIP", "NodePort", "LoadBalancer").contains(type)) {
      errors.required(SPEC.child("internalTrafficPolicy"));
    }
    if (spec.get("trafficDistribution") instanceof String distribution) {
      Checks.supported(
          SPEC.child("trafficDistribution"),
          distribution,
          List.of("PreferClose", "PreferSameZone", "PreferSameNode"),
          errors);
    }
  }

  /// What a change may not do.
  void update(Tree before) {
    ObjectMeta.validateUpdate(service, before, errors);
    var was = before.treeOrEmpty("spec");
    if (ServiceAllocation.needsAddress(spec) && ServiceAllocation.needsAddress(was)) {
      addressesStay(was);
    }
    if (type.equals("LoadBalancer")
        && was.textOrEmpty("type").equals("LoadBalancer")
        && Fields.differs(spec, was, "loadBalancerClass")) {
      errors.invalid(SPEC.child("loadBalancerClass"), spec.get("loadBalancerClass"), UNCHANGEABLE);
    }
    if (ServiceAllocation.needsHealthCheck(spec)
        && ServiceAllocation.needsHealthCheck(was)
        && Fields.differs(spec, was, "healthCheckNodePort")) {
      errors.forbidden(SPEC.child("healthCheckNodePort"), "field is immutable");
    }
  }

  private void addressesStay(Tree was) {
    boolean headless = isHeadless(spec);
    boolean wasHeadless = isHeadless(was);
    var path = SPEC.child("clusterIPs");
    var addresses = spec.list("clusterIPs");
    var before = was.list("clusterIPs");
    if (!(headless && wasHeadless)) {
      if (addresses.isEmpty() && !before.isEmpty()) {
        errors.invalid(path.index(0), addresses, "primary clusterIP can not be unset");
      }
      for (int i = 0; i < Math.min(addresses.size(), before.size()); i++) {
        boolean compared = addresses.size() == before.size() || i == 0;
        if (compared && !before.get(i).equals(addresses.get(i))) {
          errors.invalid(path.index(i), addresses, UNCHANGEABLE);
        }
      }
    }
    var families = spec.list("ipFamilies");
    if (!headless
        && !wasHeadless
        && !families.isEmpty()
        && !was.list("ipFamilies").isEmpty()
        && !families.getFirst().equals(was.list("ipFamilies").getFirst())) {
      errors.invalid(SPEC.child("ipFamilies").index(0), families, UNCHANGEABLE);
    }
  }
}
