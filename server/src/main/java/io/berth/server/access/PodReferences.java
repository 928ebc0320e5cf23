package io.berth.server.access;

import io.berth.api.Tree;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Which objects of its namespace a pod refers to by name.
final class PodReferences {

  private PodReferences() {}

  static Set<String> secrets(Tree pod) {
    var names = new HashSet<String>();
    for (var pull : pod.trees("spec", "imagePullSecrets")) {
      names.add(pull.textOrEmpty("name"));
    }
    fromEnvironment(pod, "secretKeyRef", "secretRef", names);
    for (var volume : pod.trees("spec", "volumes")) {
      names.add(volume.textOrEmpty("secret", "secretName"));
      for (var source : volume.trees("projected", "sources")) {
        names.add(source.textOrEmpty("secret", "name"));
      }
      for (var driver : List.of("cephfs", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos")) {
        names.add(volume.textOrEmpty(driver, "secretRef", "name"));
      }
      names.add(volume.textOrEmpty("azureFile", "secretName"));
      names.add(volume.textOrEmpty("csi", "nodePublishSecretRef", "name"));
    }
    return names;
  }

  static Set<String> configMaps(Tree pod) {
    var names = new HashSet<String>();
    fromEnvironment(pod, "configMapKeyRef", "configMapRef", names);
    for (var volume : pod.trees("spec", "volumes")) {
      names.add(volume.textOrEmpty("configMap", "name"));
      for (var source : volume.trees("projected", "sources")) {
        names.add(source.textOrEmpty("configMap", "name"));
      }
    }
    return names;
  }

  static Set<String> claims(Tree pod) {
    var names = new HashSet<String>();
    for (var volume : pod.trees("spec", "volumes")) {
      names.add(volume.textOrEmpty("persistentVolumeClaim", "claimName"));
      if (volume.has("ephemeral")) {
        names.add(pod.textOrEmpty("metadata", "name") + "-" + volume.textOrEmpty("name"));
      }
    }
    return names;
  }

  /// A claim made from a template has the name that the pod's status says.
  static Set<String> resourceClaims(Tree pod) {
    var names = new HashSet<String>();
    for (var claim : pod.trees("spec", "resourceClaims")) {
      names.add(claim.textOrEmpty("resourceClaimName"));
      for (var status : pod.trees("status", "resourceClaimStatuses")) {
        if (status.textOrEmpty("name").equals(claim.textOrEmpty("name"))) {
          names.add(status.textOrEmpty("resourceClaimName"));
        }
      }
    }
    names.add(pod.textOrEmpty("status", "extendedResourceClaimStatus", "resourceClaimName"));
    return names;
  }

  private static void fromEnvironment(
      Tree pod, String keyReference, String wholeReference, Set<String> names) {
    for (var field : List.of("containers", "initContainers", "ephemeralContainers")) {
      for (var container : pod.trees("spec", field)) {
        for (var variable : container.trees("env")) {
          names.add(variable.textOrEmpty("valueFrom", keyReference, "name"));
        }
        for (var source : container.trees("envFrom")) {
          names.add(source.textOrEmpty(wholeReference, "name"));
        }
      }
    }
  }
}
