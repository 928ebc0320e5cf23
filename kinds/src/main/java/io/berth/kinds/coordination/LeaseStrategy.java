package io.berth.kinds.coordination;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `coordination.k8s.io/v1 leases`
public final class LeaseStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");

  public LeaseStrategy() {
    super(Resource.LEASES);
  }

  @Override
  public boolean allowCreateOnUpdate() {
    return true;
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    dropDisabled(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    dropDisabled(object);
  }

  // Behind the gate of coordinated leader election, which is off.
  private static void dropDisabled(Tree object) {
    var spec = object.tree("spec");
    if (spec != null) {
      spec.remove("strategy");
      spec.remove("preferredHolder");
    }
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    ObjectMeta.validateCustom(object, true, errors);
    validateSpec(object.treeOrEmpty("spec"), errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    ObjectMeta.validateAnyUpdate(object, old, errors);
    validateSpec(object.treeOrEmpty("spec"), errors);
  }

  private static void validateSpec(Tree spec, FieldErrors errors) {
    if (spec.get("leaseDurationSeconds") instanceof Long seconds && seconds <= 0) {
      errors.invalid(SPEC.child("leaseDurationSeconds"), seconds, "must be greater than 0");
    }
    Checks.nonNegative(SPEC.child("leaseTransitions"), spec.number(0, "leaseTransitions"), errors);
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object), object.textOrEmpty("spec", "holderIdentity"), Cells.age(object, now));
  }
}
