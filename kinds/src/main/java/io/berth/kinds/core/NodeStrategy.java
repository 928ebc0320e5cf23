package io.berth.kinds.core;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
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
  public void validateCreate(Tree node, FieldErrors errors) {
    super.validateCreate(node, errors);
    Tolerations.validateTaints(
        node.trees("spec", "taints"), ObjectMeta.PATH.child("taints"), errors);
    resources(node, errors);
    features(node, errors);
    var cidrs = node.list("spec", "podCIDRs").stream().map(String::valueOf).toList();
    var path = FieldPath.of("spec", "podCIDRs");
    for (int i = 0; i < cidrs.size(); i++) {
      IpAddresses.validateCidr(path.index(i), cidrs.get(i), List.of(), errors);
    }
    if (cidrs.size() > 1) {
      badCidr(cidrs, path, errors);
    }
    boolean dual = cidrs.size() == 2 && cidrs.get(0).contains(":") != cidrs.get(1).contains(":");
    if (cidrs.size() > 1 && !dual) {
      errors.invalid(path, cidrs, "may specify no more than one CIDR for each IP family");
    }
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

  private static void badCidr(List<String> cidrs, FieldPath path, FieldErrors errors) {
    for (int i = 0; i < cidrs.size(); i++) {
      var wrong = new FieldErrors();
      IpAddresses.validateCidr(path.index(i), cidrs.get(i), List.of(), wrong);
      if (!wrong.isEmpty()) {
        errors.add(
            FieldError.internal(
                path,
                "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[%d]:"
                        .formatted(i)
                    + " <nil> (invalid CIDR address: %s)".formatted(cidrs.get(i))));
        return;
      }
    }
  }

  private static void resources(Tree node, FieldErrors errors) {
    for (var list : List.of("capacity", "allocatable")) {
      ResourceList.read(node.tree("status", list))
          .forEach((name, amount) ->
              ResourceNames.validateAmount(
                  name, amount, FieldPath.of("status", list, name), errors));
    }
  }

  private static void features(Tree node, FieldErrors errors) {
    var features = node.list("status", "declaredFeatures").stream().map(String::valueOf).toList();
    var path = FieldPath.of("status", "declaredFeatures");
    for (int i = 0; i < features.size(); i++) {
      var feature = features.get(i);
      if (feature.length() > MAX_FEATURE) {
        errors.invalid(
            path.index(i),
            feature,
            "invalid feature name \"%s\": must be no more than 253 characters".formatted(feature));
      } else if (!FEATURE.matcher(feature).matches()) {
        errors.invalid(
            path.index(i),
            feature,
            ("invalid feature name \"%s\": must start with an UpperCamelCase segment, with"
                    + " subsequent segments separated by '/' (e.g., MyFeature or"
                    + " MyFeature/mySubFeature), and contain only alphanumeric characters and"
                    + " slashes")
                .formatted(feature));
      }
      if (i + 1 < features.size()) {
        var next = features.get(i + 1);
        if (feature.equals(next)) {
          errors.duplicate(path.index(i + 1), next);
        } else if (feature.compareTo(next) > 0) {
          errors.invalid(path.index(i + 1), next, "list must be sorted alphabetically");
        }
      }
    }
  }

  @Override
  public void prepareForUpdate(Tree node, Tree old, Write write) {
    Fields.keep(node, old, "status");
    Fields.keepAt(node, old, "spec", "configSource");
    node.child("spec").remove("podPreemptionPolicy");
  }

  @Override
  public void validateUpdate(Tree node, Tree old, FieldErrors errors) {
    validateCreate(node, errors);
    validateChange(node, old, errors);
    if (Fields.differs(node, old, "spec", "externalID")) {
      errors.forbidden(FieldPath.of("spec", "externalID"), "may not be updated");
    }
  }

  private static void validateChange(Tree node, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(node, old, errors);
    resources(node, errors);
    features(node, errors);
    addresses(node, errors);
    if (!old.list("spec", "podCIDRs").isEmpty() && Fields.differs(node, old, "spec", "podCIDRs")) {
      errors.forbidden(
          FieldPath.of("spec", "podCIDRs"),
          "node updates may not change podCIDR except from \"\" to valid");
    }
    var provider = old.textOrEmpty("spec", "providerID");
    var now = node.textOrEmpty("spec", "providerID");
    if (!provider.isEmpty() && !now.equals(provider)) {
      errors.invalid(
          FieldPath.of("spec", "providerID"),
          null,
          now.isEmpty() ? "field cannot be cleared once set" : "field cannot be modified once set");
    }
    Tolerations.validateTaints(
        node.trees("spec", "taints"), ObjectMeta.PATH.child("taints"), errors);
  }

  private static void addresses(Tree node, FieldErrors errors) {
    var seen = new HashSet<Tree>();
    var addresses = node.trees("status", "addresses");
    for (int i = 0; i < addresses.size(); i++) {
      var address = addresses.get(i);
      if (!seen.add(address)) {
        errors.duplicate(
            FieldPath.of("status", "addresses").index(i),
            Tree.of(
                "Type", address.textOrEmpty("type"), "Address", address.textOrEmpty("address")));
      }
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of(
        "status",
        new StatusRules() {
          @Override
          public void validateUpdate(Tree node, Tree old, FieldErrors errors) {
            validateChange(node, old, errors);
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
