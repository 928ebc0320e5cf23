package io.berth.kinds.rbac;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `rolebindings` and `clusterrolebindings` of `rbac.authorization.k8s.io/v1`
///
/// Mirrors: registry/rbac/rolebinding.strategy, rbac/validation.ValidateRoleBinding,
/// ValidateClusterRoleBinding
public final class RoleBindingStrategy extends PlainStrategy {

  private static final String GROUP = "rbac.authorization.k8s.io";

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
  public void validateUpdate(Cursor object, Tree old) {
    validateCreate(object);
    ObjectMeta.validateUpdate(object, old);
    var role = object.at("roleRef");
    if (!role.tree().equals(old.treeOrEmpty("roleRef"))) {
      role.invalid(namespaced ? goReference(role.tree()) : null, Checks.IMMUTABLE);
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

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    var role = object.at("roleRef");
    role.at("apiGroup").supported(List.of(GROUP));
    role.at("kind").supported(namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole"));
    role.at("name").required().follows(Names::pathSegment);
    object.each("subjects", this::validateSubject);
  }

  private void validateSubject(Cursor subject) {
    subject.at("name").declared().required();
    var kind = subject.at("kind");
    switch (kind.text()) {
      case "ServiceAccount" -> {
        subject.at("name").ifFilled().follows(Names::dnsSubdomain);
        subject.at("apiGroup").supported(List.of(""));
        if (!namespaced) {
          subject.at("namespace").required();
        }
      }
      case "User", "Group" -> subject.at("apiGroup").supported(List.of(GROUP));
      default -> kind.notSupported(List.of("ServiceAccount", "User", "Group"));
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
