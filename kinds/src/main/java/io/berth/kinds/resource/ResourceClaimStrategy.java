package io.berth.kinds.resource;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `resource.k8s.io/v1 resourceclaims`
///
/// Mirrors: registry/resource/resourceclaim.resourceclaimStrategy,
/// resource/validation.ValidateResourceClaim
public final class ResourceClaimStrategy extends PlainStrategy {

  public ResourceClaimStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    DeviceClaims.setDefaults(object.treeOrEmpty("spec"));
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    DeviceClaims.dropDisabled(object.treeOrEmpty("spec"));
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    DeviceClaims.validate(object.at("spec", "devices"));
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    if (Fields.differs(object.tree(), old, "spec")) {
      object.at("spec").invalid(Checks.IMMUTABLE);
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(Cells.name(object), state(object), Cells.age(object, now));
  }

  private static String state(Tree object) {
    var states = new ArrayList<String>();
    if (object.at("metadata", "deletionTimestamp") != null) {
      states.add("deleted");
    }
    boolean allocated = object.at("status", "allocation") != null;
    if (allocated) {
      states.add("allocated");
    } else if (object.at("metadata", "deletionTimestamp") == null) {
      states.add("pending");
    }
    if (!object.list("status", "reservedFor").isEmpty()) {
      states.add("reserved");
    }
    return String.join(",", states);
  }
}
