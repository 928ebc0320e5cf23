package io.berth.kinds.admissionregistration;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bindings of policies: `validatingadmissionpolicybindings` and `mutatingadmissionpolicybindings`
/// of `admissionregistration.k8s.io/v1`.
///
/// Mirrors: admissionregistration/validation.ValidateValidatingAdmissionPolicyBinding,
/// ValidateMutatingAdmissionPolicyBinding
public final class PolicyBindingStrategy extends PlainStrategy {

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
  public void setDefaults(Tree object) {
    MatchResources.setDefaults(object.tree("spec", "matchResources"));
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    var spec = object.at("spec");
    spec.at("policyName").ifFilled().follows(Names::dnsSubdomain);
    spec.at("paramRef").ifSet(ParamKinds::validateRef);
    spec.at("matchResources").ifSet(MatchResources::validate);
    if (validating) {
      validateActions(spec.at("validationActions"));
    } else {
      MatchResources.validateMutable(spec.at("matchResources"));
    }
    // What Kubernetes checks by declaration, it tells last.
    spec.at("policyName").required();
    if (validating) {
      spec.at("validationActions").required();
    }
  }

  private static void validateActions(Cursor actions) {
    var seen = new HashSet<String>();
    actions.each().forEach(action -> action.supported().unique(seen));
    if (seen.contains("Deny") && seen.contains("Warn")) {
      actions.invalid(
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
