package io.berth.kinds.apiextensions;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import org.jspecify.annotations.Nullable;

/// Groups of the Kubernetes community take definitions only with an approval.
final class Approval {

  private static final String ANNOTATION = "api-approved.kubernetes.io";
  private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

  private Approval() {}

  private enum State {
    MISSING,
    BYPASSED,
    APPROVED,
    INVALID
  }

  /// `old` is the definition that an update replaces: what it had may stay.
  static void validate(Tree definition, @Nullable Tree old, FieldErrors errors) {
    var group = definition.textOrEmpty("spec", "group");
    if (!isProtected(group, "k8s.io") && !isProtected(group, "kubernetes.io")) {
      return;
    }
    var state = state(definition);
    if (old != null && state(old) == state) {
      return;
    }
    var path = FieldPath.of("metadata", "annotations").key(ANNOTATION);
    if (state == State.MISSING) {
      errors.required(
          path, "protected groups must have approval annotation \"" + ANNOTATION + "\"" + SEE);
    } else if (state == State.INVALID) {
      errors.invalid(
          path,
          annotation(definition),
          "protected groups must have approval annotation \"%s\" with either a URL or a reason starting with \"unapproved\"%s"
              .formatted(ANNOTATION, SEE));
    }
  }

  private static boolean isProtected(String group, String domain) {
    return group.equals(domain) || group.endsWith("." + domain);
  }

  private static String annotation(Tree definition) {
    return definition.textOrEmpty("metadata", "annotations", ANNOTATION);
  }

  private static State state(Tree definition) {
    var annotation = annotation(definition);
    if (annotation.isEmpty()) {
      return State.MISSING;
    }
    if (annotation.startsWith("unapproved")) {
      return State.BYPASSED;
    }
    return annotation.matches("[a-zA-Z][a-zA-Z0-9+.-]*://[^/ ]+.*")
        ? State.APPROVED
        : State.INVALID;
  }
}
