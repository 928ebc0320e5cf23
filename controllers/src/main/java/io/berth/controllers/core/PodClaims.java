package io.berth.controllers.core;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.util.ArrayList;
import java.util.List;

/// The claims that a pod's volumes refer to: by name, or made for the pod alone.
final class PodClaims {

  private PodClaims() {}

  /// The names of all of them.
  static List<String> of(Tree pod) {
    var names = new ArrayList<String>();
    for (var volume : pod.trees("spec", "volumes")) {
      var name = nameIn(pod, volume);
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    return names;
  }

  static boolean uses(Tree pod, Tree claim) {
    for (var volume : pod.trees("spec", "volumes")) {
      if (nameIn(pod, volume).equals(Meta.name(claim))
          && (volume.get("ephemeral") == null || isOf(pod, claim))) {
        return true;
      }
    }
    return false;
  }

  private static String nameIn(Tree pod, Tree volume) {
    return volume.get("ephemeral") == null
        ? volume.textOrEmpty("persistentVolumeClaim", "claimName")
        : Meta.name(pod) + "-" + volume.textOrEmpty("name");
  }

  /// Whether the claim was made for this pod, and does not only happen to have the name.
  private static boolean isOf(Tree pod, Tree claim) {
    var owner = Meta.controllerOf(claim);
    return owner != null && owner.textOrEmpty("uid").equals(Meta.uid(pod));
  }
}
