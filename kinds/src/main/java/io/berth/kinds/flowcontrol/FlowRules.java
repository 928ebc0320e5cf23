package io.berth.kinds.flowcontrol;

import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One of the `rules` of a FlowSchema: who asks, and for what.
///
/// Mirrors: flowcontrol/validation.ValidateFlowSchemaPolicyRulesWithSubjects
final class FlowRules {

  private static final String ANY = "*";
  private static final List<String> KINDS = List.of("Group", "ServiceAccount", "User");
  private static final List<String> VERBS =
      List.of(
          "create",
          "delete",
          "deletecollection",
          "get",
          "list",
          "patch",
          "proxy",
          "update",
          "watch");

  private FlowRules() {}

  static void validate(Cursor rule) {
    rule.at("subjects").required("subjects must contain at least one value");
    rule.each("subjects", FlowRules::validateSubject);
    if (rule.at("resourceRules").isEmpty() && rule.at("nonResourceRules").isEmpty()) {
      rule.missing("at least one of resourceRules and nonResourceRules has to be non-empty");
    }
    rule.each("resourceRules", FlowRules::validateResources);
    rule.each("nonResourceRules", FlowRules::validateUrls);
  }

  private static void validateSubject(Cursor subject) {
    var kind = subject.text("kind");
    if (!KINDS.contains(kind)) {
      subject.at("kind").notSupported(KINDS);
      return;
    }
    var member = subject.at(memberOf(kind)).required(requiredFor(kind));
    var name = member.at("name").required();
    if (kind.equals("ServiceAccount")) {
      if (!name.is(ANY)) {
        name.follows(Names::dnsSubdomain);
      }
      member
          .at("namespace")
          .required("must specify namespace for service account")
          .follows(Names::dnsLabel);
    }
    forbidOthers(subject, kind);
  }

  private static void forbidOthers(Cursor subject, String kind) {
    for (var other : List.of("ServiceAccount", "User", "Group")) {
      if (!other.equals(kind)) {
        var field = memberOf(other);
        subject.forbidden(
            "%s is forbidden when subject kind is not '%s'".formatted(field, other), field);
      }
    }
  }

  private static String requiredFor(String kind) {
    return "%s is required when subject kind is '%s'".formatted(memberOf(kind), kind);
  }

  private static String memberOf(String kind) {
    return Character.toLowerCase(kind.charAt(0)) + kind.substring(1);
  }

  private static void validateResources(Cursor rule) {
    validateVerbs(rule.at("verbs"));
    alone(
        rule.at("apiGroups").required("resource rules must supply at least one api group"),
        "api groups");
    alone(
        rule.at("resources").required("resource rules must supply at least one resource"),
        "resources");
    var namespaces = rule.at("namespaces");
    if (namespaces.isEmpty() && !rule.flag("clusterScope")) {
      namespaces.missing(
          "resource rules that are not cluster scoped must supply at least one namespace");
    } else if (!alone(namespaces, "namespaces")) {
      for (var namespace : namespaces.each()) {
        for (var complaint : Names.dnsLabel(namespace.text())) {
          namespace.invalid(
              "each member of this list must be '*' or a DNS-1123 label; " + complaint);
        }
      }
    }
  }

  private static void validateVerbs(Cursor verbs) {
    var some = verbs.required("verbs must contain at least one value");
    if (!alone(some, "verbs") && !VERBS.containsAll(some.list())) {
      verbs.notSupported(verbs.value(), VERBS);
    }
  }

  /// Whether `*` is among the values; refuses others beside it.
  private static boolean alone(Cursor values, String nouns) {
    boolean any = values.list().contains(ANY);
    if (any && values.list().size() > 1) {
      values.invalid("if '*' is present, must not specify other " + nouns);
    }
    return any;
  }

  private static void validateUrls(Cursor rule) {
    validateVerbs(rule.at("verbs"));
    var urls =
        rule.at("nonResourceURLs").required("nonResourceURLs must contain at least one value");
    if (alone(urls, "non-resource URLs")) {
      return;
    }
    for (var url : urls.each()) {
      var complaint = complaintAbout(url.text());
      if (complaint != null) {
        url.invalid(complaint);
      }
    }
  }

  private static @Nullable String complaintAbout(String url) {
    if (url.isEmpty()) {
      return "must not be empty";
    }
    if (url.equals("/")) {
      return null;
    }
    if (!url.startsWith("/")) {
      return "must start with slash";
    }
    if (url.contains(" ")) {
      return "must not contain white-space";
    }
    if (url.contains("//")) {
      return "must not contain double slash";
    }
    int star = url.indexOf('*');
    boolean suffix = star == url.length() - 1 && url.endsWith("/*");
    return star >= 0 && !suffix ? "wildcard can only do suffix matching" : null;
  }
}
