package io.berth.kinds.coordination;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `coordination.k8s.io/v1 leases`
///
/// Mirrors: registry/coordination/lease.leaseStrategy, coordination/validation.ValidateLeaseSpec
public final class LeaseStrategy extends PlainStrategy {

  public LeaseStrategy() {
    super(Resource.LEASES);
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
  public void validateCreate(Cursor object) {
    ObjectMeta.validateCustom(object, true);
    validateSpec(object.at("spec"));
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateAnyUpdate(object, old);
    validateSpec(object.at("spec"));
  }

  private static void validateSpec(Cursor spec) {
    var duration = spec.at("leaseDurationSeconds").ifSet();
    if (duration.number() <= 0) {
      duration.invalid("must be greater than 0");
    }
    spec.at("leaseTransitions").nonNegative();
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object), object.textOrEmpty("spec", "holderIdentity"), Cells.age(object, now));
  }
}
