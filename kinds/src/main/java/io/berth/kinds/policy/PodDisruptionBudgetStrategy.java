package io.berth.kinds.policy;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.IntOrPercent;
import io.berth.kinds.meta.LabelSelectors;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `policy/v1 poddisruptionbudgets`
///
/// Mirrors: registry/policy/poddisruptionbudget.podDisruptionBudgetStrategy,
/// policy/validation.ValidatePodDisruptionBudgetSpec
public final class PodDisruptionBudgetStrategy extends PlainStrategy {

  private static final List<String> COUNTS =
      List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");

  public PodDisruptionBudgetStrategy() {
    super(Resource.POD_DISRUPTION_BUDGETS);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    COUNTS.forEach(count -> object.child("status").put(count, 0));
  }

  @Override
  public void validateCreate(Cursor object) {
    validateSpec(object.at("spec"), null);
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    validateSpec(object.at("spec"), old.tree("spec", "selector"));
  }

  private static void validateSpec(Cursor spec, @Nullable Tree oldSelector) {
    if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
      spec.invalid(goSpec(spec.tree()), "minAvailable and maxUnavailable cannot be both set");
    }
    for (var limit : spec.fields("minAvailable", "maxUnavailable")) {
      if (limit.isSet()) {
        IntOrPercent.validate(limit);
        IntOrPercent.notMoreThanAll(limit);
      }
    }
    LabelSelectors.validate(spec.at("selector"), LabelSelectors.hasBadValues(oldSelector));
    spec.at("unhealthyPodEvictionPolicy").ifSet().supported();
  }

  private static Tree goSpec(Tree spec) {
    return Tree.of(
        "MinAvailable",
        spec.get("minAvailable"),
        "Selector",
        spec.get("selector"),
        "MaxUnavailable",
        spec.get("maxUnavailable"),
        "UnhealthyPodEvictionPolicy",
        spec.get("unhealthyPodEvictionPolicy"));
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusDoor());
  }

  private static final class StatusDoor extends StatusRules {

    @Override
    public void validateUpdate(Cursor object, Tree old) {
      super.validateUpdate(object, old);
      COUNTS.forEach(count -> object.at("status", count).nonNegative());
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
