package io.berth.answers.lint;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.api.Pod;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// The pods that files describe. What was made by somebody else is his to write: it is left out.
final class LintedPods {

  private LintedPods() {}

  static List<LintedPod> of(Survey survey) {
    var pods = new ArrayList<LintedPod>();
    for (var manifest : survey.manifests()) {
      if (!manifest.origin().isCluster() && !isMade(manifest.tree())) {
        add(manifest, survey, pods);
      }
    }
    return pods;
  }

  private static void add(Manifest manifest, Survey survey, List<LintedPod> pods) {
    if (manifest.kind().equals(Pod.KIND)) {
      survey
          .findPod(manifest.namespace(), manifest.name())
          .ifPresent(pod -> pods.add(new LintedPod(manifest, "", 1, pod.pod())));
    } else if (manifest.template().isPresent()) {
      var pod = survey.podOf(manifest, manifest.name()).pod();
      pods.add(new LintedPod(manifest, path(manifest), replicas(manifest), pod));
    }
  }

  private static boolean isMade(Tree object) {
    return object.trees("metadata", "ownerReferences").stream()
        .anyMatch(owner -> owner.flag("controller"));
  }

  private static String path(Manifest manifest) {
    return manifest.kind().equals("CronJob") ? "spec.jobTemplate.spec.template." : "spec.template.";
  }

  private static long replicas(Manifest manifest) {
    var spec =
        manifest.kind().equals("CronJob")
            ? manifest.tree().treeOrEmpty("spec", "jobTemplate", "spec")
            : manifest.tree().treeOrEmpty("spec");
    return switch (manifest.kind()) {
      case "DaemonSet" -> 1;
      case "Job", "CronJob" ->
          Math.min(spec.number(1, "parallelism"), spec.number(Long.MAX_VALUE, "completions"));
      default -> spec.number(1, "replicas");
    };
  }
}
