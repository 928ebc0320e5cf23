package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The rules of a container's volume mounts and block devices.
final class MountValidation {

  private final Map<String, Tree> volumes;
  private final FieldErrors errors;

  /// `volumes` are the pod's valid ones, by name.
  MountValidation(Map<String, Tree> volumes, FieldErrors errors) {
    this.volumes = volumes;
    this.errors = errors;
  }

  void validate(Tree container, FieldPath path) {
    var mounts = container.trees("volumeMounts");
    var devices = container.trees("volumeDevices");
    boolean privileged = container.flag("securityContext", "privileged");
    mounts(mounts, byName(devices, "devicePath"), privileged, path.child("volumeMounts"));
    devices(devices, byName(mounts, "mountPath"), path.child("volumeDevices"));
  }

  private static Map<String, String> byName(List<Tree> uses, String pathField) {
    var paths = new HashMap<String, String>();
    uses.forEach(use -> paths.put(use.textOrEmpty("name"), use.textOrEmpty(pathField)));
    return paths;
  }

  private void mounts(
      List<Tree> mounts, Map<String, String> devices, boolean privileged, FieldPath path) {
    var points = new HashSet<String>();
    for (int i = 0; i < mounts.size(); i++) {
      var mount = mounts.get(i);
      var at = path.index(i);
      var name = mount.textOrEmpty("name");
      Checks.required(at.child("name"), name, errors);
      if (!volumes.containsKey(name)) {
        errors.notFound(at.child("name"), name);
      }
      var point = mount.textOrEmpty("mountPath");
      Checks.required(at.child("mountPath"), point, errors);
      if (!points.add(point)) {
        errors.invalid(at.child("mountPath"), point, "must be unique");
      }
      if (devices.containsKey(name)) {
        errors.invalid(at.child("name"), name, "must not already exist in volumeDevices");
      }
      if (devices.containsValue(point)) {
        errors.invalid(
            at.child("mountPath"), point, "must not already exist as a path in volumeDevices");
      }
      subPaths(mount, path, at);
      propagation(mount, privileged, path);
    }
  }

  // As in Kubernetes, errors of these fields do not say which mount they belong to.
  private void subPaths(Tree mount, FieldPath path, FieldPath at) {
    var subPath = mount.textOrEmpty("subPath");
    if (!subPath.isEmpty()) {
      Checks.descendingPath(path.child("subPath"), subPath, errors);
    }
    var expression = mount.textOrEmpty("subPathExpr");
    if (!expression.isEmpty()) {
      if (!subPath.isEmpty()) {
        errors.invalid(
            at.child("subPathExpr"), expression, "subPathExpr and subPath are mutually exclusive");
      }
      Checks.descendingPath(path.child("subPathExpr"), expression, errors);
    }
  }

  private void propagation(Tree mount, boolean privileged, FieldPath path) {
    if (mount.get("mountPropagation") instanceof String mode) {
      Checks.supported(
          path.child("mountPropagation"),
          mode,
          List.of("Bidirectional", "HostToContainer", "None"),
          errors);
      if (mode.equals("Bidirectional") && !privileged) {
        errors.forbidden(
            path.child("mountPropagation"),
            "Bidirectional mount propagation is available only to privileged containers");
      }
    }
    if (mount.get("recursiveReadOnly") instanceof String mode) {
      recursiveReadOnly(mode, mount, path.child("recursiveReadOnly"));
    }
  }

  private void recursiveReadOnly(String mode, Tree mount, FieldPath path) {
    switch (mode) {
      case "Disabled" -> {}
      case "Enabled", "IfPossible" -> {
        if (!mount.flag("readOnly")) {
          errors.forbidden(path, "may only be specified when readOnly is true");
        }
        if (mount.get("mountPropagation") instanceof String other && !other.equals("None")) {
          errors.forbidden(
              path, "may only be specified when mountPropagation is None or not specified");
        }
      }
      default -> errors.notSupported(path, mode, List.of("Disabled", "Enabled", "IfPossible"));
    }
  }

  private void devices(List<Tree> devices, Map<String, String> mounts, FieldPath path) {
    var names = new HashSet<String>();
    var paths = new HashSet<String>();
    for (int i = 0; i < devices.size(); i++) {
      var at = path.index(i);
      var name = devices.get(i).textOrEmpty("name");
      Checks.required(at.child("name"), name, errors);
      if (names.contains(name)) {
        errors.invalid(at.child("name"), name, "must be unique");
      }
      var volume = volumes.get(name);
      if (volume == null) {
        errors.notFound(at.child("name"), name);
      } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
        errors.invalid(
            at.child("name"),
            name,
            "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
      }
      devicePath(devices.get(i).textOrEmpty("devicePath"), paths, at.child("devicePath"));
      if (mounts.containsKey(name)) {
        errors.invalid(at.child("name"), name, "must not already exist in volumeMounts");
      }
      if (mounts.containsValue(devices.get(i).textOrEmpty("devicePath"))) {
        errors.invalid(
            at.child("devicePath"),
            devices.get(i).textOrEmpty("devicePath"),
            "must not already exist as a path in volumeMounts");
      }
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
  }

  private void devicePath(String device, Set<String> paths, FieldPath path) {
    Checks.required(path, device, errors);
    if (paths.contains(device)) {
      errors.invalid(path, device, "must be unique");
    }
    if (Checks.hasBacksteps(device)) {
      errors.invalid(path, device, "can not contain backsteps ('..')");
    } else {
      paths.add(device);
    }
  }
}
