package io.berth.kinds.admissionregistration;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The kind of a policy's parameters, and how bindings refer to them.
///
/// Mirrors: admissionregistration/validation.validateParamKind, validateParamRef
final class ParamKinds {

  private static final List<String> ACTIONS = List.of("Deny", "Allow");
  private static final String EXCLUSIVE = "name and selector are mutually exclusive";

  private ParamKinds() {}

  static void validate(Cursor kind) {
    kind.at("apiVersion").required().ifSet(ParamKinds::validateVersion);
    var name = kind.at("kind").required();
    var wrong = Names.dns1035Label(name.text().toLowerCase(Locale.ROOT));
    if (!wrong.isEmpty()) {
      name.invalid("may have mixed case, but should otherwise match: " + String.join(",", wrong));
    }
  }

  private static void validateVersion(Cursor field) {
    var given = field.text();
    int slash = given.indexOf('/');
    if (slash != given.lastIndexOf('/')) {
      field.invalid("unexpected GroupVersion string: " + given);
      return;
    }
    var group = slash < 0 ? "" : given.substring(0, slash);
    var version = given.substring(slash + 1);
    field.with(group).ifFilled().follows(Names::dnsSubdomain, ",");
    if (version.isEmpty()) {
      field.invalid("version must be specified");
    } else {
      field.with(version).follows(Names::dns1035Label, ",");
    }
  }

  static void validateRef(Cursor ref) {
    var name = ref.at("name").ifFilled();
    var selector = ref.at("selector").ifSet();
    name.follows(Names::pathSegment);
    if (selector.isSet()) {
      name.forbidden(EXCLUSIVE);
    }
    LabelSelectors.validate(selector, false);
    if (name.isSet()) {
      selector.forbidden(EXCLUSIVE);
    }
    if (!name.isSet() && !selector.isSet()) {
      ref.missing("one of name or selector must be specified");
    }
    ref.at("parameterNotFoundAction").oneOf(ACTIONS);
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
