package io.berth.answers.lint;

/// What a rule has to say about a field of a pod template; [Lint] finds the line.
///
/// `field` is the path in the pod, as Kubernetes writes it: `spec.nodeSelector[disk]`.
record Complaint(LintedPod pod, Severity severity, String field, String message, String fix) {}
