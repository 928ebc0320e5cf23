package io.berth.kinds.core;

import io.berth.api.FieldError;
import io.berth.api.Resource;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IpAddresses;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Nodes.
///
/// Mirrors: registry/core/node.nodeStrategy, core/validation.ValidateNode
public final class NodeStrategy extends PlainStrategy {

  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
  private static final String ROLE_LABEL = "kubernetes.io/role";
  private static final Pattern FEATURE = Pattern.compile("([A-Z][A-Za-z0-9]*)(/[A-Za-z0-9]+)*+");
  private static final int MAX_FEATURE = 253;

  public NodeStrategy() {
    super(Resource.NODES);
  }

  @Override
  public void setDefaults(Tree node) {
    var status = node.child("status");
    var capacity = status.tree("capacity");
    ResourceList.roundUp(capacity);
    ResourceList.roundUp(status.tree("allocatable"));
    if (capacity != null && status.get("allocatable") == null) {
      status.put("allocatable", capacity.copy());
    }
    status.putIfAbsent("daemonEndpoints", Tree.of("kubeletEndpoint", Tree.of("Port", 0)));
    if (status.get("nodeInfo") == null) {
      status.put("nodeInfo", emptyNodeInfo());
    }
    podCidrs(node.child("spec"));
  }

  // Kubernetes always writes the fields of this struct.
  private static Tree emptyNodeInfo() {
    var info = new Tree();
    for (var field :
        List.of(
            "machineID",
            "systemUUID",
            "bootID",
            "kernelVersion",
            "osImage",
            "containerRuntimeVersion",
            "kubeletVersion",
            "kubeProxyVersion",
            "operatingSystem",
            "architecture")) {
      info.put(field, "");
    }
    return info;
  }

  // The single block is the older field and wins where the two disagree.
  private static void podCidrs(Tree spec) {
    var one = spec.textOrEmpty("podCIDR");
    var all = spec.list("podCIDRs");
    if (!one.isEmpty() && (all.isEmpty() || !one.equals(all.getFirst()))) {
      spec.put("podCIDRs", List.of(one));
    } else if (one.isEmpty() && !all.isEmpty()) {
      spec.put("podCIDR", all.getFirst());
    }
  }

  @Override
  public void prepareForCreate(Tree node, Write write) {
    node.child("spec").remove("configSource");
    node.child("status").remove("config");
    node.child("spec").remove("podPreemptionPolicy");
  }

  @Override
  public void validateCreate(Cursor node) {
    super.validateCreate(node);
    Tolerations.validateTaints(taints(node));
    statusFields(node.at("status"));
    var cidrs = node.at("spec", "podCIDRs");
    var all = cidrs.each();
    var bad = all.stream().filter(cidr -> !IpAddresses.validateCidr(cidr, List.of())).toList();
    if (all.size() > 1 && !bad.isEmpty()) {
      badCidr(cidrs, bad.getFirst());
    }
    boolean dual =
        all.size() == 2 && all.get(0).text().contains(":") != all.get(1).text().contains(":");
    if (all.size() > 1 && !dual) {
      cidrs.invalid("may specify no more than one CIDR for each IP family");
    }
  }

  // As in Kubernetes, which looks for them in the metadata.
  private static Cursor taints(Cursor node) {
    return node.at("metadata", "taints").with(node.at("spec", "taints").value());
  }

  @Override
  public List<String> warningsOnCreate(Tree node) {
    return warnings(node);
  }

  @Override
  public List<String> warningsOnUpdate(Tree node, Tree old) {
    return warnings(node);
  }

  private static List<String> warnings(Tree node) {
    var warnings = new ArrayList<String>();
    if (node.at("spec", "configSource") != null) {
      warnings.add("spec.configSource: the feature is removed");
    }
    if (!node.textOrEmpty("spec", "externalID").isEmpty()) {
      warnings.add("spec.externalID: this field is deprecated, and is unused by Kubernetes");
    }
    return warnings;
  }

  private static void badCidr(Cursor cidrs, Cursor first) {
    cidrs
        .errors()
        .add(
            FieldError.internal(
                cidrs.path(),
                "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[%d]:"
                        .formatted(first.index())
                    + " <nil> (invalid CIDR address: %s)".formatted(first.text())));
  }

  private static void statusFields(Cursor status) {
    for (var list : status.fields("capacity", "allocatable")) {
      for (var name : list.tree().names()) {
        ResourceNames.validateAmount(name, list.at(name));
      }
    }
    features(status.each("declaredFeatures"));
  }

  private static void features(List<Cursor> features) {
    Cursor before = null;
    for (var feature : features) {
      if (before != null && before.text().equals(feature.text())) {
        feature.duplicate();
      } else if (before != null && before.text().compareTo(feature.text()) > 0) {
        feature.invalid("list must be sorted alphabetically");
      }
      feature(feature);
      before = feature;
    }
  }

  private static void feature(Cursor feature) {
    if (feature.text().length() > MAX_FEATURE) {
      feature.invalid(
          "invalid feature name \"%s\": must be no more than 253 characters"
              .formatted(feature.text()));
    } else if (!FEATURE.matcher(feature.text()).matches()) {
      feature.invalid(
          ("invalid feature name \"%s\": must start with an UpperCamelCase segment, with"
                  + " subsequent segments separated by '/' (e.g., MyFeature or"
                  + " MyFeature/mySubFeature), and contain only alphanumeric characters and"
                  + " slashes")
              .formatted(feature.text()));
    }
  }

  @Override
  public void prepareForUpdate(Tree node, Tree old, Write write) {
    Fields.keep(node, old, "status");
    Fields.keepAt(node, old, "spec", "configSource");
    node.child("spec").remove("podPreemptionPolicy");
  }

  @Override
  public void validateUpdate(Cursor node, Tree old) {
    validateCreate(node);
    validateChange(node, old);
    if (Fields.differs(node.tree(), old, "spec", "externalID")) {
      node.at("spec", "externalID").forbidden("may not be updated");
    }
  }

  private static void validateChange(Cursor node, Tree old) {
    ObjectMeta.validateUpdate(node, old);
    statusFields(node.at("status"));
    addresses(node.at("status").each("addresses"));
    if (!old.list("spec", "podCIDRs").isEmpty()
        && Fields.differs(node.tree(), old, "spec", "podCIDRs")) {
      node.at("spec", "podCIDRs")
          .forbidden("node updates may not change podCIDR except from \"\" to valid");
    }
    var before = old.textOrEmpty("spec", "providerID");
    var provider = node.at("spec", "providerID");
    if (!before.isEmpty() && !provider.is(before)) {
      provider.invalid(
          null,
          provider.isEmpty()
              ? "field cannot be cleared once set"
              : "field cannot be modified once set");
    }
    Tolerations.validateTaints(taints(node));
  }

  private static void addresses(List<Cursor> addresses) {
    var seen = new HashSet<Tree>();
    for (var address : addresses) {
      if (!seen.add(address.tree())) {
        address.duplicate(
            Tree.of("Type", address.text("type"), "Address", address.text("address")));
      }
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of(
        "status",
        new StatusRules() {
          @Override
          public void validateUpdate(Cursor node, Tree old) {
            validateChange(node, old);
          }
        });
  }

  @Override
  public List<@Nullable Object> cells(Tree node, Instant now) {
    var info = node.treeOrEmpty("status", "nodeInfo");
    var architecture = info.textOrEmpty("architecture");
    var kernel = orUnknown(info.textOrEmpty("kernelVersion"));
    return Cells.row(
        Cells.name(node),
        status(node),
        Cells.orNone(String.join(",", roles(node))),
        Cells.age(node, now),
        info.textOrEmpty("kubeletVersion"),
        address(node, "InternalIP"),
        address(node, "ExternalIP"),
        orUnknown(info.textOrEmpty("osImage")),
        architecture.isEmpty() ? kernel : kernel + " (" + architecture + ")",
        orUnknown(info.textOrEmpty("containerRuntimeVersion")));
  }

  private static String orUnknown(String text) {
    return text.isEmpty() ? Cells.UNKNOWN : text;
  }

  private static String status(Tree node) {
    var words = new ArrayList<String>();
    for (var condition : node.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("Ready")) {
        words.clear();
        words.add(condition.textOrEmpty("status").equals("True") ? "Ready" : "NotReady");
      }
    }
    if (words.isEmpty()) {
      words.add("Unknown");
    }
    if (node.flag("spec", "unschedulable")) {
      words.add("SchedulingDisabled");
    }
    return String.join(",", words);
  }

  private static Set<String> roles(Tree node) {
    var roles = new TreeSet<String>();
    node.texts("metadata", "labels")
        .forEach((key, value) -> {
          if (key.startsWith(ROLE_PREFIX) && key.length() > ROLE_PREFIX.length()) {
            roles.add(key.substring(ROLE_PREFIX.length()));
          } else if (key.equals(ROLE_LABEL) && !value.isEmpty()) {
            roles.add(value);
          }
        });
    return roles;
  }

  private static String address(Tree node, String type) {
    for (var address : node.trees("status", "addresses")) {
      if (address.textOrEmpty("type").equals(type)) {
        return address.textOrEmpty("address");
      }
    }
    return Cells.NONE;
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.unschedulable");
  }

  @Override
  public String fieldValue(Tree node, String label) {
    return String.valueOf(node.flag("spec", "unschedulable"));
  }
}
