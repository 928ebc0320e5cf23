package io.berth.server.access;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.server.access.Authorizer.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Nobody gives away more than they have: roles and bindings may only grant what their writer may
/// do, unless the writer may `escalate` or `bind`.
public final class Escalation {

  private static final String MASTERS = "system:masters";
  private static final List<String> COLLECTED =
      List.of("ownerReferences", "finalizers", "managedFields");

  private final Authorizer authorizer;
  private final Objects objects;

  public Escalation(Authorizer authorizer, Objects objects) {
    this.authorizer = authorizer;
    this.objects = objects;
  }

  /// Refuses a role or binding that grants too much. Other resources pass.
  ///
  /// As in Kubernetes, any change is judged as if the whole were given anew, since a label alone
  /// can hand a role's rules on to another; only what the garbage collector needs is free.
  public void check(Resource resource, Tree object, @Nullable Tree old, User user) {
    if (!resource.group().equals(Rbac.GROUP)
        || user.isIn(MASTERS)
        || (old != null && collectable(object).equals(collectable(old)))) {
      return;
    }
    var namespace = object.textOrEmpty("metadata", "namespace");
    var name = object.textOrEmpty("metadata", "name");
    if (resource.plural().endsWith("bindings")) {
      checkBinding(resource, object, namespace, name, user);
    } else if (!may(user, "escalate", resource.plural(), namespace, old == null ? "" : name)) {
      confirm(resource, name, user, namespace, Rule.of(object));
      if (gathers(object) || (old != null && gathers(old))) {
        confirmAll(resource, name, user);
      }
    }
  }

  /// The object without what may change so that it can be deleted in the end.
  private static Tree collectable(Tree object) {
    var copy = object.copy();
    var metadata = copy.child("metadata");
    COLLECTED.forEach(metadata::remove);
    return copy;
  }

  private static boolean gathers(Tree role) {
    return !role.list("aggregationRule", "clusterRoleSelectors").isEmpty();
  }

  /// What gathers other roles can come to hold anything, and keep it when they are cut.
  private void confirmAll(Resource resource, String name, User user) {
    if (!Rule.uncovered(authorizer.rules(user, ""), Rule.EVERYTHING).isEmpty()) {
      throw ApiException.forbidden(
          resource, name, "must have cluster-admin privileges to use the aggregationRule");
    }
  }

  private void checkBinding(
      Resource resource, Tree binding, String namespace, String name, User user) {
    boolean cluster = binding.textOrEmpty("roleRef", "kind").equals("ClusterRole");
    var role = binding.textOrEmpty("roleRef", "name");
    if (may(user, "bind", cluster ? "clusterroles" : "roles", namespace, role)) {
      return;
    }
    var found =
        cluster
            ? objects.find(Rbac.CLUSTER_ROLES, "", role)
            : objects.find(Rbac.ROLES, namespace, role);
    if (found == null) {
      throw ApiException.notFound(resource, role);
    }
    confirm(resource, name, user, namespace, Rule.of(found));
  }

  private boolean may(User user, String verb, String resource, String namespace, String name) {
    return authorizer
        .decide(new Request(user, verb, Rbac.GROUP, "*", resource, "", namespace, name, ""))
        .allowed();
  }

  private void confirm(
      Resource resource, String name, User user, String namespace, List<Rule> wanted) {
    var missing = Rule.uncovered(authorizer.rules(user, namespace), wanted);
    if (missing.isEmpty()) {
      return;
    }
    var lines = new ArrayList<String>();
    for (var rule : compacted(missing)) {
      lines.add(shown(rule));
    }
    throw ApiException.forbidden(
        resource,
        name,
        "user \"%s\" (groups=%s) is attempting to grant RBAC permissions not currently held:\n%s"
            .formatted(user.name(), quoted(user.groups()), String.join("\n", lines)));
  }

  /// Rules that differ in their verb only become one.
  private static List<Rule> compacted(List<Rule> single) {
    Map<List<Object>, Rule> compact = new LinkedHashMap<>();
    for (var rule : single) {
      if (!rule.paths().isEmpty()) {
        compact.put(List.of(rule), rule);
        continue;
      }
      compact.merge(
          List.of(rule.groups(), rule.resources(), rule.names()),
          rule,
          (one, other) -> {
            var verbs = new ArrayList<>(one.verbs());
            verbs.addAll(other.verbs());
            return new Rule(verbs, one.groups(), one.resources(), one.names(), one.paths());
          });
    }
    var rules = new ArrayList<>(compact.values());
    rules.sort(
        java.util.Comparator.comparing(
            rule -> rule.verbs() + "," + rule.groups() + "," + rule.resources()));
    return rules;
  }

  private static String shown(Rule rule) {
    var parts = new ArrayList<String>();
    add(parts, "APIGroups", rule.groups());
    add(parts, "Resources", rule.resources());
    add(parts, "NonResourceURLs", rule.paths());
    add(parts, "ResourceNames", rule.names());
    add(parts, "Verbs", rule.verbs());
    return "{" + String.join(", ", parts) + "}";
  }

  private static void add(List<String> parts, String label, List<String> values) {
    if (!values.isEmpty()) {
      parts.add(label + ":" + quoted(values));
    }
  }

  private static String quoted(List<String> values) {
    var quoted = new ArrayList<String>();
    values.forEach(value -> quoted.add("\"" + value + "\""));
    return "[" + String.join(" ", quoted) + "]";
  }
}
