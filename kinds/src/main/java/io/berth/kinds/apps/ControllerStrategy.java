package io.berth.kinds.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the controllers of this group share: status apart from spec, generations that count changes
/// of the spec, a selector that never changes, and warnings about the template.
///
/// Mirrors: registry/apps/deployment.deploymentStrategy, deploymentStatusStrategy
abstract class ControllerStrategy extends PlainStrategy {

  ControllerStrategy(Resource resource, Names.Rule nameRule) {
    super(resource, nameRule);
  }

  /// Objections to the spec; `old` is the stored spec on updates.
  abstract void validateSpec(Cursor spec, @Nullable Tree old);

  /// Objections to the status.
  abstract void validateStatus(Cursor status, Tree old);

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", newStatus());
    Fields.firstGeneration(object);
  }

  /// The status of an object nobody has looked at: the counts that are always written, all zero.
  Tree newStatus() {
    return new Tree();
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    validateSpec(object.at("spec"), old == null ? null : old.treeOrEmpty("spec"));
    if (old != null) {
      PodTemplates.validateSameSelector(object.at("spec"), old.treeOrEmpty("spec"));
    }
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
    if (isNewGeneration(object, old)) {
      Fields.nextGeneration(object, old);
    }
  }

  boolean isNewGeneration(Tree object, Tree old) {
    return Fields.differs(object, old, "spec");
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusDoor());
  }

  @Override
  public List<String> warningsOnCreate(Tree object) {
    return PodTemplates.warningsOnCreate(object);
  }

  @Override
  public List<String> warningsOnUpdate(Tree object, Tree old) {
    return PodTemplates.warningsOnUpdate(object, old);
  }

  /// Whether the status subresource leaves labels alone.
  boolean statusKeepsLabels() {
    return false;
  }

  private final class StatusDoor implements UpdateRules {

    @Override
    public void prepareForUpdate(Tree object, Tree old, Write write) {
      Fields.keepOthers(object, old, "metadata", "status");
      if (statusKeepsLabels()) {
        Fields.keep(object.child("metadata"), old.treeOrEmpty("metadata"), "labels");
      }
    }

    @Override
    public void validateUpdate(Cursor object, Tree old) {
      ObjectMeta.validateUpdate(object, old);
      validateStatus(object.at("status"), old.treeOrEmpty("status"));
    }
  }
}
