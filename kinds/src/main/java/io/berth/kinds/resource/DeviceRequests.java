package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import java.util.HashSet;
import java.util.List;

/// What a claim asks for: `spec.devices` of a ResourceClaim, or of the template of one.
final class DeviceRequests {

  private static final int MAX_REQUESTS = 32;
  private static final int MAX_ALTERNATIVES = 8;
  private static final List<String> MODES = List.of("All", "ExactCount");

  private DeviceRequests() {}

  static void setDefaults(Tree spec) {
    for (var request : spec.trees("devices", "requests")) {
      if (request.get("exactly") instanceof Tree exactly) {
        setCount(exactly);
      }
      request.trees("firstAvailable").forEach(DeviceRequests::setCount);
    }
  }

  private static void setCount(Tree request) {
    if (request.textOrEmpty("allocationMode").isEmpty()) {
      request.put("allocationMode", "ExactCount");
    }
    if (request.textOrEmpty("allocationMode").equals("ExactCount")
        && request.number(0, "count") == 0) {
      request.put("count", 1);
    }
  }

  static void validate(FieldPath path, Tree spec, FieldErrors errors) {
    var requests = spec.trees("devices", "requests");
    var at = path.child("devices", "requests");
    if (requests.size() > MAX_REQUESTS) {
      errors.tooMany(at, requests.size(), MAX_REQUESTS);
    }
    var names = new HashSet<String>();
    for (int i = 0; i < requests.size(); i++) {
      var name = requests.get(i).textOrEmpty("name");
      if (!names.add(name)) {
        errors.duplicate(at.index(i).child("name"), name);
      }
      validateRequest(at.index(i), requests.get(i), errors);
    }
  }

  private static void validateRequest(FieldPath path, Tree request, FieldErrors errors) {
    name(path, request, errors);
    var alternatives = request.trees("firstAvailable");
    boolean exact = request.get("exactly") != null;
    if (exact == !alternatives.isEmpty()) {
      if (exact) {
        errors.invalid(
            path,
            "{exactly, firstAvailable}",
            "must specify exactly one of: `exactly`, `firstAvailable`");
      } else {
        errors.required(path, "exactly one of `exactly` or `firstAvailable` is required");
      }
    }
    if (request.get("exactly") instanceof Tree exactly) {
      devices(path.child("exactly"), exactly, errors);
    }
    var at = path.child("firstAvailable");
    if (alternatives.size() > MAX_ALTERNATIVES) {
      errors.tooMany(at, alternatives.size(), MAX_ALTERNATIVES);
    }
    for (int i = 0; i < alternatives.size(); i++) {
      name(at.index(i), alternatives.get(i), errors);
      devices(at.index(i), alternatives.get(i), errors);
    }
  }

  private static void name(FieldPath path, Tree request, FieldErrors errors) {
    var name = request.textOrEmpty("name");
    if (Checks.required(path.child("name"), name, errors)) {
      Checks.dnsLabel(path.child("name"), name, errors);
    }
  }

  private static void devices(FieldPath path, Tree request, FieldErrors errors) {
    var deviceClass = request.textOrEmpty("deviceClassName");
    if (Checks.required(path.child("deviceClassName"), deviceClass, errors)) {
      Checks.dnsSubdomain(path.child("deviceClassName"), deviceClass, errors);
    }
    var mode = request.textOrEmpty("allocationMode");
    long count = request.number(0, "count");
    switch (mode) {
      case "All" -> {
        if (count != 0) {
          errors.invalid(
              path.child("count"), count, "must not be specified when allocationMode is 'All'");
        }
      }
      case "ExactCount" -> {
        if (count <= 0) {
          errors.invalid(path.child("count"), count, "must be greater than zero");
        }
      }
      default -> errors.notSupported(path.child("allocationMode"), mode, MODES);
    }
  }
}
