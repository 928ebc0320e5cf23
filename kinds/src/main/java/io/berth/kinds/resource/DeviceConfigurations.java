package io.berth.kinds.resource;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;

/// What a driver is told about devices, in words of its own.
///
/// Mirrors: resource/validation.validateOpaqueConfiguration
final class DeviceConfigurations {

  private static final int MAX_DRIVER = 63;
  private static final int MAX_PARAMETERS = 10 * 1024;

  private DeviceConfigurations() {}

  static void validate(Cursor configuration) {
    var opaque = configuration.at("opaque").required();
    opaque
        .at("driver")
        .declared()
        .required()
        .follows(Names::caselessSubdomain)
        .atMostCharacters(MAX_DRIVER);
    var parameters = opaque.at("parameters");
    switch (parameters.value()) {
      case null -> parameters.missing();
      case Tree tree -> {
        if (Json.write(tree).length > MAX_PARAMETERS) {
          parameters.tooLong(MAX_PARAMETERS);
        }
      }
      default -> parameters.invalid("<value omitted>", "must be a valid JSON object");
    }
  }
}
