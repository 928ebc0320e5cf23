package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a claim asks for: `spec.devices` of a ResourceClaim, or of the template of one.
final class DeviceClaims {

  static final int MAX_ITEMS = 32;
  private static final String NO_SUCH_REQUEST =
      "must be the name of a request in the claim or the name of a request and a subrequest"
          + " separated by '/'";

  private DeviceClaims() {}

  static void setDefaults(Tree spec) {
    spec.trees("devices", "requests").forEach(DeviceRequests::setDefaults);
  }

  static void dropDisabled(Tree spec) {
    spec.trees("devices", "requests").forEach(DeviceRequests::dropDisabled);
  }

  static void validate(FieldPath path, Tree devices, FieldErrors errors) {
    var requests = devices.trees("requests");
    var names = names(requests);
    var at = path.child("requests");
    if (!tooMany(at, requests, MAX_ITEMS, errors)) {
      for (int i = 0; i < requests.size(); i++) {
        DeviceRequests.validate(at.index(i), requests.get(i), errors);
      }
      unique(at, requests, "name", errors);
    }
    var constraints = devices.trees("constraints");
    at = path.child("constraints");
    if (!tooMany(at, constraints, MAX_ITEMS, errors)) {
      for (int i = 0; i < constraints.size(); i++) {
        constraint(at.index(i), constraints.get(i), names, errors);
      }
    }
    var configurations = devices.trees("config");
    at = path.child("config");
    if (!tooMany(at, configurations, MAX_ITEMS, errors)) {
      for (int i = 0; i < configurations.size(); i++) {
        references(at.index(i), configurations.get(i), names, errors);
        DeviceConfigurations.validate(at.index(i), configurations.get(i), errors);
      }
    }
  }

  /// The names of requests, each with those of its alternatives.
  private static Map<String, Set<String>> names(List<Tree> requests) {
    var names = new HashMap<String, Set<String>>();
    for (var request : requests) {
      names.put(
          request.textOrEmpty("name"),
          request.trees("firstAvailable").stream()
              .map(each -> each.textOrEmpty("name"))
              .collect(Collectors.toSet()));
    }
    return names;
  }

  private static void constraint(
      FieldPath path, Tree constraint, Map<String, Set<String>> names, FieldErrors errors) {
    references(path, constraint, names, errors);
    var match = constraint.text("matchAttribute");
    var distinct = constraint.text("distinctAttribute");
    if (match == null && distinct == null) {
      errors.required(
          path,
          "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple"
              + " fields are set");
    }
    DeviceNames.fullyQualified(path.child("matchAttribute"), match, errors.declared());
    DeviceNames.fullyQualified(path.child("distinctAttribute"), distinct, errors.declared());
  }

  private static void references(
      FieldPath path, Tree holder, Map<String, Set<String>> names, FieldErrors errors) {
    var requests = holder.list("requests");
    var at = path.child("requests");
    if (tooMany(at, requests, MAX_ITEMS, errors)) {
      return;
    }
    var seen = new HashSet<@Nullable Object>();
    for (int i = 0; i < requests.size(); i++) {
      reference(at.index(i), String.valueOf(requests.get(i)), names, errors);
      if (!seen.add(requests.get(i))) {
        errors.declared().duplicate(at.index(i), requests.get(i));
      }
    }
  }

  private static void reference(
      FieldPath path, String name, Map<String, Set<String>> names, FieldErrors errors) {
    var parts = name.split("/", -1);
    boolean known =
        names.containsKey(parts[0])
            && (parts.length == 1
                || (parts.length == 2
                    && names.getOrDefault(parts[0], Set.of()).contains(parts[1])));
    if (parts.length <= 2) {
      for (var part : parts) {
        Checks.dnsLabel(path, part, errors);
      }
    }
    if (!known) {
      errors.invalid(path, name, NO_SUCH_REQUEST);
    }
  }

  /// Too many are not looked at one by one.
  static boolean tooMany(FieldPath path, List<?> items, int max, FieldErrors errors) {
    if (items.size() <= max) {
      return false;
    }
    errors.declared().tooMany(path, items.size(), max);
    return true;
  }

  static void unique(FieldPath path, List<Tree> items, String key, FieldErrors errors) {
    var seen = new HashSet<String>();
    for (int i = 0; i < items.size(); i++) {
      if (!seen.add(items.get(i).textOrEmpty(key))) {
        errors.declared().duplicate(path.index(i), items.get(i));
      }
    }
  }
}
