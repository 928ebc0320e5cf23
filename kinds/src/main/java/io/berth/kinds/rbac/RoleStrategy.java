package io.berth.kinds.rbac;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import org.jspecify.annotations.Nullable;

/// `roles` and `clusterroles` of `rbac.authorization.k8s.io/v1`
///
/// Mirrors: registry/rbac/role.strategy, rbac/validation.ValidateRole, ValidateClusterRole
public final class RoleStrategy extends PlainStrategy {

  private final boolean namespaced;

  public RoleStrategy(Resource resource) {
    super(resource, Names.Rule.PATH_SEGMENT);
    this.namespaced = resource.namespaced();
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    validateCreate(object);
    ObjectMeta.validateUpdate(object, old);
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    object.each("rules", this::validateRule);
    var selectors = object.at("aggregationRule").ifSet().at("clusterRoleSelectors");
    selectors.required("at least one clusterRoleSelector required if aggregationRule is non-nil");
    for (var selector : selectors.each()) {
      LabelSelectors.validate(selector, false);
      if (!LabelSelectors.isWellFormed(selector.tree())) {
        selector.invalid(null, "invalid label selector.");
      }
    }
  }

  private void validateRule(Cursor rule) {
    rule.at("verbs").declared().required();
    var urls = rule.at("nonResourceURLs");
    if (urls.isEmpty()) {
      rule.at("apiGroups").required("resource rules must supply at least one api group");
      rule.at("resources").required("resource rules must supply at least one resource");
      return;
    }
    if (namespaced) {
      urls.invalid("namespaced rules cannot apply to non-resource URLs");
    }
    if (!rule.at("apiGroups").isEmpty()
        || !rule.at("resources").isEmpty()
        || !rule.at("resourceNames").isEmpty()) {
      urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
    }
  }
}
