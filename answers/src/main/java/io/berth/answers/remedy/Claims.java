package io.berth.answers.remedy;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// The pod may do without one of its claims: of volumes, or of devices.
final class Claims {

  private Claims() {}

  static List<Family> find(Question question) {
    var families = new ArrayList<Family>();
    for (var volume : question.spec().trees("volumes")) {
      if (volume.has("persistentVolumeClaim") || volume.has("ephemeral")) {
        families.add(Family.of(List.of(new DropVolume(volume.textOrEmpty("name")))));
      }
    }
    for (var claim : question.spec().trees("resourceClaims")) {
      families.add(Family.of(List.of(new DropDevices(claim.textOrEmpty("name")))));
    }
    return families;
  }

  private static List<Tree> containers(Tree spec) {
    var containers = new ArrayList<>(spec.trees("containers"));
    containers.addAll(spec.trees("initContainers"));
    return containers;
  }

  private static boolean removeNamed(Tree holder, String list, String name) {
    return holder.has(list)
        && holder
            .childList(list)
            .removeIf(each -> each instanceof Tree tree && name.equals(tree.text("name")));
  }

  /// A volume goes, and its mounts.
  record DropVolume(String name) implements Remedy.OfPod {

    @Override
    public String what() {
      return "drop volume " + name;
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public boolean edit(Tree spec) {
      for (var container : containers(spec)) {
        removeNamed(container, "volumeMounts", name);
        removeNamed(container, "volumeDevices", name);
      }
      return removeNamed(spec, "volumes", name);
    }
  }

  /// A claim of devices goes, and its uses.
  record DropDevices(String name) implements Remedy.OfPod {

    @Override
    public String what() {
      return "drop resource claim " + name;
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public boolean edit(Tree spec) {
      for (var container : containers(spec)) {
        if (container.has("resources")) {
          removeNamed(container.child("resources"), "claims", name);
        }
      }
      return removeNamed(spec, "resourceClaims", name);
    }
  }
}
