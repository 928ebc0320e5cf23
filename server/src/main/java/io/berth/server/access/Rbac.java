package io.berth.server.access;

import io.berth.admission.Derived;
import io.berth.admission.User;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Role-based access control over the stored roles and bindings.
///
/// Bindings are indexed by subject, so that a decision looks at the user's own rules only. The
/// index is thrown away when a role or binding is written, and made again by the next question.
public final class Rbac implements Authorizer {

  public static final String GROUP = "rbac.authorization.k8s.io";
  public static final Resource ROLES = new Resource(GROUP, "v1", "roles", "Role", true);
  public static final Resource CLUSTER_ROLES =
      new Resource(GROUP, "v1", "clusterroles", "ClusterRole", false);
  public static final Resource ROLE_BINDINGS =
      new Resource(GROUP, "v1", "rolebindings", "RoleBinding", true);
  public static final Resource CLUSTER_ROLE_BINDINGS =
      new Resource(GROUP, "v1", "clusterrolebindings", "ClusterRoleBinding", false);

  private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

  private final Objects objects;
  private final Derived<Index> index = new Derived<>();

  public Rbac(Objects objects) {
    this.objects = objects;
  }

  /// To be called when an object of this resource was written.
  public void written(Resource resource) {
    if (resource.group().equals(GROUP)) {
      index.outdate();
    }
  }

  @Override
  public Decision decide(Request request) {
    var missing = new ArrayList<String>();
    for (var granted : grants(request.user(), request.namespace(), missing)) {
      for (var rule : granted.rules()) {
        if (rule.allows(request)) {
          return new Decision(true, granted.reason());
        }
      }
    }
    return new Decision(
        false,
        missing.isEmpty()
            ? ""
            : "rbac: RBAC: " + (missing.size() == 1 ? missing.getFirst() : missing.toString()));
  }

  @Override
  public List<Rule> rules(User user, String namespace) {
    var rules = new ArrayList<Rule>();
    for (var granted : grants(user, namespace, new ArrayList<>())) {
      rules.addAll(granted.rules());
    }
    return rules;
  }

  private List<Granted> grants(User user, String namespace, List<String> missing) {
    var current = index.get(_ -> new Index(objects));
    var granted = new ArrayList<Granted>();
    for (var subject : subjects(user)) {
      collect(current.cluster.get(subject), current, "", granted, missing);
      if (!namespace.isEmpty()) {
        collect(
            current.namespaced.getOrDefault(namespace, Map.of()).get(subject),
            current,
            namespace,
            granted,
            missing);
      }
    }
    return granted;
  }

  private static void collect(
      @Nullable List<Bound> bounds,
      Index index,
      String namespace,
      List<Granted> granted,
      List<String> missing) {
    if (bounds == null) {
      return;
    }
    for (var bound : bounds) {
      var rules = index.rules(bound, namespace);
      if (rules == null) {
        missing.add(
            "%s.%s \"%s\" not found"
                .formatted(bound.clusterRole() ? "clusterrole" : "role", GROUP, bound.role()));
      } else {
        granted.add(new Granted(rules, bound.reason(namespace)));
      }
    }
  }

  private static List<String> subjects(User user) {
    var subjects = new ArrayList<String>();
    subjects.add("User:" + user.name());
    for (var group : user.groups()) {
      subjects.add("Group:" + group);
    }
    if (user.name().startsWith(SERVICE_ACCOUNT)) {
      subjects.add(
          "ServiceAccount:" + user.name().substring(SERVICE_ACCOUNT.length()).replace(':', '/'));
    }
    return subjects;
  }

  private record Granted(List<Rule> rules, String reason) {}

  /// A role as one binding gives it to one subject.
  private record Bound(boolean clusterRole, String role, String binding, String subject) {

    String reason(String namespace) {
      return namespace.isEmpty()
          ? "RBAC: allowed by ClusterRoleBinding \"%s\" of ClusterRole \"%s\" to %s"
              .formatted(binding, role, subject)
          : "RBAC: allowed by RoleBinding \"%s/%s\" of %s \"%s\" to %s"
              .formatted(binding, namespace, clusterRole ? "ClusterRole" : "Role", role, subject);
    }
  }

  private static final class Index {

    final Map<String, List<Bound>> cluster = new HashMap<>();
    final Map<String, Map<String, List<Bound>>> namespaced = new HashMap<>();
    private final Map<String, List<Rule>> clusterRoles = new HashMap<>();
    private final Map<String, List<Rule>> roles = new HashMap<>();

    Index(Objects objects) {
      for (var role : objects.list(CLUSTER_ROLES, "")) {
        clusterRoles.put(role.textOrEmpty("metadata", "name"), Rule.of(role));
      }
      for (var role : objects.list(ROLES, "")) {
        roles.put(
            role.textOrEmpty("metadata", "namespace") + "/" + role.textOrEmpty("metadata", "name"),
            Rule.of(role));
      }
      for (var binding : objects.list(CLUSTER_ROLE_BINDINGS, "")) {
        add(binding, cluster, "");
      }
      for (var binding : objects.list(ROLE_BINDINGS, "")) {
        var namespace = binding.textOrEmpty("metadata", "namespace");
        add(binding, namespaced.computeIfAbsent(namespace, _ -> new HashMap<>()), namespace);
      }
    }

    private static void add(Tree binding, Map<String, List<Bound>> to, String namespace) {
      boolean clusterRole = binding.textOrEmpty("roleRef", "kind").equals("ClusterRole");
      var role = binding.textOrEmpty("roleRef", "name");
      var name = binding.textOrEmpty("metadata", "name");
      for (var subject : binding.trees("subjects")) {
        var kind = subject.textOrEmpty("kind");
        var own = subject.textOrEmpty("name");
        var where = subject.textOrEmpty("namespace");
        boolean account = kind.equals("ServiceAccount");
        var home = where.isEmpty() ? namespace : where;
        var key = kind + ":" + (account ? home + "/" + own : own);
        var shown = "%s \"%s\"".formatted(kind, account ? own + "/" + home : own);
        to.computeIfAbsent(key, _ -> new ArrayList<>())
            .add(new Bound(clusterRole, role, name, shown));
      }
    }

    @Nullable List<Rule> rules(Bound bound, String namespace) {
      return bound.clusterRole()
          ? clusterRoles.get(bound.role())
          : roles.get(namespace + "/" + bound.role());
    }
  }
}
