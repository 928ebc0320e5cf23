package io.berth.kinds.resource;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;

/// What a driver is told about devices, in words of its own.
final class DeviceConfigurations {

  private static final int MAX_DRIVER = 63;
  private static final int MAX_PARAMETERS = 10 * 1024;

  private DeviceConfigurations() {}

  static void validate(FieldPath path, Tree configuration, FieldErrors errors) {
    var at = path.child("opaque");
    if (!(configuration.get("opaque") instanceof Tree opaque)) {
      errors.required(at);
      return;
    }
    driver(at.child("driver"), opaque.textOrEmpty("driver"), errors.declared());
    var parameters = opaque.get("parameters");
    var below = at.child("parameters");
    switch (parameters) {
      case null -> errors.required(below);
      case Tree tree -> {
        if (Json.write(tree).length > MAX_PARAMETERS) {
          errors.tooLong(below, MAX_PARAMETERS);
        }
      }
      default -> errors.invalid(below, "<value omitted>", "must be a valid JSON object");
    }
  }

  static void driver(FieldPath path, String driver, FieldErrors errors) {
    if (Checks.required(path, driver, errors)) {
      Checks.complaints(path, driver, Names.caselessSubdomain(driver), errors);
      if (Names.bytes(driver) > MAX_DRIVER) {
        errors.add(FieldError.tooLongText(path, MAX_DRIVER));
      }
    }
  }
}
