package io.berth.kinds;

import io.berth.api.FieldErrors;
import io.berth.api.Tree;
import io.berth.kinds.meta.ObjectMeta;

/// The `status` subresource of a kind without special rules: everything but status and metadata
/// stays as it was.
public class StatusRules implements UpdateRules {

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keepOthers(object, old, "metadata", "status");
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(object, old, errors);
  }
}
