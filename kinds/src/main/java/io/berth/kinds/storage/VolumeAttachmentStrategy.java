package io.berth.kinds.storage;

import io.berth.api.FieldError;
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
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `storage.k8s.io/v1 volumeattachments`
public final class VolumeAttachmentStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final int MAX_ATTACHER = 63;

  public VolumeAttachmentStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public boolean deleteReturnsObject() {
    return true;
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusRules());
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", Tree.of("attached", false));
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    var attacher = object.textOrEmpty("spec", "attacher");
    if (Checks.required(SPEC.child("attacher"), attacher, errors.declared())) {
      Checks.complaints(
          SPEC.child("attacher"), attacher, Names.caselessSubdomain(attacher), errors.declared());
      if (attacher.length() > MAX_ATTACHER) {
        errors.declared().add(FieldError.tooLongText(SPEC.child("attacher"), MAX_ATTACHER));
      }
    }
    validateSource(object.treeOrEmpty("spec", "source"), errors);
    Checks.dnsSubdomain(SPEC.child("nodeName"), object.textOrEmpty("spec", "nodeName"), errors);
  }

  private static void validateSource(Tree source, FieldErrors errors) {
    var path = SPEC.child("source");
    var oneOf = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
    boolean byName = source.has("persistentVolumeName");
    boolean inline = source.has("inlineVolumeSpec");
    if (byName && inline) {
      errors.forbidden(path, oneOf);
    } else if (!byName && !inline) {
      errors.required(path, oneOf);
    } else if (byName) {
      var name = source.textOrEmpty("persistentVolumeName");
      if (name.isEmpty()) {
        errors.required(
            path.child("persistentVolumeName"), "must specify non empty persistentVolumeName");
      }
      Checks.dnsSubdomain(path.child("persistentVolumeName"), name, errors);
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    Checks.immutable(SPEC, object.get("spec"), old.get("spec"), errors);
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object),
        object.textOrEmpty("spec", "attacher"),
        object.textOrEmpty("spec", "source", "persistentVolumeName"),
        object.textOrEmpty("spec", "nodeName"),
        object.flag("status", "attached"),
        Cells.age(object, now));
  }
}
