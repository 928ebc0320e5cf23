package io.berth.kinds.rbac;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `rolebindings` and `clusterrolebindings` of `rbac.authorization.k8s.io/v1`
public final class RoleBindingStrategy extends PlainStrategy {

  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final FieldPath ROLE = FieldPath.of("roleRef");

  private final boolean namespaced;

  public RoleBindingStrategy(Resource resource) {
    super(resource, Names.Rule.PATH_SEGMENT);
    this.namespaced = resource.namespaced();
  }

  @Override
  public void setDefaults(Tree object) {
    var role = object.child("roleRef");
    if (role.textOrEmpty("apiGroup").isEmpty()) {
      role.put("apiGroup", GROUP);
    }
    for (var subject : object.trees("subjects")) {
      var kind = subject.textOrEmpty("kind");
      if (subject.textOrEmpty("apiGroup").isEmpty()
          && (kind.equals("User") || kind.equals("Group"))) {
        subject.put("apiGroup", GROUP);
      }
    }
  }

  @Override
  public boolean allowCreateOnUpdate() {
    return true;
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateBinding(object, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateBinding(object, errors);
    super.validateUpdate(object, old, errors);
    var role = object.treeOrEmpty("roleRef");
    if (!role.equals(old.treeOrEmpty("roleRef"))) {
      errors.invalid(ROLE, namespaced ? goReference(role) : null, Checks.IMMUTABLE);
    }
  }

  private static Tree goReference(Tree role) {
    return Tree.of(
        "APIGroup",
        role.textOrEmpty("apiGroup"),
        "Kind",
        role.textOrEmpty("kind"),
        "Name",
        role.textOrEmpty("name"));
  }

  private void validateBinding(Tree object, FieldErrors errors) {
    var role = object.treeOrEmpty("roleRef");
    var kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
    Checks.supported(ROLE.child("apiGroup"), role.textOrEmpty("apiGroup"), List.of(GROUP), errors);
    Checks.supported(ROLE.child("kind"), role.textOrEmpty("kind"), kinds, errors);
    var name = role.textOrEmpty("name");
    if (Checks.required(ROLE.child("name"), name, errors)) {
      Checks.complaints(ROLE.child("name"), name, Names.pathSegment(name, false), errors);
    }
    var subjects = object.trees("subjects");
    for (int i = 0; i < subjects.size(); i++) {
      validateSubject(subjects.get(i), FieldPath.of("subjects").index(i), errors);
    }
  }

  private void validateSubject(Tree subject, FieldPath path, FieldErrors errors) {
    var name = subject.textOrEmpty("name");
    Checks.required(path.child("name"), name, errors.declared());
    var kind = subject.textOrEmpty("kind");
    var group = subject.textOrEmpty("apiGroup");
    switch (kind) {
      case "ServiceAccount" -> {
        if (!name.isEmpty()) {
          Checks.complaints(path.child("name"), name, Names.dnsSubdomain(name), errors);
        }
        if (!group.isEmpty()) {
          errors.notSupported(path.child("apiGroup"), group, List.of(""));
        }
        if (!namespaced && subject.textOrEmpty("namespace").isEmpty()) {
          errors.required(path.child("namespace"));
        }
      }
      case "User", "Group" -> {
        if (!group.equals(GROUP)) {
          errors.notSupported(path.child("apiGroup"), group, List.of(GROUP));
        }
      }
      default ->
          errors.notSupported(path.child("kind"), kind, List.of("ServiceAccount", "User", "Group"));
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var role = object.treeOrEmpty("roleRef");
    return Cells.row(
        Cells.name(object),
        role.textOrEmpty("kind") + "/" + role.textOrEmpty("name"),
        Cells.age(object, now),
        subjects(object, "User"),
        subjects(object, "Group"),
        subjects(object, "ServiceAccount"));
  }

  private static String subjects(Tree object, String kind) {
    return object.trees("subjects").stream()
        .filter(subject -> subject.textOrEmpty("kind").equals(kind))
        .map(subject ->
            kind.equals("ServiceAccount")
                ? subject.textOrEmpty("namespace") + "/" + subject.textOrEmpty("name")
                : subject.textOrEmpty("name"))
        .collect(Collectors.joining(", "));
  }
}
