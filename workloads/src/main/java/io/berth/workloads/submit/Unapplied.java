package io.berth.workloads.submit;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// What a specification may say and Berth does not act on: its owner is told.
final class Unapplied {

  private Unapplied() {}

  static List<String> warnings(Tree spec, String path) {
    var warnings = new ArrayList<String>();
    for (var kind : List.of("git", "s3", "dataVolume")) {
      if (!spec.trees("storage", kind).isEmpty()) {
        warnings.add("%s.storage.%s: stays empty, since nothing fills it".formatted(path, kind));
      }
    }
    if (spec.trees("storage", "pvc").stream().anyMatch(pvc -> pvc.text("claimName") == null)) {
      warnings.add(
          "%s.storage.pvc: without a claimName it is an empty directory; no claim is made"
              .formatted(path));
    }
    if (!spec.trees("exposedUrls").isEmpty()) {
      warnings.add("%s.exposedUrls: no URL is served for a pod".formatted(path));
    }
    if (spec.textOrEmpty("mpiLauncherCreationPolicy").equals("WaitForWorkersReady")) {
      warnings.add(
          "%s.mpiLauncherCreationPolicy: the launcher is part of the gang and starts with it"
              .formatted(path));
    }
    if (spec.number(1, "slotsPerWorker") != 1) {
      warnings.add("%s.slotsPerWorker: no host file is written".formatted(path));
    }
    if (spec.textOrEmpty("security", "uidGidSource").equals("fromIdpToken")) {
      warnings.add(
          "%s.security.uidGidSource: tokens name no user id; runAsUid and runAsGid count"
              .formatted(path));
    }
    var autoscaling = spec.treeOrEmpty("autoscaling");
    long least = autoscaling.number(1, "minReplicas");
    if (autoscaling.number(least, "maxReplicas") > least) {
      warnings.add("%s.autoscaling: no load is measured, so nothing is scaled".formatted(path));
    }
    return warnings;
  }
}
