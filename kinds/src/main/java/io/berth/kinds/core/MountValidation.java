package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The rules of a container's volume mounts and block devices.
///
/// Mirrors: core/validation.ValidateVolumeMounts, ValidateVolumeDevices
final class MountValidation {

  private static final List<String> RECURSIONS = List.of("Disabled", "Enabled", "IfPossible");

  private final Map<String, Tree> volumes;

  /// `volumes` are the pod's valid ones, by name.
  MountValidation(Map<String, Tree> volumes) {
    this.volumes = volumes;
  }

  void validate(Cursor container) {
    mounts(container, byName(container.each("volumeDevices"), "devicePath"));
    devices(container, byName(container.each("volumeMounts"), "mountPath"));
  }

  private static Map<String, String> byName(List<Cursor> uses, String pathField) {
    var paths = new HashMap<String, String>();
    uses.forEach(use -> paths.put(use.text("name"), use.text(pathField)));
    return paths;
  }

  private void mounts(Cursor container, Map<String, String> devices) {
    var points = new HashSet<String>();
    for (var mount : container.each("volumeMounts")) {
      var name = mount.at("name");
      name.required();
      if (!volumes.containsKey(name.text())) {
        name.notFound();
      }
      var point = mount.at("mountPath");
      point.required();
      if (!points.add(point.text())) {
        point.invalidText("must be unique");
      }
      if (devices.containsKey(name.text())) {
        name.invalidText("must not already exist in volumeDevices");
      }
      if (devices.containsValue(point.text())) {
        point.invalidText("must not already exist as a path in volumeDevices");
      }
      subPaths(mount, container.at("volumeMounts"));
      propagation(mount, container);
    }
  }

  // As in Kubernetes, errors of these fields do not say which mount they belong to.
  private static void subPaths(Cursor mount, Cursor mounts) {
    var all = mounts.with(mount.value());
    Checks.descendingPath(all.at("subPath"));
    var expression = mount.at("subPathExpr").ifFilled();
    if (!mount.text("subPath").isEmpty()) {
      expression.invalid("subPathExpr and subPath are mutually exclusive");
    }
    Checks.descendingPath(all.at("subPathExpr"));
  }

  private static void propagation(Cursor mount, Cursor container) {
    var all = container.at("volumeMounts").with(mount.value());
    var mode = all.at("mountPropagation").ifSet().supported();
    if (mode.is("Bidirectional") && !container.at("securityContext").flag("privileged")) {
      mode.forbidden("Bidirectional mount propagation is available only to privileged containers");
    }
    var recursive = all.at("recursiveReadOnly").ifSet().supported(RECURSIONS);
    if (recursive.is("Enabled") || recursive.is("IfPossible")) {
      if (!mount.flag("readOnly")) {
        recursive.forbidden("may only be specified when readOnly is true");
      }
      if (mode.isSet() && !mode.is("None")) {
        recursive.forbidden("may only be specified when mountPropagation is None or not specified");
      }
    }
  }

  private void devices(Cursor container, Map<String, String> mounts) {
    var names = new HashSet<String>();
    var paths = new HashSet<String>();
    for (var device : container.each("volumeDevices")) {
      var name = device.at("name");
      name.required();
      if (names.contains(name.text())) {
        name.invalid("must be unique");
      }
      var volume = volumes.get(name.text());
      if (volume == null) {
        name.notFound();
      } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
        name.invalid(
            "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
      }
      devicePath(device.at("devicePath"), paths);
      if (mounts.containsKey(name.text())) {
        name.invalidText("must not already exist in volumeMounts");
      }
      if (mounts.containsValue(device.text("devicePath"))) {
        device.at("devicePath").invalidText("must not already exist as a path in volumeMounts");
      }
      if (!name.isEmpty()) {
        names.add(name.text());
      }
    }
  }

  private static void devicePath(Cursor device, Set<String> paths) {
    device.required();
    if (paths.contains(device.text())) {
      device.invalidText("must be unique");
    }
    if (Checks.hasBacksteps(device.text())) {
      device.invalid("can not contain backsteps ('..')");
    } else {
      paths.add(device.text());
    }
  }
}
