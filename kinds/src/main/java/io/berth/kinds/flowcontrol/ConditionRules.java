package io.berth.kinds.flowcontrol;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.ObjectMeta;
import java.util.HashSet;

/// The `status` subresource: conditions with a type, each type once.
final class ConditionRules implements UpdateRules {

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keepMetadata(object, old);
    Fields.keepOthers(object, old, "metadata", "status");
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(object, old, errors);
    validate(object, errors);
  }

  static void validate(Tree object, FieldErrors errors) {
    var conditions = object.trees("status", "conditions");
    var seen = new HashSet<String>();
    for (int i = 0; i < conditions.size(); i++) {
      var path = FieldPath.of("status", "conditions").index(i).child("type");
      var type = conditions.get(i).textOrEmpty("type");
      if (!seen.add(type)) {
        errors.duplicate(path, type);
      }
      Checks.required(path, type, errors);
    }
  }
}
