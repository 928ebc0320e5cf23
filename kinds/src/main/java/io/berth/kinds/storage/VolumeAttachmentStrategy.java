package io.berth.kinds.storage;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `storage.k8s.io/v1 volumeattachments`
///
/// Mirrors: registry/storage/volumeattachment.volumeAttachmentStrategy,
/// storage/validation.ValidateVolumeAttachment
public final class VolumeAttachmentStrategy extends PlainStrategy {

  private static final int MAX_ATTACHER = 63;

  public VolumeAttachmentStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", Tree.of("attached", false));
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    var spec = object.at("spec");
    spec.at("attacher")
        .declared()
        .required()
        .follows(Names::caselessSubdomain)
        .atMostCharacters(MAX_ATTACHER);
    validateSource(spec.at("source"));
    spec.at("nodeName").follows(Names::dnsSubdomain);
  }

  private static void validateSource(Cursor source) {
    var oneOf = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
    var name = source.at("persistentVolumeName");
    boolean inline = source.has("inlineVolumeSpec");
    if (name.isSet() && inline) {
      source.forbidden(oneOf);
    } else if (name.isSet()) {
      name.required("must specify non empty persistentVolumeName");
      name.follows(Names::dnsSubdomain);
    } else if (!inline) {
      source.missing(oneOf);
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    object.immutable(old, "spec");
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
