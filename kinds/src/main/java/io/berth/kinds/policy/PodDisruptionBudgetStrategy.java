package io.berth.kinds.policy;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.IntOrPercent;
import io.berth.kinds.meta.LabelSelectors;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `policy/v1 poddisruptionbudgets`
public final class PodDisruptionBudgetStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final List<String> POLICIES = List.of("AlwaysAllow", "IfHealthyBudget");
  private static final List<String> COUNTS =
      List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");

  public PodDisruptionBudgetStrategy() {
    super(Resource.POD_DISRUPTION_BUDGETS);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", new Tree());
    COUNTS.forEach(count -> object.child("status").put(count, 0));
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
    Fields.countGeneration(object, old, "spec");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    validateSpec(object.treeOrEmpty("spec"), null, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    validateSpec(object.treeOrEmpty("spec"), old.treeOrEmpty("spec"), errors);
  }

  private static void validateSpec(Tree spec, @Nullable Tree old, FieldErrors errors) {
    var minimum = spec.get("minAvailable");
    var maximum = spec.get("maxUnavailable");
    if (minimum != null && maximum != null) {
      errors.invalid(
          SPEC,
          Tree.of(
              "MinAvailable",
              minimum,
              "Selector",
              spec.get("selector"),
              "MaxUnavailable",
              maximum,
              "UnhealthyPodEvictionPolicy",
              spec.get("unhealthyPodEvictionPolicy")),
          "minAvailable and maxUnavailable cannot be both set");
    }
    for (var field : List.of("minAvailable", "maxUnavailable")) {
      var value = spec.get(field);
      if (value != null) {
        IntOrPercent.validate(SPEC.child(field), value, errors);
        IntOrPercent.notMoreThanAll(SPEC.child(field), value, errors);
      }
    }
    boolean lenient = old != null && LabelSelectors.hasBadValues(old.tree("selector"));
    LabelSelectors.validate(spec.tree("selector"), lenient, SPEC.child("selector"), errors);
    var policy = spec.text("unhealthyPodEvictionPolicy");
    if (policy != null) {
      Checks.supported(SPEC.child("unhealthyPodEvictionPolicy"), policy, POLICIES, errors);
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusDoor());
  }

  private static final class StatusDoor extends StatusRules {

    @Override
    public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
      super.validateUpdate(object, old, errors);
      for (var field : COUNTS) {
        Checks.nonNegative(STATUS.child(field), object.number(0, "status", field), errors);
      }
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object),
        limit(object.at("spec", "minAvailable")),
        limit(object.at("spec", "maxUnavailable")),
        object.number(0, "status", "disruptionsAllowed"),
        Cells.age(object, now));
  }

  private static String limit(@Nullable Object value) {
    return value == null ? "N/A" : value.toString();
  }
}
