package io.berth.server.access;

import io.berth.api.Tree;
import io.berth.codec.TextResource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The roles and bindings every Kubernetes cluster starts with, from the text beside this class.
public final class BootstrapRoles {

  private static final String API_VERSION = Rbac.GROUP + "/v1";

  private final List<Tree> objects = new ArrayList<>();
  private @Nullable Tree current;

  private BootstrapRoles() {
    TextResource.lines(BootstrapRoles.class, "roles.txt").forEach(this::read);
  }

  /// ClusterRoles, Roles, ClusterRoleBindings and RoleBindings.
  public static List<Tree> all() {
    return List.copyOf(new BootstrapRoles().objects);
  }

  /// The rules that hold for every kubelet: those of `system:node`.
  public static List<Rule> nodeRules() {
    for (var object : all()) {
      if (object.textOrEmpty("metadata", "name").equals("system:node")
          && object.textOrEmpty("kind").equals("ClusterRole")) {
        return Rule.of(object);
      }
    }
    throw new IllegalStateException("roles.txt has no system:node");
  }

  private void read(String line) {
    var words = line.split("\\s+", -1);
    switch (words[0]) {
      case "clusterrole" -> start("ClusterRole", words[1], "");
      case "role" -> start("Role", words[2], words[1]);
      case "aggregates" -> aggregate(words);
      case "label" -> metadata().child("labels").put(words[1], words[2]);
      case "clusterrolebinding" ->
          bind("ClusterRoleBinding", "", words[1], "ClusterRole", words[2]);
      case "rolebinding" -> bind("RoleBinding", words[1], words[2], "Role", words[3]);
      case "path" -> rule().put("nonResourceURLs", List.of(words[2].split(",", -1)));
      default -> {}
    }
    if (words[0].endsWith("binding")) {
      subjects(words);
    } else if (words[0].equals("path")) {
      lastRule().put("verbs", List.of(words[1].split(",", -1)));
    } else if (words[0].equals("allow")) {
      allow(words);
    }
  }

  private void start(String kind, String name, String namespace) {
    current = object(kind, name, namespace);
    current.put("rules", new ArrayList<@Nullable Object>());
    objects.add(current);
  }

  private static Tree object(String kind, String name, String namespace) {
    var meta = Tree.of("name", name);
    if (!namespace.isEmpty()) {
      meta.put("namespace", namespace);
    }
    meta.put("annotations", Tree.of("rbac.authorization.kubernetes.io/autoupdate", "true"));
    meta.put("labels", Tree.of("kubernetes.io/bootstrapping", "rbac-defaults"));
    return Tree.of("kind", kind, "apiVersion", API_VERSION, "metadata", meta);
  }

  private void aggregate(String[] words) {
    var selector =
        Tree.of(
            "matchLabels", Tree.of("rbac.authorization.k8s.io/aggregate-to-" + words[1], "true"));
    current().put("rules", null);
    current().put("aggregationRule", Tree.of("clusterRoleSelectors", List.of(selector)));
  }

  /// `allow VERBS GROUPS RESOURCES [NAMES]`; the core group is written `core`.
  private void allow(String[] words) {
    var rule = rule();
    var groups = new ArrayList<String>();
    for (var group : words[2].split(",", -1)) {
      groups.add(group.equals("core") ? "" : group);
    }
    rule.put("verbs", List.of(words[1].split(",", -1)));
    rule.put("apiGroups", groups);
    rule.put("resources", List.of(words[3].split(",", -1)));
    if (words.length > 4) {
      rule.put("resourceNames", List.of(words[4].split(",", -1)));
    }
  }

  private void bind(String kind, String namespace, String name, String roleKind, String role) {
    current = object(kind, name, namespace);
    current.put("roleRef", Tree.of("apiGroup", Rbac.GROUP, "kind", roleKind, "name", role));
    objects.add(current);
  }

  private void subjects(String[] words) {
    var subjects = new ArrayList<@Nullable Object>();
    for (int i = words[0].equals("rolebinding") ? 4 : 3; i < words.length; i++) {
      var parts = words[i].split("=", 2);
      subjects.add(subject(parts[0], parts[1]));
    }
    if (!subjects.isEmpty()) {
      current().put("subjects", subjects);
    }
  }

  private static Tree subject(String kind, String name) {
    return switch (kind) {
      case "group" -> Tree.of("kind", "Group", "apiGroup", Rbac.GROUP, "name", name);
      case "user" -> Tree.of("kind", "User", "apiGroup", Rbac.GROUP, "name", name);
      default -> Tree.of("kind", "ServiceAccount", "name", name, "namespace", "kube-system");
    };
  }

  private Tree current() {
    return java.util.Objects.requireNonNull(current, "roles.txt begins with a rule");
  }

  private Tree metadata() {
    return current().child("metadata");
  }

  private Tree rule() {
    var rule = new Tree();
    current().childList("rules").add(rule);
    return rule;
  }

  private Tree lastRule() {
    return current().trees("rules").getLast();
  }
}
