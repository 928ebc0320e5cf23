package io.berth.kinds.admissionregistration;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.HashSet;

/// Rules that say which requests a webhook or policy is about.
///
/// Mirrors: admissionregistration/validation.validateRule, validateResources
final class ResourceRules {

  private ResourceRules() {}

  static void setDefaults(Tree rule) {
    rule.putIfAbsent("scope", "*");
  }

  /// A rule of a policy, which may also name objects.
  static void validateNamed(Cursor rule) {
    var seen = new HashSet<String>();
    rule.each("resourceNames", name -> name.follows(Names::pathSegment).unique(seen));
    validate(rule);
  }

  static void validate(Cursor rule) {
    alone(rule.at("operations"), "operations");
    rule.each("operations", operation -> operation.supported());
    alone(rule.at("apiGroups"), "API groups");
    alone(rule.at("apiVersions"), "API versions");
    rule.each("apiVersions", Cursor::required);
    validateResources(rule.at("resources"));
    rule.at("scope").ifSet().supported();
  }

  /// There are words, and `*` has none beside it.
  private static void alone(Cursor words, String what) {
    words.required();
    if (words.list().size() > 1 && words.list().contains("*")) {
      words.invalid("if '*' is present, must not specify other " + what);
    }
  }

  private static void validateResources(Cursor resources) {
    resources.required();
    var allBelow = new HashSet<String>();
    var ofAll = new HashSet<String>();
    boolean plain = false;
    for (var resource : resources.each()) {
      var text = resource.required().text();
      int slash = text.indexOf('/');
      if (slash < 0) {
        plain = text.isEmpty() ? plain : !text.equals("*");
        continue;
      }
      var parent = text.substring(0, slash);
      var sub = text.substring(slash + 1);
      if (allBelow.contains(parent)) {
        excluded(resource, parent + "/*");
      }
      if (ofAll.contains(sub)) {
        excluded(resource, "*/" + sub);
      }
      if (sub.equals("*")) {
        allBelow.add(parent);
      }
      if (parent.equals("*")) {
        ofAll.add(sub);
      }
    }
    var all = resources.list();
    if (all.size() > 1 && all.contains("*/*")) {
      resources.invalid("if '*/*' is present, must not specify other resources");
    }
    if (all.contains("*") && plain) {
      resources.invalid("if '*' is present, must not specify other resources without subresources");
    }
  }

  private static void excluded(Cursor resource, String by) {
    resource.invalid("if '%s' is present, must not specify %s".formatted(by, resource.text()));
  }
}
