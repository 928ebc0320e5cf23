package io.berth.workloads.submit;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Volumes of a pod: the storage section, as far as Kubernetes has it without more controllers.
///
/// Git and S3 need a container that fetches; they become empty directories, and [Unapplied] says
/// so.
final class Volumes {

  private static final List<String> KINDS =
      List.of(
          "configMapVolume",
          "dataVolume",
          "emptyDirVolume",
          "git",
          "hostPath",
          "nfs",
          "pvc",
          "s3",
          "secretVolume");

  private Volumes() {}

  static List<Tree> volumes(Tree spec) {
    var volumes = new ArrayList<Tree>();
    int number = 0;
    for (var kind : KINDS) {
      for (var item : spec.trees("storage", kind)) {
        var volume = Tree.of("name", "volume-" + number++);
        var source = source(kind, item);
        source.fields().forEach(volume::put);
        volumes.add(volume);
      }
    }
    if (spec.flag("compute", "largeShmRequest")) {
      volumes.add(Tree.of("name", "shm", "emptyDir", Tree.of("medium", "Memory")));
    }
    return volumes;
  }

  private static Tree source(String kind, Tree item) {
    return switch (kind) {
      case "configMapVolume" ->
          Tree.of(
              "configMap", moded(item, Tree.of("name", item.text("configMap"), "optional", true)));
      case "secretVolume" ->
          Tree.of(
              "secret", moded(item, Tree.of("secretName", item.text("secret"), "optional", true)));
      case "hostPath" -> Tree.of("hostPath", Tree.of("path", item.text("path")));
      case "nfs" ->
          Tree.of("nfs", Tree.of("server", item.text("server"), "path", item.text("path")));
      case "emptyDirVolume" -> Tree.of("emptyDir", given(item, "medium", "sizeLimit"));
      case "pvc" ->
          item.text("claimName") == null
              ? Tree.of("emptyDir", Tree.of())
              : Tree.of("persistentVolumeClaim", Tree.of("claimName", item.text("claimName")));
      default -> Tree.of("emptyDir", Tree.of());
    };
  }

  /// With the mode of its files, which comes as in `0644`.
  private static Tree moded(Tree item, Tree source) {
    var mode = item.textOrEmpty("defaultMode");
    return mode.matches("[0-7]{4}") ? source.put("defaultMode", Long.parseLong(mode, 8)) : source;
  }

  private static Tree given(Tree item, String... fields) {
    var given = new Tree();
    for (var field : fields) {
      if (item.text(field) != null) {
        given.put(field, item.text(field));
      }
    }
    return given;
  }

  static List<Tree> mounts(Tree spec) {
    var mounts = new ArrayList<Tree>();
    int number = 0;
    for (var kind : KINDS) {
      for (var item : spec.trees("storage", kind)) {
        var path = mountPath(kind, item);
        if (path != null) {
          var mount = given(item, "subPath", "mountPropagation");
          mount.put("name", "volume-" + number).put("mountPath", path);
          mounts.add(item.flag("readOnly") ? mount.put("readOnly", true) : mount);
        }
        number++;
      }
    }
    if (spec.flag("compute", "largeShmRequest")) {
      mounts.add(Tree.of("name", "shm", "mountPath", "/dev/shm"));
    }
    return mounts;
  }

  private static @Nullable String mountPath(String kind, Tree item) {
    return switch (kind) {
      case "configMapVolume", "secretVolume", "hostPath", "nfs", "dataVolume" ->
          item.text("mountPath");
      default -> item.text("path");
    };
  }
}
