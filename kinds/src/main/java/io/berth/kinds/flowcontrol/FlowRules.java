package io.berth.kinds.flowcontrol;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One of the `rules` of a FlowSchema: who asks, and for what.
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

  static void validate(FieldPath path, Tree rule, FieldErrors errors) {
    var subjects = rule.trees("subjects");
    if (subjects.isEmpty()) {
      errors.required(path.child("subjects"), "subjects must contain at least one value");
    }
    for (int i = 0; i < subjects.size(); i++) {
      validateSubject(path.child("subjects").index(i), subjects.get(i), errors);
    }
    var resources = rule.trees("resourceRules");
    var urls = rule.trees("nonResourceRules");
    if (resources.isEmpty() && urls.isEmpty()) {
      errors.required(
          path, "at least one of resourceRules and nonResourceRules has to be non-empty");
    }
    for (int i = 0; i < resources.size(); i++) {
      validateResources(path.child("resourceRules").index(i), resources.get(i), errors);
    }
    for (int i = 0; i < urls.size(); i++) {
      validateUrls(path.child("nonResourceRules").index(i), urls.get(i), errors);
    }
  }

  private static void validateSubject(FieldPath path, Tree subject, FieldErrors errors) {
    var kind = subject.textOrEmpty("kind");
    switch (kind) {
      case "ServiceAccount" -> {
        validateAccount(path.child("serviceAccount"), subject, errors);
        forbidOthers(path, subject, kind, errors);
      }
      case "User", "Group" -> {
        var field = memberOf(kind);
        if (!(subject.get(field) instanceof Tree named)) {
          errors.required(path.child(field), requiredFor(kind));
        } else {
          Checks.required(path.child(field, "name"), named.textOrEmpty("name"), errors);
        }
        forbidOthers(path, subject, kind, errors);
      }
      default -> errors.notSupported(path.child("kind"), kind, KINDS);
    }
  }

  private static void validateAccount(FieldPath path, Tree subject, FieldErrors errors) {
    if (!(subject.get("serviceAccount") instanceof Tree account)) {
      errors.required(path, requiredFor("ServiceAccount"));
      return;
    }
    var name = account.textOrEmpty("name");
    if (Checks.required(path.child("name"), name, errors) && !name.equals(ANY)) {
      Checks.dnsSubdomain(path.child("name"), name, errors);
    }
    var namespace = account.textOrEmpty("namespace");
    if (namespace.isEmpty()) {
      errors.required(path.child("namespace"), "must specify namespace for service account");
    } else {
      Checks.dnsLabel(path.child("namespace"), namespace, errors);
    }
  }

  private static void forbidOthers(FieldPath path, Tree subject, String kind, FieldErrors errors) {
    for (var other : List.of("ServiceAccount", "User", "Group")) {
      var field = memberOf(other);
      if (!other.equals(kind) && subject.get(field) != null) {
        errors.forbidden(
            path.child(field),
            "%s is forbidden when subject kind is not '%s'".formatted(field, other));
      }
    }
  }

  private static String requiredFor(String kind) {
    return "%s is required when subject kind is '%s'".formatted(memberOf(kind), kind);
  }

  private static String memberOf(String kind) {
    return Character.toLowerCase(kind.charAt(0)) + kind.substring(1);
  }

  private static void validateResources(FieldPath path, Tree rule, FieldErrors errors) {
    validateVerbs(path, rule, errors);
    aloneOrNamed(path.child("apiGroups"), rule.list("apiGroups"), "api group", errors);
    aloneOrNamed(path.child("resources"), rule.list("resources"), "resource", errors);
    var namespaces = rule.list("namespaces");
    var at = path.child("namespaces");
    if (namespaces.isEmpty() && !rule.flag("clusterScope")) {
      errors.required(
          at, "resource rules that are not cluster scoped must supply at least one namespace");
    } else if (namespaces.contains(ANY)) {
      alone(at, namespaces, "namespaces", errors);
    } else {
      for (int i = 0; i < namespaces.size(); i++) {
        var namespace = String.valueOf(namespaces.get(i));
        for (var complaint : Names.dnsLabel(namespace)) {
          errors.invalid(
              at.index(i),
              namespace,
              "each member of this list must be '*' or a DNS-1123 label; " + complaint);
        }
      }
    }
  }

  private static void validateVerbs(FieldPath path, Tree rule, FieldErrors errors) {
    var verbs = rule.list("verbs");
    var at = path.child("verbs");
    if (verbs.isEmpty()) {
      errors.required(at, "verbs must contain at least one value");
    } else if (verbs.contains(ANY)) {
      alone(at, verbs, "verbs", errors);
    } else if (!VERBS.containsAll(verbs)) {
      errors.notSupported(at, verbs, VERBS);
    }
  }

  private static void aloneOrNamed(
      FieldPath path, List<@Nullable Object> values, String noun, FieldErrors errors) {
    if (values.isEmpty()) {
      errors.required(path, "resource rules must supply at least one " + noun);
    } else if (values.contains(ANY)) {
      alone(path, values, noun + "s", errors);
    }
  }

  private static void alone(
      FieldPath path, List<@Nullable Object> values, String nouns, FieldErrors errors) {
    if (values.size() > 1) {
      errors.invalid(path, values, "if '*' is present, must not specify other " + nouns);
    }
  }

  private static void validateUrls(FieldPath path, Tree rule, FieldErrors errors) {
    validateVerbs(path, rule, errors);
    var urls = rule.list("nonResourceURLs");
    var at = path.child("nonResourceURLs");
    if (urls.isEmpty()) {
      errors.required(at, "nonResourceURLs must contain at least one value");
    } else if (urls.contains(ANY)) {
      alone(at, urls, "non-resource URLs", errors);
    } else {
      for (int i = 0; i < urls.size(); i++) {
        var url = String.valueOf(urls.get(i));
        var complaint = complaintAbout(url);
        if (complaint != null) {
          errors.invalid(at.index(i), url, complaint);
        }
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
