package io.berth.kinds.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `apps/v1 controllerrevisions`
///
/// Mirrors: registry/apps/controllerrevision.strategy,
/// apps/validation.ValidateControllerRevisionCreate
public final class ControllerRevisionStrategy extends PlainStrategy {

  public ControllerRevisionStrategy() {
    super(Resource.CONTROLLER_REVISIONS);
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    var data = object.at("data");
    if (!data.isSet()) {
      data.missing("data is mandatory");
    } else if (data.treeOrNull() == null) {
      data.missing("data must be a valid JSON object");
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateUpdate(object, old);
    super.validateCreate(object);
    object.immutable(old, "data");
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    object.at("revision").nonNegative();
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
