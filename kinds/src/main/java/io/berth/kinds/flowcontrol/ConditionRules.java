package io.berth.kinds.flowcontrol;

import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashSet;

/// The `status` subresource: conditions with a type, each type once.
///
/// Mirrors: flowcontrol/validation.ValidateFlowSchemaStatus,
/// ValidatePriorityLevelConfigurationStatus
final class ConditionRules implements UpdateRules {

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keepMetadata(object, old);
    Fields.keepOthers(object, old, "metadata", "status");
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateUpdate(object, old);
    var seen = new HashSet<String>();
    for (var condition : object.at("status").each("conditions")) {
      condition.at("type").unique(seen).required();
    }
  }
}
