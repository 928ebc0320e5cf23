package io.berth.kinds.resource;

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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `resource.k8s.io/v1 resourceclaims`
public final class ResourceClaimStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");

  public ResourceClaimStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    DeviceClaims.setDefaults(object.treeOrEmpty("spec"));
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", new Tree());
    DeviceClaims.dropDisabled(object.treeOrEmpty("spec"));
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    DeviceClaims.validate(SPEC.child("devices"), object.treeOrEmpty("spec", "devices"), errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    if (Fields.differs(object, old, "spec")) {
      errors.invalid(SPEC, object.get("spec"), Checks.IMMUTABLE);
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusRules());
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
