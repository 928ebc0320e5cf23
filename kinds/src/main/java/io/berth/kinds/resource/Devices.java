package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.kinds.core.AffinityValidation;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.Unions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The devices of a slice: what they are, how much they have, and where they can be used.
final class Devices {

  private static final int MAX_ENTRIES = 32;
  private static final int MAX_VALUES = 48;
  private static final int MAX_VALUE_BYTES = 64;
  private static final int MAX_TAINTS = 16;
  private static final int MAX_CONDITIONS = 4;
  private static final List<String> VALUES =
      List.of("int", "bool", "string", "version", "ints", "bools", "strings", "versions");
  private static final List<String> LISTS = List.of("ints", "bools", "strings", "versions");
  private static final Pattern SEMVER = semver();
  private static final String WHERE =
      "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when"
          + " `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

  private Devices() {}

  private static Pattern semver() {
    var number = "(0|[1-9]\\d*)";
    var label = "(\\d*[a-zA-Z-][0-9a-zA-Z-]*|0|[1-9]\\d*)";
    var build = "[0-9a-zA-Z-]+";
    return Pattern.compile(
        "%1$s\\.%1$s\\.%1$s(-%2$s(\\.%2$s)*+)?(\\+%3$s(\\.%3$s)*+)?"
            .formatted(number, label, build));
  }

  /// Drops what only features that are off by default would read.
  static void dropDisabled(Tree device) {
    device.remove("nodeAllocatableResources");
    for (var name : device.treeOrEmpty("attributes").names()) {
      var attribute = device.treeOrEmpty("attributes", name);
      LISTS.forEach(attribute::remove);
    }
    device.trees("consumesCounters").forEach(each -> each.remove("compatibilityGroups"));
  }

  static void validate(FieldPath path, Tree device, boolean choosesNodes, FieldErrors errors) {
    Checks.dnsLabel(path.child("name"), device.textOrEmpty("name"), errors);
    var attributes = device.treeOrEmpty("attributes");
    var capacities = device.treeOrEmpty("capacity");
    int entries = attributes.names().size() + capacities.names().size();
    atMost(path, entries, MAX_ENTRIES, "attributes and capacities", errors);
    atMost(path, attributes.names().size(), MAX_VALUES, "attribute values", errors);
    attributes(path.child("attributes"), attributes, errors);
    capacities(path.child("capacity"), capacities, device, errors);
    taints(path.child("taints"), device.trees("taints"), errors);
    Counters.consumed(path.child("consumesCounters"), device.trees("consumesCounters"), errors);
    nodes(path, device, choosesNodes, errors);
    bindingConditions(path, device, errors);
  }

  private static void atMost(FieldPath path, int count, int max, String what, FieldErrors errors) {
    if (count > max) {
      errors.invalid(path, count, "the total number of %s must not exceed %d".formatted(what, max));
    }
  }

  private static void attributes(FieldPath path, Tree attributes, FieldErrors errors) {
    for (var name : attributes.names()) {
      DeviceNames.qualified(path, name, errors);
      var at = DeviceNames.entry(path, name);
      var attribute = attributes.treeOrEmpty(name);
      var text = attribute.text("string");
      if (text != null) {
        brief(at.child("string"), text, errors);
      }
      var version = attribute.text("version");
      if (version != null) {
        if (!SEMVER.matcher(version).matches()) {
          errors.invalid(
              at.child("version"),
              version,
              "must be a string compatible with semver.org spec 2.0.0");
        }
        brief(at.child("version"), version, errors);
      }
      Unions.exactlyOne(path.key(name), attribute, null, VALUES, errors.declared());
    }
  }

  private static void brief(FieldPath path, String value, FieldErrors errors) {
    if (Names.bytes(value) > MAX_VALUE_BYTES) {
      errors.tooLong(path, MAX_VALUE_BYTES);
    }
  }

  private static void capacities(FieldPath path, Tree capacities, Tree device, FieldErrors errors) {
    for (var name : capacities.names()) {
      DeviceNames.qualified(path, name, errors);
      var at = DeviceNames.entry(path, name).child("requestPolicy");
      var capacity = capacities.treeOrEmpty(name);
      if (!(capacity.get("requestPolicy") instanceof Tree policy)) {
        continue;
      }
      if (device.flag("allowMultipleAllocations")) {
        var value = capacity.text("value");
        CapacityPolicies.validate(
            at, value == null ? Quantity.ZERO : Quantity.parse(value), policy, errors);
      } else {
        errors.forbidden(at, "allowMultipleAllocations must be true");
      }
    }
  }

  private static void taints(FieldPath path, List<Tree> taints, FieldErrors errors) {
    if (taints.size() > MAX_TAINTS) {
      errors.tooMany(path, taints.size(), MAX_TAINTS);
      return;
    }
    for (int i = 0; i < taints.size(); i++) {
      DeviceTaints.validate(path.index(i), taints.get(i), errors);
    }
  }

  private static void nodes(FieldPath path, Tree device, boolean choosesNodes, FieldErrors errors) {
    if (!choosesNodes) {
      if (device.has("nodeName") || device.has("nodeSelector") || device.has("allNodes")) {
        errors.invalid(
            path,
            null,
            "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection`"
                + " is set to true in the ResourceSlice spec");
      }
      return;
    }
    var set = new ArrayList<String>();
    nodeName(path, device, "must not be empty", set, errors);
    nodeSelector(path, device, set, errors);
    onlyTrue(path, device, "allNodes", set, errors);
    if (set.isEmpty()) {
      errors.required(path, WHERE);
    } else if (set.size() > 1) {
      errors.invalid(path, "{" + String.join(", ", set) + "}", WHERE);
    }
  }

  /// Checks one of the ways to say which nodes can use a slice or a device; adds it to those set.
  static void nodeName(
      FieldPath path, Tree object, String noName, List<String> set, FieldErrors errors) {
    var node = object.text("nodeName");
    if (node != null) {
      if (node.isEmpty()) {
        errors.invalid(path.child("nodeName"), node, noName);
      } else {
        set.add("`nodeName`");
        Checks.dnsSubdomain(path.child("nodeName"), node, errors);
      }
    }
  }

  static void nodeSelector(FieldPath path, Tree object, List<String> set, FieldErrors errors) {
    if (object.get("nodeSelector") instanceof Tree selector) {
      set.add("`nodeSelector`");
      AffinityValidation.validateNodeSelector(selector, false, path.child("nodeSelector"), errors);
    }
  }

  static void onlyTrue(
      FieldPath path, Tree object, String field, List<String> set, FieldErrors errors) {
    switch (object.get(field)) {
      case Boolean flag when flag -> set.add("`" + field + "`");
      case Boolean flag ->
          errors.invalid(path.child(field), flag, "must be either unset or set to true");
      case null, default -> {}
    }
  }

  /// What must hold before a pod is bound, and what says that it never will: both or neither.
  static void bindingConditions(FieldPath path, Tree holder, FieldErrors errors) {
    var good = holder.list("bindingConditions");
    var bad = holder.list("bindingFailureConditions");
    var goodPath = path.child("bindingConditions");
    var badPath = path.child("bindingFailureConditions");
    conditionNames(goodPath, good, errors);
    conditionNames(badPath, bad, errors);
    duplicates(goodPath, good, List.of(), errors);
    duplicates(badPath, bad, good, errors);
    if (good.isEmpty() && !bad.isEmpty()) {
      errors.invalid(
          goodPath,
          holder.get("bindingConditions"),
          "bindingConditions are required to use bindingFailureConditions");
    }
    if (bad.isEmpty() && !good.isEmpty()) {
      errors.invalid(
          badPath,
          holder.get("bindingFailureConditions"),
          "bindingFailureConditions are required to use bindingConditions");
    }
  }

  private static void conditionNames(
      FieldPath path, List<@Nullable Object> names, FieldErrors errors) {
    if (!DeviceClaims.tooMany(path, names, MAX_CONDITIONS, errors)) {
      for (int i = 0; i < names.size(); i++) {
        Checks.qualifiedName(path.index(i), String.valueOf(names.get(i)), errors);
      }
    }
  }

  private static void duplicates(
      FieldPath path,
      List<@Nullable Object> names,
      List<@Nullable Object> others,
      FieldErrors errors) {
    var seen = new HashSet<@Nullable Object>();
    for (int i = 0; i < names.size(); i++) {
      if (!seen.add(names.get(i))) {
        errors.duplicate(path.index(i), names.get(i));
      }
      if (others.contains(names.get(i))) {
        errors.invalid(
            path.index(i),
            names.get(i),
            "bindingFailureConditions must not overlap with bindingConditions");
      }
    }
  }
}
