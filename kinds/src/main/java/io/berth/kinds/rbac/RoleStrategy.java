package io.berth.kinds.rbac;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;

/// `roles` and `clusterroles` of `rbac.authorization.k8s.io/v1`
public final class RoleStrategy extends PlainStrategy {

  private final boolean namespaced;

  public RoleStrategy(Resource resource) {
    super(resource, Names.Rule.PATH_SEGMENT);
    this.namespaced = resource.namespaced();
  }

  @Override
  public boolean allowCreateOnUpdate() {
    return true;
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateRules(object, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateRules(object, errors);
    super.validateUpdate(object, old, errors);
  }

  private void validateRules(Tree object, FieldErrors errors) {
    var rules = object.trees("rules");
    for (int i = 0; i < rules.size(); i++) {
      validateRule(rules.get(i), FieldPath.of("rules").index(i), errors);
    }
    var selectors = object.trees("aggregationRule", "clusterRoleSelectors");
    var path = FieldPath.of("aggregationRule", "clusterRoleSelectors");
    if (object.has("aggregationRule") && selectors.isEmpty()) {
      errors.required(
          path, "at least one clusterRoleSelector required if aggregationRule is non-nil");
    }
    for (int i = 0; i < selectors.size(); i++) {
      LabelSelectors.validate(selectors.get(i), false, path.index(i), errors);
      if (!LabelSelectors.isWellFormed(selectors.get(i))) {
        errors.invalid(path.index(i), null, "invalid label selector.");
      }
    }
  }

  private void validateRule(Tree rule, FieldPath path, FieldErrors errors) {
    if (rule.list("verbs").isEmpty()) {
      errors.declared().required(path.child("verbs"));
    }
    if (!rule.list("nonResourceURLs").isEmpty()) {
      if (namespaced) {
        errors.invalid(
            path.child("nonResourceURLs"),
            rule.list("nonResourceURLs"),
            "namespaced rules cannot apply to non-resource URLs");
      }
      if (!rule.list("apiGroups").isEmpty()
          || !rule.list("resources").isEmpty()
          || !rule.list("resourceNames").isEmpty()) {
        errors.invalid(
            path.child("nonResourceURLs"),
            rule.list("nonResourceURLs"),
            "rules cannot apply to both regular resources and non-resource URLs");
      }
      return;
    }
    if (rule.list("apiGroups").isEmpty()) {
      errors.required(path.child("apiGroups"), "resource rules must supply at least one api group");
    }
    if (rule.list("resources").isEmpty()) {
      errors.required(path.child("resources"), "resource rules must supply at least one resource");
    }
  }
}
