package io.berth.kinds.admissionregistration;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What both kinds of policies have in common.
///
/// Mirrors: admissionregistration/validation.validateValidatingAdmissionPolicySpec,
/// validateMutatingAdmissionPolicySpec
abstract class PolicyStrategy extends PlainStrategy {

  PolicyStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    spec.putIfAbsent("failurePolicy", "Fail");
    MatchResources.setDefaults(spec.tree("matchConstraints"));
  }

  /// Checks what decides whether the policy applies.
  static void validateMatching(Cursor spec) {
    spec.at("failurePolicy").oneOf();
    spec.at("paramKind").ifSet(ParamKinds::validate);
    MatchResources.validateConstraints(spec.at("matchConstraints"));
  }

  /// Conditions that were stored before are taken as they are.
  static void validateConditions(Cursor spec, @Nullable Tree old) {
    var conditions = spec.at("matchConditions");
    boolean same =
        old != null
            && Objects.equals(old.at("spec", "paramKind"), spec.at("paramKind").value())
            && Objects.equals(old.at("spec", "matchConditions"), conditions.value());
    if (!same) {
      MatchConditions.validate(conditions, spec.has("paramKind"));
    }
  }
}
