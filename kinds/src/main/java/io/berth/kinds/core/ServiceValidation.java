package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of services.
///
/// Mirrors: core/validation.validateService, ValidateServiceUpdate
final class ServiceValidation {

  static final List<String> TRAFFIC_POLICIES = List.of("Cluster", "Local");
  private static final List<String> FAMILIES = List.of("IPv4", "IPv6");
  private static final List<String> DISTRIBUTIONS =
      List.of("PreferClose", "PreferSameZone", "PreferSameNode");
  private static final String ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'";
  private static final String SOURCE_RANGES =
      "service.beta.kubernetes.io/load-balancer-source-ranges";
  private static final String UNCHANGEABLE = "may not change once set";
  private static final int MAX_AFFINITY_SECONDS = 86400;

  private final Cursor service;
  private final Cursor spec;
  private final @Nullable Tree old;
  private final String type;

  ServiceValidation(Cursor service, @Nullable Tree old) {
    this.service = service;
    this.spec = service.at("spec");
    this.old = old;
    this.type = spec.text("type");
  }

  void all() {
    boolean headless = isHeadless(spec.tree());
    var ports = spec.each("ports");
    if (!headless && !type.equals("ExternalName")) {
      spec.at("ports").required();
    }
    byType(headless);
    var names = new HashSet<String>();
    ports.forEach(port -> port(port, ports.size() > 1, names));
    ObjectMeta.validateLabels(spec.at("selector"));
    affinity();
    clusterIps(spec, old);
    externalIps();
    spec.at("type").oneOf();
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
          spec.at("clusterIPs")
              .element(0)
              .invalid("may not be set to 'None' for " + type + " services");
        }
      }
      case "ExternalName" -> {
        for (var field : spec.fields("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
          if (field.isSet() && !List.of().equals(field.value())) {
            field.forbidden("may not be set for ExternalName services");
          }
        }
        var name = spec.text("externalName");
        spec.at("externalName")
            .with(name.endsWith(".") ? name.substring(0, name.length() - 1) : name)
            .required()
            .follows(Names::dnsSubdomain);
      }
      default -> {}
    }
  }

  private static void port(Cursor port, boolean named, Set<String> names) {
    if (named) {
      port.at("name").required();
    }
    port.at("name").ifFilled().follows(Names::dnsLabel).unique(names);
    port.at("port").port();
    port.at("protocol").oneOf();
    HandlerValidation.port(port.at("targetPort"));
    port.at("appProtocol").ifSet().follows(Names::qualifiedName);
  }

  private void affinity() {
    var affinity = spec.at("sessionAffinity").oneOf();
    var config = spec.at("sessionAffinityConfig");
    if (affinity.is("None")) {
      config.ifSet().forbidden("must not be set when session affinity is None");
    }
    var timeout = config.at("clientIP", "timeoutSeconds").ifSet();
    if (affinity.is("ClientIP")
        && (timeout.number() <= 0 || timeout.number() > MAX_AFFINITY_SECONDS)) {
      timeout.invalid("must be greater than 0 and less than " + MAX_AFFINITY_SECONDS);
    }
  }

  static void clusterIps(Cursor spec, @Nullable Tree old) {
    if (spec.text("type").equals("ExternalName")) {
      return;
    }
    var addresses = spec.at("clusterIPs");
    var single = spec.text("clusterIP");
    if (single.isEmpty()) {
      addresses.ifFilled().invalid("must be empty when `clusterIP` is not specified");
    } else if (addresses.required().isSet() && !addresses.element(0).is(single)) {
      addresses.invalid("first value must match `clusterIP`");
    }
    families(spec);
    int size = addresses.list().size();
    var stored = stored(old, "clusterIPs");
    for (var address : addresses.each()) {
      if (address.index() > 0 || !address.is("None")) {
        IpAddresses.validate(address, stored);
      } else if (size > 1) {
        addresses.invalid("'None' must be the first and only value");
      }
    }
    if (size > 2) {
      addresses.invalid("may only hold up to 2 values");
    }
  }

  private static List<String> stored(@Nullable Tree old, String list) {
    return old == null ? List.of() : old.list("spec", list).stream().map(String::valueOf).toList();
  }

  private static void families(Cursor spec) {
    var seen = new HashSet<String>();
    spec.each("ipFamilies", family -> family.supported(FAMILIES).unique(seen));
    spec.at("ipFamilyPolicy").ifSet().supported();
  }

  private void externalIps() {
    var stored = stored(old, "externalIPs");
    for (var address : spec.each("externalIPs")) {
      int before = address.errors().size();
      IpAddresses.validate(address, stored);
      if (address.errors().size() == before) {
        IpAddresses.validateReachable(address);
      }
    }
  }

  private void portsAreDistinct(List<Cursor> ports) {
    for (var port : ports) {
      if (port.number("nodePort") != 0 && type.equals("ClusterIP")) {
        port.at("nodePort").forbidden("may not be used when `type` is 'ClusterIP'");
      }
    }
    var nodePorts = new HashSet<String>();
    for (var port : ports) {
      long nodePort = port.number("nodePort");
      if (nodePort != 0 && !nodePorts.add(port.text("protocol") + nodePort)) {
        port.at("nodePort").duplicate();
      }
    }
    var seen = new HashSet<String>();
    for (var port : ports) {
      if (!seen.add(port.text("protocol") + port.number("port"))) {
        port.duplicate(shown(port.tree()));
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
    var annotation = service.at("metadata", "annotations").key(SOURCE_RANGES);
    var ranges =
        spec.at("LoadBalancerSourceRanges").with(spec.at("loadBalancerSourceRanges").value());
    if (!ranges.isEmpty()) {
      forbidUnless(balanced, ranges);
      ranges.each().forEach(range -> IpAddresses.validateCidr(range.stripped(), List.of()));
    } else if (annotation.isSet()) {
      forbidUnless(balanced, annotation);
      for (var range :
          annotation.text().isBlank() ? new String[0] : annotation.text().split(",", -1)) {
        IpAddresses.validateCidr(annotation.with(range.strip()), List.of());
      }
    }
    forbidUnless(balanced, spec.at("allocateLoadBalancerNodePorts"));
    var balancer = spec.at("loadBalancerClass").ifSet();
    forbidUnless(balanced, balancer);
    if (balanced) {
      balancer.follows(Names::qualifiedName);
    }
  }

  private static void forbidUnless(boolean balanced, Cursor field) {
    if (!balanced) {
      field.ifSet().forbidden(ONLY_BALANCED);
    }
  }

  static boolean isExternal(Tree spec) {
    var type = spec.textOrEmpty("type");
    return type.equals("LoadBalancer")
        || type.equals("NodePort")
        || (type.equals("ClusterIP") && !spec.list("externalIPs").isEmpty());
  }

  private void traffic() {
    var external = spec.at("externalTrafficPolicy");
    if (isExternal(spec.tree())) {
      external.oneOf();
    } else {
      external.ifFilled().invalid("may only be set for externally-accessible services");
    }
    var health = spec.at("healthCheckNodePort");
    if (!ServiceAllocation.needsHealthCheck(spec.tree())) {
      if (health.number() != 0) {
        health.invalid(
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
      }
    } else if (health.number() == 0) {
      health.missing();
    } else {
      health.port();
    }
    var internal = spec.at("internalTrafficPolicy");
    internal.ifSet().supported();
    if (!internal.isSet() && List.of("ClusterIP", "NodePort", "LoadBalancer").contains(type)) {
      internal.missing();
    }
    spec.at("trafficDistribution").ifSet().supported(DISTRIBUTIONS);
  }

  /// What a change may not do.
  void update(Tree before) {
    ObjectMeta.validateUpdate(service, before);
    var was = before.treeOrEmpty("spec");
    var now = spec.tree();
    if (ServiceAllocation.needsAddress(now) && ServiceAllocation.needsAddress(was)) {
      addressesStay(was);
    }
    if (type.equals("LoadBalancer")
        && was.textOrEmpty("type").equals("LoadBalancer")
        && Fields.differs(now, was, "loadBalancerClass")) {
      spec.at("loadBalancerClass").invalid(UNCHANGEABLE);
    }
    if (ServiceAllocation.needsHealthCheck(now)
        && ServiceAllocation.needsHealthCheck(was)
        && Fields.differs(now, was, "healthCheckNodePort")) {
      spec.at("healthCheckNodePort").forbidden("field is immutable");
    }
  }

  private void addressesStay(Tree was) {
    boolean headless = isHeadless(spec.tree());
    boolean wasHeadless = isHeadless(was);
    var field = spec.at("clusterIPs");
    var addresses = field.list();
    var before = was.list("clusterIPs");
    if (!(headless && wasHeadless)) {
      if (addresses.isEmpty() && !before.isEmpty()) {
        field.element(0).invalid(addresses, "primary clusterIP can not be unset");
      }
      for (int i = 0; i < Math.min(addresses.size(), before.size()); i++) {
        boolean compared = addresses.size() == before.size() || i == 0;
        if (compared && !Objects.equals(before.get(i), addresses.get(i))) {
          field.element(i).invalid(addresses, UNCHANGEABLE);
        }
      }
    }
    var families = spec.at("ipFamilies");
    if (!headless
        && !wasHeadless
        && !families.isEmpty()
        && !was.list("ipFamilies").isEmpty()
        && !Objects.equals(families.element(0).value(), was.list("ipFamilies").getFirst())) {
      families.element(0).invalid(families.value(), UNCHANGEABLE);
    }
  }
}
