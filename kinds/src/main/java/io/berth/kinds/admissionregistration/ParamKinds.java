package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The kind of a policy's parameters, and how bindings refer to them.
final class ParamKinds {

  private static final List<String> ACTIONS = List.of("Deny", "Allow");
  private static final String EXCLUSIVE = "name and selector are mutually exclusive";

  private ParamKinds() {}

  static void validate(@Nullable Tree kind, FieldPath path, FieldErrors errors) {
    if (kind == null) {
      return;
    }
    var version = kind.textOrEmpty("apiVersion");
    if (Checks.required(path.child("apiVersion"), version, errors)) {
      validateVersion(version, path.child("apiVersion"), errors);
    }
    var name = kind.textOrEmpty("kind");
    if (Checks.required(path.child("kind"), name, errors)) {
      var wrong = Names.dns1035Label(name.toLowerCase(Locale.ROOT));
      if (!wrong.isEmpty()) {
        errors.invalid(
            path.child("kind"),
            name,
            "may have mixed case, but should otherwise match: " + String.join(",", wrong));
      }
    }
  }

  private static void validateVersion(String given, FieldPath path, FieldErrors errors) {
    int slash = given.indexOf('/');
    if (slash != given.lastIndexOf('/')) {
      errors.invalid(path, given, "unexpected GroupVersion string: " + given);
      return;
    }
    var group = slash < 0 ? "" : given.substring(0, slash);
    var version = given.substring(slash + 1);
    var wrong = group.isEmpty() ? List.<String>of() : Names.dnsSubdomain(group);
    if (!wrong.isEmpty()) {
      errors.invalid(path, group, String.join(",", wrong));
    }
    if (version.isEmpty()) {
      errors.invalid(path, given, "version must be specified");
      return;
    }
    var bad = Names.dns1035Label(version);
    if (!bad.isEmpty()) {
      errors.invalid(path, version, String.join(",", bad));
    }
  }

  static void validateRef(@Nullable Tree ref, FieldPath path, FieldErrors errors) {
    if (ref == null) {
      return;
    }
    var name = ref.textOrEmpty("name");
    boolean selects = ref.has("selector");
    if (!name.isEmpty()) {
      Checks.complaints(path.child("name"), name, Names.pathSegment(name, false), errors);
      if (selects) {
        errors.forbidden(path.child("name"), EXCLUSIVE);
      }
    }
    if (selects) {
      LabelSelectors.validate(ref.tree("selector"), false, path.child("selector"), errors);
      if (!name.isEmpty()) {
        errors.forbidden(path.child("selector"), EXCLUSIVE);
      }
    }
    if (name.isEmpty() && !selects) {
      errors.required(path, "one of name or selector must be specified");
    }
    Checks.oneOf(
        path.child("parameterNotFoundAction"),
        ref.textOrEmpty("parameterNotFoundAction"),
        ACTIONS,
        errors);
  }

  /// How tables show the kind of parameters.
  static String cell(@Nullable Tree kind) {
    return kind == null
        ? "<unset>"
        : kind.textOrEmpty("apiVersion") + "/" + kind.textOrEmpty("kind");
  }

  /// How tables show a reference to parameters.
  static String refCell(@Nullable Tree ref) {
    if (ref == null) {
      return "<unset>";
    }
    var name = ref.textOrEmpty("name");
    if (!name.isEmpty()) {
      var namespace = ref.textOrEmpty("namespace");
      return (namespace.isEmpty() ? "*" : namespace) + "/" + name;
    }
    var selector = ref.tree("selector");
    return selector == null ? "<unset>" : goText(selector);
  }

  // As in Kubernetes, where the selector is printed as its Go value.
  private static String goText(Tree selector) {
    var labels = new StringBuilder();
    new TreeMap<>(selector.texts("matchLabels"))
        .forEach((key, value) -> labels.append(key).append(": ").append(value).append(','));
    var expressions = new StringBuilder();
    for (var each : selector.trees("matchExpressions")) {
      expressions
          .append("LabelSelectorRequirement{Key:")
          .append(each.textOrEmpty("key"))
          .append(",Operator:")
          .append(each.textOrEmpty("operator"))
          .append(",Values:[")
          .append(String.join(" ", each.list("values").stream().map(String::valueOf).toList()))
          .append("],},");
    }
    return "&LabelSelector{MatchLabels:map[string]string{%s},MatchExpressions:[]LabelSelectorRequirement{%s},}"
        .formatted(labels, expressions);
  }
}
