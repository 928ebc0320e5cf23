package io.berth.controllers.core;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import org.jspecify.annotations.Nullable;

/// Whether a volume gives what a claim asks for. As in Kubernetes, in its order and words.
final class VolumeFit {

  private VolumeFit() {}

  /// Why the claim cannot have the volume; `null` when it can.
  static @Nullable String mismatch(Tree volume, Tree claim) {
    if (Meta.isDeleting(volume)) {
      return "the volume is marked for deletion \"%s\"".formatted(Meta.name(volume));
    }
    if (capacity(volume).compareTo(request(claim)) < 0) {
      return "requested PV is too small";
    }
    if (!className(volume).equals(className(claim))) {
      return "storageClassName does not match";
    }
    if (!attributesClass(volume).equals(attributesClass(claim))) {
      return "volumeAttributesClassName does not match";
    }
    if (!mode(volume).equals(mode(claim))) {
      return "incompatible volumeMode";
    }
    return volume.list("spec", "accessModes").containsAll(claim.list("spec", "accessModes"))
        ? null
        : "incompatible accessMode";
  }

  static String className(Tree object) {
    return object.textOrEmpty("spec", "storageClassName");
  }

  static String mode(Tree object) {
    var mode = object.textOrEmpty("spec", "volumeMode");
    return mode.isEmpty() ? "Filesystem" : mode;
  }

  static String attributesClass(Tree object) {
    return object.textOrEmpty("spec", "volumeAttributesClassName");
  }

  static Quantity capacity(Tree volume) {
    return quantity(volume.text("spec", "capacity", "storage"));
  }

  static Quantity request(Tree claim) {
    return quantity(claim.text("spec", "resources", "requests", "storage"));
  }

  private static Quantity quantity(@Nullable String text) {
    return text == null ? Quantity.ZERO : Quantity.parse(text);
  }
}
