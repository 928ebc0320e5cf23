package io.berth.kinds;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;

/// The `status` subresource of a kind without special rules: everything but status and metadata
/// stays as it was.
///
/// Mirrors: registry/batch/cronjob.cronJobStatusStrategy
public class StatusRules implements UpdateRules {

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keepOthers(object, old, "metadata", "status");
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateUpdate(object, old);
  }
}
