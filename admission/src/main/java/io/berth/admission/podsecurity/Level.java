package io.berth.admission.podsecurity;

import io.berth.api.Tree;
import java.util.List;
import java.util.stream.Collectors;

/// A level of the standards at a version: `baseline:latest`, `restricted:v1.30`.
public record Level(String name, int minor) {

  /// No pod is refused.
  public static final Level PRIVILEGED = new Level("privileged", Level.LATEST);

  static final int LATEST = Integer.MAX_VALUE;

  /// What is wrong with the pod, in the order of the rules' names.
  public List<Violation> violations(Tree pod) {
    return Checks.of(this).stream().flatMap(check -> check.test(pod).stream()).toList();
  }

  /// `host namespaces (hostNetwork=true), privileged (…)`
  public static String text(List<Violation> violations) {
    return violations.stream().map(Violation::toString).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name + ":" + (minor == LATEST ? "latest" : "v1." + minor);
  }

  /// One rule that a pod breaks; `detail` may be empty.
  public record Violation(String reason, String detail) {

    @Override
    public String toString() {
      return detail.isEmpty() ? reason : "%s (%s)".formatted(reason, detail);
    }
  }
}
