package io.berth.kinds.resource;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.List;

/// One of the requests of a claim: for exactly these devices, or for the first of several
/// alternatives that is available.
///
/// Mirrors: resource/validation.validateDeviceRequest
final class DeviceRequests {

  private static final int MAX_ALTERNATIVES = 8;
  private static final List<String> MODES = List.of("All", "ExactCount");

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

  static void validate(Cursor request) {
    request.at("name").follows(Names::dnsLabel);
    var exactly = request.at("exactly");
    var alternatives = request.at("firstAvailable");
    if (exactly.isSet() && !alternatives.isEmpty()) {
      request.invalid(
          null,
          "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
    } else if (exactly.isSet()) {
      exactly.at("deviceClassName").required().follows(Names::dnsSubdomain);
      devices(exactly);
    } else if (alternatives.isEmpty()) {
      request.missing("exactly one of `exactly` or `firstAvailable` is required");
    } else {
      alternatives(alternatives);
    }
  }

  private static void alternatives(Cursor alternatives) {
    if (DeviceClaims.tooMany(alternatives, MAX_ALTERNATIVES)) {
      return;
    }
    for (var alternative : alternatives.each()) {
      alternative.at("name").follows(Names::dnsLabel);
      alternative.at("deviceClassName").declared().required().follows(Names::dnsSubdomainInBytes);
      devices(alternative);
    }
    DeviceClaims.unique(alternatives, "name");
  }

  private static void devices(Cursor devices) {
    selectors(devices.at("selectors"));
    var mode = devices.at("allocationMode");
    mode.declared().supported(MODES);
    var count = devices.at("count");
    if (mode.is("All") && count.number() != 0) {
      count.invalid("must not be specified when allocationMode is 'All'");
    } else if (mode.is("ExactCount")) {
      count.positive();
    }
    devices.each("tolerations", DeviceRequests::toleration);
  }

  static void selectors(Cursor selectors) {
    if (!DeviceClaims.tooMany(selectors, DeviceClaims.MAX_ITEMS)) {
      selectors.each().forEach(selector -> selector.at("cel").required());
    }
  }

  private static void toleration(Cursor toleration) {
    toleration.at("key").declared().ifFilled().follows(Names::qualifiedName);
    var operator = toleration.at("operator");
    var value = toleration.at("value");
    switch (operator.text()) {
      case "Exists" -> value.ifFilled().invalid("must be empty for operator `Exists`");
      case "Equal" -> value.follows(Names::labelValue);
      default -> operator.declared().oneOf();
    }
    toleration.at("effect").declared().ifFilled().supported();
  }
}
