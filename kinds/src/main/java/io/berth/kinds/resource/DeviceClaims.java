package io.berth.kinds.resource;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// What a claim asks for: `spec.devices` of a ResourceClaim, or of the template of one.
///
/// Mirrors: resource/validation.validateDeviceClaim
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

  static void validate(Cursor devices) {
    var names = names(devices.tree().trees("requests"));
    var requests = devices.at("requests");
    if (!tooMany(requests, MAX_ITEMS)) {
      requests.each().forEach(DeviceRequests::validate);
      unique(requests, "name");
    }
    if (!tooMany(devices.at("constraints"), MAX_ITEMS)) {
      devices.each("constraints", constraint -> constraint(constraint, names));
    }
    if (!tooMany(devices.at("config"), MAX_ITEMS)) {
      for (var configuration : devices.each("config")) {
        references(configuration.at("requests"), names);
        DeviceConfigurations.validate(configuration);
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

  private static void constraint(Cursor constraint, Map<String, Set<String>> names) {
    references(constraint.at("requests"), names);
    if (!constraint.has("matchAttribute") && !constraint.has("distinctAttribute")) {
      constraint.missing(
          "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple"
              + " fields are set");
    }
    constraint.at("matchAttribute").declared().ifSet(DeviceNames::fullyQualified);
    constraint.at("distinctAttribute").declared().ifSet(DeviceNames::fullyQualified);
  }

  private static void references(Cursor requests, Map<String, Set<String>> names) {
    if (!tooMany(requests, MAX_ITEMS)) {
      var seen = new HashSet<String>();
      for (var request : requests.each()) {
        reference(request, names);
        request.declared().unique(seen);
      }
    }
  }

  private static void reference(Cursor request, Map<String, Set<String>> names) {
    var parts = request.text().split("/", -1);
    boolean known =
        names.containsKey(parts[0])
            && (parts.length == 1
                || (parts.length == 2
                    && names.getOrDefault(parts[0], Set.of()).contains(parts[1])));
    if (parts.length <= 2) {
      for (var part : parts) {
        request.with(part).follows(Names::dnsLabel);
      }
    }
    if (!known) {
      request.invalid(NO_SUCH_REQUEST);
    }
  }

  /// Too many are not looked at one by one.
  static boolean tooMany(Cursor items, int max) {
    return items.declared().atMostItems(max).list().size() > max;
  }

  static void unique(Cursor items, String key) {
    var seen = new HashSet<String>();
    for (var item : items.each()) {
      if (!seen.add(item.text(key))) {
        item.declared().duplicate();
      }
    }
  }
}
