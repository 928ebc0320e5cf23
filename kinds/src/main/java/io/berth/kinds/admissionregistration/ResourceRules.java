package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rules that say which requests a webhook or policy is about.
final class ResourceRules {

  private static final List<String> OPERATIONS =
      List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
  private static final List<String> SCOPES = List.of("*", "Cluster", "Namespaced");

  private ResourceRules() {}

  static void setDefaults(Tree rule) {
    rule.putIfAbsent("scope", "*");
  }

  /// A rule of a policy, which may also name objects.
  static void validateNamed(Tree rule, FieldPath path, FieldErrors errors) {
    var seen = new HashSet<>();
    var names = rule.list("resourceNames");
    for (int i = 0; i < names.size(); i++) {
      var name = String.valueOf(names.get(i));
      var at = path.child("resourceNames").index(i);
      Checks.complaints(at, name, Names.pathSegment(name, false), errors);
      if (!seen.add(name)) {
        errors.duplicate(at, name);
      }
    }
    validate(rule, path, errors);
  }

  static void validate(Tree rule, FieldPath path, FieldErrors errors) {
    var operations = rule.list("operations");
    var at = path.child("operations");
    if (operations.isEmpty()) {
      errors.required(at);
    }
    alone(operations, at, "operations", errors);
    for (int i = 0; i < operations.size(); i++) {
      Checks.supported(at.index(i), String.valueOf(operations.get(i)), OPERATIONS, errors);
    }
    validateGroups(rule, path, errors);
    validateResources(rule.list("resources"), path.child("resources"), errors);
    var scope = rule.text("scope");
    if (scope != null) {
      Checks.supported(path.child("scope"), scope, SCOPES, errors);
    }
  }

  private static void validateGroups(Tree rule, FieldPath path, FieldErrors errors) {
    var groups = rule.list("apiGroups");
    if (groups.isEmpty()) {
      errors.required(path.child("apiGroups"));
    }
    alone(groups, path.child("apiGroups"), "API groups", errors);
    var versions = rule.list("apiVersions");
    var at = path.child("apiVersions");
    if (versions.isEmpty()) {
      errors.required(at);
    }
    alone(versions, at, "API versions", errors);
    for (int i = 0; i < versions.size(); i++) {
      Checks.required(at.index(i), String.valueOf(versions.get(i)), errors);
    }
  }

  private static void alone(
      List<@Nullable Object> words, FieldPath path, String what, FieldErrors errors) {
    if (words.size() > 1 && words.contains("*")) {
      errors.invalid(path, words, "if '*' is present, must not specify other " + what);
    }
  }

  private static void validateResources(
      List<@Nullable Object> resources, FieldPath path, FieldErrors errors) {
    if (resources.isEmpty()) {
      errors.required(path);
    }
    var allBelow = new HashSet<String>();
    var ofAll = new HashSet<String>();
    boolean plain = false;
    for (int i = 0; i < resources.size(); i++) {
      var resource = String.valueOf(resources.get(i));
      if (resource.isEmpty()) {
        errors.required(path.index(i));
        continue;
      }
      int slash = resource.indexOf('/');
      if (slash < 0) {
        plain = !resource.equals("*");
        continue;
      }
      var parent = resource.substring(0, slash);
      var sub = resource.substring(slash + 1);
      if (allBelow.contains(parent)) {
        excluded(parent + "/*", resource, path.index(i), errors);
      }
      if (ofAll.contains(sub)) {
        excluded("*/" + sub, resource, path.index(i), errors);
      }
      if (sub.equals("*")) {
        allBelow.add(parent);
      }
      if (parent.equals("*")) {
        ofAll.add(sub);
      }
    }
    if (resources.size() > 1 && resources.contains("*/*")) {
      errors.invalid(path, resources, "if '*/*' is present, must not specify other resources");
    }
    if (resources.contains("*") && plain) {
      errors.invalid(
          path,
          resources,
          "if '*' is present, must not specify other resources without subresources");
    }
  }

  private static void excluded(String by, String resource, FieldPath path, FieldErrors errors) {
    errors.invalid(
        path, resource, "if '%s' is present, must not specify %s".formatted(by, resource));
  }
}
