package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.List;

/// The rules of environment variables and where they come from.
final class EnvironmentValidation {

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

  private final FieldErrors errors;
  private final DownwardFields downward;

  EnvironmentValidation(FieldErrors errors) {
    this.errors = errors;
    this.downward = new DownwardFields(errors);
  }

  void variables(List<Tree> variables, FieldPath path) {
    for (int i = 0; i < variables.size(); i++) {
      var variable = variables.get(i);
      var name = variable.textOrEmpty("name");
      var at = path.index(i);
      if (Checks.required(at.child("name"), name, errors)) {
        Checks.complaints(at.child("name"), name, Names.envVarName(name), errors);
      }
      if (variable.get("valueFrom") instanceof Tree source) {
        source(source, variable.textOrEmpty("value"), at.child("valueFrom"));
      }
    }
  }

  private void source(Tree source, String value, FieldPath path) {
    int sources = 0;
    if (source.get("fieldRef") instanceof Tree field) {
      sources++;
      downward.field(field, FIELDS, path.child("fieldRef"));
    }
    if (source.get("resourceFieldRef") instanceof Tree resource) {
      sources++;
      downward.resource(resource, false, path.child("resourceFieldRef"));
    }
    for (var kind : List.of("configMapKeyRef", "secretKeyRef")) {
      if (source.get(kind) instanceof Tree key) {
        sources++;
        key(key, path.child(kind));
      }
    }
    if (source.get("fileKeyRef") instanceof Tree file) {
      sources++;
      file(file, path.child("fileKeyRef"));
    }
    if (sources == 0) {
      errors.invalid(
          path,
          "",
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef`"
              + " or `fileKeyRef`");
    } else if (!value.isEmpty()) {
      errors.invalid(path, "", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      errors.invalid(path, "", "may not have more than one field specified at a time");
    }
  }

  private void key(Tree reference, FieldPath path) {
    Checks.dnsSubdomain(path.child("name"), reference.textOrEmpty("name"), errors);
    var key = reference.textOrEmpty("key");
    if (Checks.required(path.child("key"), key, errors)) {
      Checks.complaints(path.child("key"), key, Names.configMapKey(key), errors);
    }
  }

  private void file(Tree reference, FieldPath path) {
    var key = reference.textOrEmpty("key");
    if (Checks.required(path.child("key"), key, errors)) {
      Checks.complaints(path.child("key"), key, Names.envVarName(key), errors);
    }
    var volume = reference.textOrEmpty("volumeName");
    if (Checks.required(path.child("volumeName"), volume, errors)) {
      Checks.dnsLabel(path.child("volumeName"), volume, errors);
    }
    var file = reference.textOrEmpty("path");
    if (Checks.required(path.child("path"), file, errors)) {
      Checks.noBacksteps(path.child("path"), file, errors);
    }
  }

  void sources(List<Tree> sources, FieldPath path) {
    for (int i = 0; i < sources.size(); i++) {
      var source = sources.get(i);
      var prefix = source.textOrEmpty("prefix");
      if (!prefix.isEmpty()) {
        Checks.complaints(path.index(i).child("prefix"), prefix, Names.envVarName(prefix), errors);
      }
      int count = 0;
      for (var kind : List.of("configMapRef", "secretRef")) {
        if (source.get(kind) instanceof Tree reference) {
          count++;
          var at = path.index(i).child(kind, "name");
          var name = reference.textOrEmpty("name");
          if (Checks.required(at, name, errors)) {
            Checks.complaints(at, name, Names.Rule.DNS_SUBDOMAIN.check(name, true), errors);
          }
        }
      }
      // Kubernetes reports these two at the list, not at the element.
      if (count == 0) {
        errors.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`");
      } else if (count > 1) {
        errors.invalid(path, "", "may not have more than one field specified at a time");
      }
    }
  }
}
