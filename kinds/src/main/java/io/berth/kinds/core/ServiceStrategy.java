package io.berth.kinds.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Reservation;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Services: the only core kind whose objects hold something that must be unique in the cluster.
///
/// Mirrors: registry/core/service.svcStrategy
public final class ServiceStrategy extends PlainStrategy {

  private static final long DEFAULT_AFFINITY_SECONDS = 10800;

  private final ServiceAddresses addresses = new ServiceAddresses();

  public ServiceStrategy() {
    super(Resource.SERVICES, Names.Rule.DNS_LABEL);
  }

  @Override
  public void setDefaults(Tree service) {
    var spec = service.child("spec");
    PodSpecDefaults.text(spec, "sessionAffinity", "None");
    if (spec.textOrEmpty("sessionAffinity").equals("None")) {
      spec.remove("sessionAffinityConfig");
    } else if (spec.textOrEmpty("sessionAffinity").equals("ClientIP")
        && spec.at("sessionAffinityConfig", "clientIP", "timeoutSeconds") == null) {
      spec.putAt(DEFAULT_AFFINITY_SECONDS, "sessionAffinityConfig", "clientIP", "timeoutSeconds");
    }
    PodSpecDefaults.text(spec, "type", "ClusterIP");
    for (var port : spec.trees("ports")) {
      PodSpecDefaults.text(port, "protocol", "TCP");
      var target = port.get("targetPort");
      if (target == null || target.equals(0L) || target.equals("")) {
        port.put("targetPort", port.number(0, "port"));
      }
    }
    if (ServiceValidation.isExternal(spec)) {
      PodSpecDefaults.text(spec, "externalTrafficPolicy", "Cluster");
    }
    var type = spec.textOrEmpty("type");
    if (type.equals("ExternalName")
        && ServiceValidation.TRAFFIC_POLICIES.contains(spec.textOrEmpty("internalTrafficPolicy"))) {
      spec.remove("internalTrafficPolicy");
    }
    if (Set.of("NodePort", "LoadBalancer", "ClusterIP").contains(type)) {
      spec.putIfAbsent("internalTrafficPolicy", "Cluster");
    }
    if (type.equals("LoadBalancer")) {
      spec.putIfAbsent("allocateLoadBalancerNodePorts", true);
      for (var ingress : service.trees("status", "loadBalancer", "ingress")) {
        if (!ingress.textOrEmpty("ip").isEmpty()) {
          ingress.putIfAbsent("ipMode", "VIP");
        }
      }
    }
    service.child("status").child("loadBalancer");
  }

  @Override
  public Reservation reserve(Tree service, @Nullable Tree old, Write write) {
    var allocation = new ServiceAllocation(addresses, service, old, write.dryRun());
    allocation.run();
    return allocation;
  }

  @Override
  public boolean reserves() {
    return true;
  }

  @Override
  public void adopt(Tree service) {
    addresses.adopt(service);
  }

  @Override
  public void afterDelete(Tree service) {
    addresses.release(service, new Tree());
  }

  @Override
  public void prepareForCreate(Tree service, Write write) {
    service.put("status", Tree.of("loadBalancer", new Tree()));
  }

  @Override
  public void validateCreate(Cursor service) {
    super.validateCreate(service);
    new ServiceValidation(service, null).all();
  }

  @Override
  public List<String> warningsOnCreate(Tree service) {
    return warnings(service.treeOrEmpty("spec"));
  }

  @Override
  public List<String> warningsOnUpdate(Tree service, Tree old) {
    return warnings(service.treeOrEmpty("spec"));
  }

  private static List<String> warnings(Tree spec) {
    var warnings = new ArrayList<String>();
    boolean headless = ServiceValidation.isHeadless(spec);
    boolean external = !spec.list("externalIPs").isEmpty();
    var type = spec.textOrEmpty("type");
    if (headless) {
      if (!spec.textOrEmpty("loadBalancerIP").isEmpty()) {
        warnings.add("spec.loadBalancerIP is ignored for headless services");
      }
      if (external) {
        warnings.add("spec.externalIPs is ignored for headless services");
      }
      if (!spec.textOrEmpty("sessionAffinity").equals("None")) {
        warnings.add("spec.SessionAffinity is ignored for headless services");
      }
    }
    if (external && !headless && !type.equals("ExternalName")) {
      warnings.add(
          "spec.externalIPs is deprecated and may no longer be implemented in some clusters");
    }
    if (external && type.equals("ExternalName")) {
      warnings.add("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
    }
    if (!type.equals("ExternalName") && !spec.textOrEmpty("externalName").isEmpty()) {
      warnings.add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
    }
    if (spec.textOrEmpty("trafficDistribution").equals("PreferClose")) {
      warnings.add(
          "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
    }
    return warnings;
  }

  @Override
  public void prepareForUpdate(Tree service, Tree old, Write write) {
    dropWhatTheTypeHasNot(service.child("spec"), old.treeOrEmpty("spec"));
    if (!service.textOrEmpty("spec", "type").equals("LoadBalancer")) {
      service.child("status").put("loadBalancer", new Tree());
    }
  }

  // A changed type must not be refused for values that only the old type could have.
  private static void dropWhatTheTypeHasNot(Tree spec, Tree old) {
    if (ServiceAllocation.needsAddress(old) && !ServiceAllocation.needsAddress(spec)) {
      for (var field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
        drop(spec, old, field);
      }
    }
    // Ports may come and go, as long as none brings a new node port along.
    if (hasNodePorts(old) && !hasNodePorts(spec) && nodePorts(old).containsAll(nodePorts(spec))) {
      spec.trees("ports").forEach(port -> port.remove("nodePort"));
    }
    if (!ServiceAllocation.needsHealthCheck(spec)) {
      drop(spec, old, "healthCheckNodePort");
    }
    if (!spec.textOrEmpty("type").equals("LoadBalancer")) {
      drop(spec, old, "allocateLoadBalancerNodePorts");
      drop(spec, old, "loadBalancerClass");
    }
    if (!ServiceValidation.isExternal(spec)) {
      drop(spec, old, "externalTrafficPolicy");
    }
  }

  private static void drop(Tree spec, Tree old, String field) {
    if (spec.get(field) != null && !Fields.differs(spec, old, field)) {
      spec.remove(field);
    }
  }

  private static boolean hasNodePorts(Tree spec) {
    var type = spec.textOrEmpty("type");
    return type.equals("NodePort") || type.equals("LoadBalancer");
  }

  private static Set<Long> nodePorts(Tree spec) {
    return spec.trees("ports").stream()
        .map(port -> port.number(0, "nodePort"))
        .filter(port -> port != 0)
        .collect(Collectors.toSet());
  }

  @Override
  public void validateUpdate(Cursor service, Tree old) {
    var validation = new ServiceValidation(service, old);
    validation.update(old);
    validation.all();
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of(
        "status",
        new StatusRules() {
          @Override
          public void validateUpdate(Cursor service, Tree old) {
            super.validateUpdate(service, old);
            balancerStatus(service, old);
          }
        });
  }

  private static void balancerStatus(Cursor service, Tree old) {
    var points = service.at("status", "loadBalancer", "ingress");
    if (!service.at("spec").text("type").equals("LoadBalancer")) {
      points.ifFilled().forbidden("may only be used when `spec.type` is 'LoadBalancer'");
      return;
    }
    var stored =
        old.trees("status", "loadBalancer", "ingress").stream()
            .map(each -> each.textOrEmpty("ip"))
            .toList();
    for (var point : points.each()) {
      var ip = point.at("ip").ifFilled();
      var mode = point.at("ipMode");
      ip.ifSet(each -> IpAddresses.validate(each, stored));
      if (!ip.isSet()) {
        mode.ifSet().forbidden("may not be specified when `ip` is not set");
      } else if (mode.isSet()) {
        mode.supported(List.of("Proxy", "VIP"));
      } else {
        mode.missing("must be specified when `ip` is set");
      }
      var hostname = point.at("hostname").ifFilled().follows(Names::dnsSubdomain);
      if (IpAddresses.parse(hostname.text()) != null) {
        hostname.invalid("must be a DNS name, not an IP address");
      }
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree service, Instant now) {
    var spec = service.treeOrEmpty("spec");
    var addressList = spec.list("clusterIPs");
    var ports = new ArrayList<String>();
    for (var port : spec.trees("ports")) {
      long nodePort = port.number(0, "nodePort");
      ports.add(
          port.number(0, "port")
              + (nodePort > 0 ? ":" + nodePort : "")
              + "/"
              + port.textOrEmpty("protocol"));
    }
    var selector = new ArrayList<String>();
    new TreeMap<>(spec.texts("selector")).forEach((key, value) -> selector.add(key + "=" + value));
    return Cells.row(
        Cells.name(service),
        spec.textOrEmpty("type"),
        addressList.isEmpty() ? Cells.NONE : addressList.getFirst(),
        external(service, spec),
        Cells.orNone(String.join(",", ports)),
        Cells.age(service, now),
        Cells.orNone(String.join(",", selector)));
  }

  private static String external(Tree service, Tree spec) {
    var type = spec.textOrEmpty("type");
    if (type.equals("ExternalName")) {
      return spec.textOrEmpty("externalName");
    }
    var all = new ArrayList<String>();
    if (type.equals("LoadBalancer")) {
      var balanced = new TreeSet<String>();
      for (var each : service.trees("status", "loadBalancer", "ingress")) {
        var ip = each.textOrEmpty("ip");
        balanced.add(ip.isEmpty() ? each.textOrEmpty("hostname") : ip);
      }
      balanced.remove("");
      all.addAll(balanced);
    }
    spec.list("externalIPs").forEach(ip -> all.add(String.valueOf(ip)));
    if (all.isEmpty()) {
      return type.equals("LoadBalancer") ? "<pending>" : Cells.NONE;
    }
    return String.join(",", all);
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.clusterIP", "spec.type");
  }
}
