package io.berth.answers.lint;

import io.berth.answers.source.Manifest;
import io.berth.api.Pod;

/// A pod as a file describes it: by itself, or `replicas` times as the template of an owner.
///
/// `path` leads from the object to the pod, such as `spec.template.`; it is empty for a bare pod.
public record LintedPod(Manifest manifest, String path, long replicas, Pod pod) {

  /// `Deployment shop/web`, for messages.
  String title() {
    return manifest.kind() + " " + pod.namespace() + "/" + manifest.name();
  }

  boolean isDaemon() {
    return manifest.kind().equals("DaemonSet");
  }

  /// Whether no scheduler is asked: it names its node itself.
  boolean isPinned() {
    return !pod.nodeName().isEmpty();
  }
}
