package io.berth.kinds.core;

import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.List;

/// The rules of environment variables and where they come from.
///
/// Mirrors: core/validation.ValidateEnv, ValidateEnvFrom
final class EnvironmentValidation {

  private static final String[] SOURCES = {
    "fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"
  };

  private static final List<String> FIELDS =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");

  private EnvironmentValidation() {}

  static void validate(Cursor container) {
    container.each("env", EnvironmentValidation::variable);
    var sources = container.at("envFrom");
    sources.each().forEach(source -> source(source, sources));
  }

  private static void variable(Cursor variable) {
    variable.at("name").required().follows(Names::envVarName);
    variable.at("valueFrom").ifSet(source -> valueSource(source, variable.text("value")));
  }

  private static void valueSource(Cursor source, String value) {
    int sources = 0;
    for (var kind : source.fields(SOURCES)) {
      if (kind.isSet()) {
        sources++;
        reference(kind);
      }
    }
    if (sources == 0) {
      source.invalid(
          "",
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef`"
              + " or `fileKeyRef`");
    } else if (!value.isEmpty()) {
      source.invalid("", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      source.invalid("", "may not have more than one field specified at a time");
    }
  }

  private static void reference(Cursor reference) {
    switch (reference.name()) {
      case "fieldRef" -> DownwardFields.field(reference, FIELDS);
      case "resourceFieldRef" -> DownwardFields.resource(reference, false);
      case "fileKeyRef" -> {
        reference.at("key").required().follows(Names::envVarName);
        reference.at("volumeName").required().follows(Names::dnsLabel);
        Checks.noBacksteps(reference.at("path").required());
      }
      default -> {
        reference.at("name").follows(Names::dnsSubdomain);
        reference.at("key").required().follows(Names::configMapKey);
      }
    }
  }

  private static void source(Cursor source, Cursor all) {
    source.at("prefix").ifFilled().follows(Names::envVarName);
    int count = 0;
    for (var reference : source.fields("configMapRef", "secretRef")) {
      if (reference.isSet()) {
        count++;
        reference.at("name").required().follows(name -> Names.Rule.DNS_SUBDOMAIN.check(name, true));
      }
    }
    // Kubernetes reports these two at the list, not at the element.
    if (count == 0) {
      all.invalid("", "must specify one of: `configMapRef` or `secretRef`");
    } else if (count > 1) {
      all.invalid("", "may not have more than one field specified at a time");
    }
  }
}
