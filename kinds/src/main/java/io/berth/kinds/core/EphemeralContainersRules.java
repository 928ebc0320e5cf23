package io.berth.kinds.core;

import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.JsonDiff;
import io.berth.kinds.meta.ObjectMeta;
import org.jspecify.annotations.Nullable;

/// `pods/ephemeralcontainers`: containers may be added, and nothing else.
///
/// Mirrors: registry/core/pod.podEphemeralContainersStrategy,
/// core/validation.ValidatePodEphemeralContainersUpdate
final class EphemeralContainersRules implements UpdateRules {

  @Override
  public void prepareForUpdate(Tree pod, Tree old, Write write) {
    var added = pod.at("spec", "ephemeralContainers");
    Fields.keep(pod, old, "spec");
    Fields.keep(pod, old, "status");
    Fields.keepMetadata(pod, old);
    if (added == null) {
      pod.child("spec").remove("ephemeralContainers");
    } else {
      pod.putAt(added, "spec", "ephemeralContainers");
    }
    Fields.countGeneration(pod, old, "spec");
  }

  @Override
  public void validateUpdate(Cursor pod, Tree old) {
    if (old.texts("metadata", "annotations").containsKey(PodAnnotations.MIRROR)) {
      pod.errors().forbidden(FieldPath.of(""), "static pods do not support ephemeral containers");
      return;
    }
    ObjectMeta.validateUpdate(pod, old);
    PodStrategy.validateMetadataAndSpec(pod, PodOptions.forPod(old));
    PodAnnotations.validateUpdate(pod, old);
    var containers = pod.at("spec", "ephemeralContainers");
    for (var before : old.trees("spec", "ephemeralContainers")) {
      var name = before.textOrEmpty("name");
      var now = find(pod.tree(), name);
      if (now == null) {
        containers.forbidden("existing ephemeral containers \"" + name + "\" may not be removed\n");
      } else if (!Fields.isSame(before, now)) {
        containers.forbidden(
            "existing ephemeral containers \"%s\" may not be changed\n%s"
                .formatted(name, JsonDiff.between(before, now)));
      }
    }
  }

  private static @Nullable Tree find(Tree pod, String name) {
    @Nullable Tree found = null;
    for (var container : pod.trees("spec", "ephemeralContainers")) {
      if (container.textOrEmpty("name").equals(name)) {
        found = container;
      }
    }
    return found;
  }
}
