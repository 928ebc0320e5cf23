package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.List;

/// One of the requests of a claim: for exactly these devices, or for the first of several
/// alternatives that is available.
final class DeviceRequests {

  private static final int MAX_ALTERNATIVES = 8;
  private static final List<String> MODES = List.of("All", "ExactCount");
  private static final List<String> OPERATORS = List.of("Equal", "Exists");

  private DeviceRequests() {}

  static void setDefaults(Tree request) {
    if (request.get("exactly") instanceof Tree exactly) {
      setDeviceDefaults(exactly);
    }
    request.trees("firstAvailable").forEach(DeviceRequests::setDeviceDefaults);
  }

  private static void setDeviceDefaults(Tree devices) {
    if (devices.textOrEmpty("allocationMode").isEmpty()) {
      devices.put("allocationMode", "ExactCount");
    }
    if (devices.textOrEmpty("allocationMode").equals("ExactCount")
        && devices.number(0, "count") == 0) {
      devices.put("count", 1);
    }
    for (var toleration : devices.trees("tolerations")) {
      if (toleration.textOrEmpty("operator").isEmpty()) {
        toleration.put("operator", "Equal");
      }
    }
  }

  /// Drops what only a feature that is off by default would read.
  static void dropDisabled(Tree request) {
    if (request.get("exactly") instanceof Tree exactly) {
      exactly.remove("derivedAttributes");
    }
    request.trees("firstAvailable").forEach(each -> each.remove("derivedAttributes"));
  }

  static void validate(FieldPath path, Tree request, FieldErrors errors) {
    name(path, request, errors);
    var alternatives = request.trees("firstAvailable");
    boolean exact = request.get("exactly") != null;
    if (exact && !alternatives.isEmpty()) {
      errors.invalid(
          path,
          null,
          "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
    } else if (request.get("exactly") instanceof Tree exactly) {
      var at = path.child("exactly");
      var deviceClass = exactly.textOrEmpty("deviceClassName");
      if (Checks.required(at.child("deviceClassName"), deviceClass, errors)) {
        Checks.dnsSubdomain(at.child("deviceClassName"), deviceClass, errors);
      }
      devices(at, exactly, errors);
    } else if (alternatives.isEmpty()) {
      errors.required(path, "exactly one of `exactly` or `firstAvailable` is required");
    } else {
      alternatives(path.child("firstAvailable"), alternatives, errors);
    }
  }

  private static void alternatives(FieldPath path, List<Tree> alternatives, FieldErrors errors) {
    if (DeviceClaims.tooMany(path, alternatives, MAX_ALTERNATIVES, errors)) {
      return;
    }
    for (int i = 0; i < alternatives.size(); i++) {
      var at = path.index(i);
      var alternative = alternatives.get(i);
      name(at, alternative, errors);
      var deviceClass = alternative.textOrEmpty("deviceClassName");
      var declared = errors.declared();
      if (Checks.required(at.child("deviceClassName"), deviceClass, declared)) {
        Checks.complaints(
            at.child("deviceClassName"),
            deviceClass,
            Names.dnsSubdomainInBytes(deviceClass),
            declared);
      }
      devices(at, alternative, errors);
    }
    DeviceClaims.unique(path, alternatives, "name", errors);
  }

  private static void name(FieldPath path, Tree request, FieldErrors errors) {
    Checks.dnsLabel(path.child("name"), request.textOrEmpty("name"), errors);
  }

  private static void devices(FieldPath path, Tree devices, FieldErrors errors) {
    selectors(path.child("selectors"), devices.trees("selectors"), errors);
    var mode = devices.textOrEmpty("allocationMode");
    long count = devices.number(0, "count");
    if (!MODES.contains(mode)) {
      errors.declared().notSupported(path.child("allocationMode"), mode, MODES);
    } else if (mode.equals("All") && count != 0) {
      errors.invalid(
          path.child("count"), count, "must not be specified when allocationMode is 'All'");
    } else if (mode.equals("ExactCount") && count <= 0) {
      errors.invalid(path.child("count"), count, "must be greater than zero");
    }
    var tolerations = devices.trees("tolerations");
    for (int i = 0; i < tolerations.size(); i++) {
      toleration(path.child("tolerations").index(i), tolerations.get(i), errors);
    }
  }

  static void selectors(FieldPath path, List<Tree> selectors, FieldErrors errors) {
    if (DeviceClaims.tooMany(path, selectors, DeviceClaims.MAX_ITEMS, errors)) {
      return;
    }
    for (int i = 0; i < selectors.size(); i++) {
      if (selectors.get(i).get("cel") == null) {
        errors.required(path.index(i).child("cel"));
      }
    }
  }

  private static void toleration(FieldPath path, Tree toleration, FieldErrors errors) {
    var key = toleration.textOrEmpty("key");
    var value = toleration.textOrEmpty("value");
    var operator = toleration.textOrEmpty("operator");
    if (!key.isEmpty()) {
      Checks.qualifiedName(path.child("key"), key, errors.declared());
    }
    switch (operator) {
      case "Exists" -> {
        if (!value.isEmpty()) {
          errors.invalid(path.child("value"), value, "must be empty for operator `Exists`");
        }
      }
      case "Equal" ->
          Checks.complaints(path.child("value"), value, Names.labelValue(value), errors);
      default -> Checks.oneOf(path.child("operator"), operator, OPERATORS, errors.declared());
    }
    var effect = toleration.textOrEmpty("effect");
    if (!effect.isEmpty()) {
      Checks.supported(path.child("effect"), effect, DeviceTaints.EFFECTS, errors.declared());
    }
  }
}
