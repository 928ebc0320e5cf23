package io.berth.kinds.resource;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `resource.k8s.io/v1 resourceclaimtemplates`
///
/// Mirrors: registry/resource/resourceclaimtemplate.resourceClaimTemplateStrategy,
/// resource/validation.ValidateResourceClaimTemplate
public final class ResourceClaimTemplateStrategy extends PlainStrategy {

  public ResourceClaimTemplateStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    DeviceClaims.setDefaults(object.treeOrEmpty("spec", "spec"));
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    DeviceClaims.dropDisabled(object.treeOrEmpty("spec", "spec"));
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    ObjectMeta.validateTemplate(object.at("spec", "metadata"));
    DeviceClaims.validate(object.at("spec", "spec", "devices"));
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
    return Cells.row(Cells.name(object), Cells.age(object, now));
  }
}
