package io.berth.kinds.core;

import io.berth.api.Tree;
import java.util.List;

/// What a volume says when its author does not.
///
/// Mirrors: core/v1.SetDefaults_Volume
final class VolumeDefaults {

  private VolumeDefaults() {}

  static void apply(Tree volume) {
    if (volume.names().stream().noneMatch(field -> volume.get(field) instanceof Tree)) {
      volume.put("emptyDir", new Tree());
    }
    if (volume.at("image") instanceof Tree image && image.textOrEmpty("pullPolicy").isEmpty()) {
      image.put("pullPolicy", PodSpecDefaults.pullPolicy(image.textOrEmpty("reference")));
    }
    for (var source : List.of("secret", "configMap", "downwardAPI", "projected")) {
      if (volume.at(source) instanceof Tree tree) {
        tree.putIfAbsent("defaultMode", 0644);
      }
    }
    downwardItems(volume.treeOrEmpty("downwardAPI"));
    volume.trees("projected", "sources").forEach(VolumeDefaults::projection);
    if (volume.at("ephemeral", "volumeClaimTemplate") instanceof Tree template) {
      template.child("metadata");
      template.child("spec").putIfAbsent("volumeMode", "Filesystem");
    }
    source(volume);
  }

  /// Sources that pods and persistent volumes share.
  static void source(Tree volume) {
    if (volume.at("hostPath") instanceof Tree hostPath) {
      hostPath.putIfAbsent("type", "");
    }
    if (volume.at("iscsi") instanceof Tree iscsi) {
      PodSpecDefaults.text(iscsi, "iscsiInterface", "default");
    }
    if (volume.at("rbd") instanceof Tree rbd) {
      PodSpecDefaults.text(rbd, "pool", "rbd");
      PodSpecDefaults.text(rbd, "user", "admin");
      PodSpecDefaults.text(rbd, "keyring", "/etc/ceph/keyring");
    }
    if (volume.at("azureDisk") instanceof Tree disk) {
      disk.putIfAbsent("cachingMode", "ReadWrite");
      disk.putIfAbsent("fsType", "ext4");
      disk.putIfAbsent("readOnly", false);
      disk.putIfAbsent("kind", "Shared");
    }
    if (volume.at("scaleIO") instanceof Tree scaleIo) {
      PodSpecDefaults.text(scaleIo, "storageMode", "ThinProvisioned");
      PodSpecDefaults.text(scaleIo, "fsType", "xfs");
    }
  }

  private static void projection(Tree projection) {
    downwardItems(projection.treeOrEmpty("downwardAPI"));
    if (projection.at("serviceAccountToken") instanceof Tree token) {
      token.putIfAbsent("expirationSeconds", 3600);
    }
  }

  private static void downwardItems(Tree source) {
    for (var item : source.trees("items")) {
      PodSpecDefaults.fieldReference(item.tree("fieldRef"));
      if (item.at("resourceFieldRef") instanceof Tree resource) {
        resource.putIfAbsent("divisor", "0");
      }
    }
  }
}
