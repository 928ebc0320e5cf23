package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `resource.k8s.io/v1 resourceclaimtemplates`
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
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    ObjectMeta.validateTemplate(
        object.treeOrEmpty("spec", "metadata"), FieldPath.of("spec", "metadata"), errors);
    DeviceClaims.validate(
        FieldPath.of("spec", "spec", "devices"),
        object.treeOrEmpty("spec", "spec", "devices"),
        errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    if (Fields.differs(object, old, "spec")) {
      errors.invalid(FieldPath.of("spec"), object.get("spec"), Checks.IMMUTABLE);
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(Cells.name(object), Cells.age(object, now));
  }
}
