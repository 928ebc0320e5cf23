package io.berth.kinds.apps;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `apps/v1 controllerrevisions`
public final class ControllerRevisionStrategy extends PlainStrategy {

  public ControllerRevisionStrategy() {
    super(Resource.CONTROLLER_REVISIONS);
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    validateRevision(object, errors);
    var data = object.get("data");
    if (data == null) {
      errors.required(FieldPath.of("data"), "data is mandatory");
    } else if (!(data instanceof Tree)) {
      errors.required(FieldPath.of("data"), "data must be a valid JSON object");
    }
  }

  private void validateRevision(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    Checks.nonNegative(FieldPath.of("revision"), object.number(0, "revision"), errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    validateRevision(object, errors);
    Checks.immutable(FieldPath.of("data"), object.get("data"), old.get("data"), errors);
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object),
        controller(object),
        object.number(0, "revision"),
        Cells.age(object, now));
  }

  private static String controller(Tree object) {
    for (var owner : object.trees("metadata", "ownerReferences")) {
      if (owner.flag("controller")) {
        var apiVersion = owner.textOrEmpty("apiVersion");
        int slash = apiVersion.indexOf('/');
        var kind = owner.textOrEmpty("kind").toLowerCase(Locale.ROOT);
        var group = slash < 0 ? "" : "." + apiVersion.substring(0, slash);
        return kind + group + "/" + owner.textOrEmpty("name");
      }
    }
    return Cells.NONE;
  }
}
