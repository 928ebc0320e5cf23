package io.berth.kinds.resource;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.kinds.core.AffinityValidation;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.Unions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The devices of a slice: what they are, how much they have, and where they can be used.
///
/// Mirrors: resource/validation.validateDevice
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

  static void validate(Cursor device, boolean choosesNodes) {
    device.at("name").follows(Names::dnsLabel);
    var attributes = device.at("attributes");
    var capacities = device.at("capacity");
    int values = attributes.tree().names().size();
    int entries = values + capacities.tree().names().size();
    atMost(device, entries, MAX_ENTRIES, "attributes and capacities");
    atMost(device, values, MAX_VALUES, "attribute values");
    attributes.entries().forEach(attribute -> attribute(attributes, attribute));
    capacities
        .entries()
        .forEach(
            capacity -> capacity(capacities, capacity, device.flag("allowMultipleAllocations")));
    if (device.at("taints").atMostItems(MAX_TAINTS).list().size() <= MAX_TAINTS) {
      device.each("taints", DeviceTaints::validate);
    }
    Counters.consumed(device.at("consumesCounters"));
    nodes(device, choosesNodes);
    bindingConditions(device);
  }

  private static void atMost(Cursor device, int count, int max, String what) {
    if (count > max) {
      device.invalid(count, "the total number of %s must not exceed %d".formatted(what, max));
    }
  }

  private static void attribute(Cursor attributes, Cursor attribute) {
    DeviceNames.qualified(attributes.with(attribute.name()));
    var at = DeviceNames.entry(attributes, attribute.name());
    at.at("string").atMostBytes(MAX_VALUE_BYTES);
    var version = at.at("version").ifSet();
    if (!SEMVER.matcher(version.text()).matches()) {
      version.invalid("must be a string compatible with semver.org spec 2.0.0");
    }
    version.atMostBytes(MAX_VALUE_BYTES);
    Unions.exactlyOne(attribute.declared(), null, VALUES);
  }

  private static void capacity(Cursor capacities, Cursor capacity, boolean shared) {
    DeviceNames.qualified(capacities.with(capacity.name()));
    var policy = DeviceNames.entry(capacities, capacity.name()).at("requestPolicy").ifSet();
    if (!shared) {
      policy.forbidden("allowMultipleAllocations must be true");
    } else if (policy.isSet()) {
      var value = capacity.at("value");
      CapacityPolicies.validate(
          policy, value.isSet() ? Quantity.parse(value.text()) : Quantity.ZERO);
    }
  }

  private static void nodes(Cursor device, boolean choosesNodes) {
    if (!choosesNodes) {
      if (device.has("nodeName") || device.has("nodeSelector") || device.has("allNodes")) {
        device.invalid(
            null,
            "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection`"
                + " is set to true in the ResourceSlice spec");
      }
      return;
    }
    var set = new ArrayList<String>();
    nodeName(device.at("nodeName"), "must not be empty", set);
    nodeSelector(device.at("nodeSelector"), set);
    onlyTrue(device.at("allNodes"), set);
    if (set.isEmpty()) {
      device.missing(WHERE);
    } else if (set.size() > 1) {
      device.invalid("{" + String.join(", ", set) + "}", WHERE);
    }
  }

  /// Checks one of the ways to say which nodes can use a slice or a device; adds it to those set.
  static void nodeName(Cursor node, String noName, List<String> set) {
    if (node.isSet() && node.isEmpty()) {
      node.invalid(noName);
    } else if (node.isSet()) {
      set.add("`nodeName`");
      node.follows(Names::dnsSubdomain);
    }
  }

  static void nodeSelector(Cursor selector, List<String> set) {
    if (selector.isSet()) {
      set.add("`nodeSelector`");
      AffinityValidation.validateNodeSelector(selector, false);
    }
  }

  static void onlyTrue(Cursor field, List<String> set) {
    if (field.flag()) {
      set.add("`" + field.name() + "`");
    } else {
      field.ifSet().invalid("must be either unset or set to true");
    }
  }

  /// What must hold before a pod is bound, and what says that it never will: both or neither.
  static void bindingConditions(Cursor holder) {
    var good = holder.at("bindingConditions");
    var bad = holder.at("bindingFailureConditions");
    conditionNames(good);
    conditionNames(bad);
    duplicates(good, List.of());
    duplicates(bad, good.list());
    if (good.isEmpty() && !bad.isEmpty()) {
      good.invalid("bindingConditions are required to use bindingFailureConditions");
    }
    if (bad.isEmpty() && !good.isEmpty()) {
      bad.invalid("bindingFailureConditions are required to use bindingConditions");
    }
  }

  private static void conditionNames(Cursor names) {
    if (!DeviceClaims.tooMany(names, MAX_CONDITIONS)) {
      names.each().forEach(name -> name.follows(Names::qualifiedName));
    }
  }

  private static void duplicates(Cursor names, List<@Nullable Object> others) {
    var seen = new HashSet<String>();
    for (var name : names.each()) {
      name.unique(seen);
      if (others.contains(name.value())) {
        name.invalid("bindingFailureConditions must not overlap with bindingConditions");
      }
    }
  }
}
