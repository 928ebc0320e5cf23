package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What both kinds of policies have in common.
abstract class PolicyStrategy extends PlainStrategy {

  static final FieldPath SPEC = FieldPath.of("spec");
  static final List<String> FAILURE_POLICIES = List.of("Fail", "Ignore");

  PolicyStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    spec.putIfAbsent("failurePolicy", "Fail");
    MatchResources.setDefaults(spec.tree("matchConstraints"));
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.countGeneration(object, old, "spec");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validatePolicy(object, null, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    validatePolicy(object, old, errors);
  }

  abstract void validatePolicy(Tree object, @Nullable Tree old, FieldErrors errors);

  /// Checks what decides whether the policy applies.
  static void validateMatching(Tree spec, FieldErrors errors) {
    Checks.oneOf(
        SPEC.child("failurePolicy"), spec.textOrEmpty("failurePolicy"), FAILURE_POLICIES, errors);
    ParamKinds.validate(spec.tree("paramKind"), SPEC.child("paramKind"), errors);
    MatchResources.validateConstraints(
        spec.tree("matchConstraints"), SPEC.child("matchConstraints"), errors);
  }

  /// Conditions that were stored before are taken as they are.
  static void validateConditions(Tree spec, @Nullable Tree old, FieldErrors errors) {
    boolean same =
        old != null
            && Objects.equals(old.at("spec", "paramKind"), spec.get("paramKind"))
            && Objects.equals(old.at("spec", "matchConditions"), spec.get("matchConditions"));
    if (!same) {
      MatchConditions.validate(
          spec.trees("matchConditions"),
          spec.has("paramKind"),
          SPEC.child("matchConditions"),
          errors);
    }
  }
}
