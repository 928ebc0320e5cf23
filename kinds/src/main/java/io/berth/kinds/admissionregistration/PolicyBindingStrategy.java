package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bindings of policies: `validatingadmissionpolicybindings` and `mutatingadmissionpolicybindings`
/// of `admissionregistration.k8s.io/v1`.
public final class PolicyBindingStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");

  private final boolean validating;

  private PolicyBindingStrategy(Resource resource, boolean validating) {
    super(resource);
    this.validating = validating;
  }

  public static PolicyBindingStrategy validating(Resource resource) {
    return new PolicyBindingStrategy(resource, true);
  }

  public static PolicyBindingStrategy mutating(Resource resource) {
    return new PolicyBindingStrategy(resource, false);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public void setDefaults(Tree object) {
    MatchResources.setDefaults(object.tree("spec", "matchResources"));
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
    validateSpec(object.treeOrEmpty("spec"), errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    validateSpec(object.treeOrEmpty("spec"), errors);
  }

  private void validateSpec(Tree spec, FieldErrors errors) {
    var policy = spec.textOrEmpty("policyName");
    if (!policy.isEmpty()) {
      Checks.complaints(SPEC.child("policyName"), policy, Names.dnsSubdomain(policy), errors);
    }
    ParamKinds.validateRef(spec.tree("paramRef"), SPEC.child("paramRef"), errors);
    var match = spec.tree("matchResources");
    MatchResources.validate(match, SPEC.child("matchResources"), errors);
    if (validating) {
      validateActions(spec.list("validationActions"), errors);
    } else {
      MatchResources.validateMutable(match, SPEC.child("matchResources"), errors);
    }
    // What Kubernetes checks by declaration, it tells last.
    Checks.required(SPEC.child("policyName"), policy, errors);
    if (validating && spec.list("validationActions").isEmpty()) {
      errors.required(SPEC.child("validationActions"));
    }
  }

  private static void validateActions(List<@Nullable Object> actions, FieldErrors errors) {
    var path = SPEC.child("validationActions");
    var seen = new HashSet<>();
    for (int i = 0; i < actions.size(); i++) {
      var action = String.valueOf(actions.get(i));
      Checks.supported(path.index(i), action, ACTIONS, errors);
      if (!seen.add(action)) {
        errors.duplicate(path.index(i), action);
      }
    }
    if (seen.contains("Deny") && seen.contains("Warn")) {
      errors.invalid(
          path,
          actions,
          "must not contain both Deny and Warn (repeating the same validation failure information"
              + " in the API response and headers serves no purpose)");
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var spec = object.treeOrEmpty("spec");
    return Cells.row(
        Cells.name(object),
        spec.textOrEmpty("policyName"),
        ParamKinds.refCell(spec.tree("paramRef")),
        Cells.age(object, now));
  }
}
