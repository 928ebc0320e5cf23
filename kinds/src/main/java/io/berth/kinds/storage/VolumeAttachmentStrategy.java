package io.berth.kinds.storage;

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
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `storage.k8s.io/v1 volumeattachments`
public final class VolumeAttachmentStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");

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
    if (Checks.required(SPEC.child("attacher"), attacher, errors)) {
      Checks.complaints(
          SPEC.child("attacher"),
          attacher,
          Names.dnsSubdomain(attacher.toLowerCase(Locale.ROOT)),
          errors);
    }
    var source = object.treeOrEmpty("spec", "source");
    boolean byName = !source.textOrEmpty("persistentVolumeName").isEmpty();
    boolean inline = source.has("inlineVolumeSpec");
    if (byName && inline) {
      errors.forbidden(
          SPEC.child("source"), "must not specify both persistentVolumeName and inlineVolumeSpec");
    } else if (!byName && !inline) {
      errors.required(
          SPEC.child("source"), "must specify either persistentVolumeName or inlineVolumeSpec");
    }
    Checks.dnsSubdomain(SPEC.child("nodeName"), object.textOrEmpty("spec", "nodeName"), errors);
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
