package io.berth.server.access;

import io.berth.api.Tree;
import java.util.List;

/// The secrets of a PersistentVolume that a kubelet needs to mount it. Those for attaching and
/// expanding are for controllers.
final class VolumeSecrets {

  private static final List<String> DRIVERS =
      List.of("cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos");
  private static final List<String> CSI =
      List.of("nodePublishSecretRef", "nodeStageSecretRef", "nodeExpandSecretRef");

  private VolumeSecrets() {}

  static boolean has(Tree volume, String namespace, String name) {
    var spec = volume.treeOrEmpty("spec");
    for (var driver : DRIVERS) {
      if (is(spec.treeOrEmpty(driver).treeOrEmpty("secretRef"), spec, namespace, name)) {
        return true;
      }
    }
    for (var reference : CSI) {
      if (is(spec.treeOrEmpty("csi").treeOrEmpty(reference), spec, namespace, name)) {
        return true;
      }
    }
    var azure = spec.treeOrEmpty("azureFile");
    return is(
        Tree.of(
            "name", azure.textOrEmpty("secretName"),
            "namespace", azure.textOrEmpty("secretNamespace")),
        spec,
        namespace,
        name);
  }

  /// A reference without a namespace means that of the claim.
  private static boolean is(Tree reference, Tree spec, String namespace, String name) {
    var given = reference.textOrEmpty("namespace");
    var where = given.isEmpty() ? spec.textOrEmpty("claimRef", "namespace") : given;
    return reference.textOrEmpty("name").equals(name) && where.equals(namespace);
  }
}
