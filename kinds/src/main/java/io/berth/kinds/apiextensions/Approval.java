package io.berth.kinds.apiextensions;

import io.berth.api.FieldError;
import io.berth.api.Tree;
import io.berth.kinds.custom.DefinitionConditions;
import io.berth.kinds.meta.Cursor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Groups of the Kubernetes community take definitions only with an approval.
///
/// Mirrors: apiextensions-apiserver/pkg/apihelpers.GetAPIApprovalState
public final class Approval {

  private static final String ANNOTATION = "api-approved.kubernetes.io";
  private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

  private Approval() {}

  private enum State {
    MISSING("MissingAnnotation"),
    BYPASSED("UnapprovedAnnotation"),
    APPROVED("ApprovedAnnotation"),
    INVALID("InvalidAnnotation");

    private final String reason;

    State(String reason) {
      this.reason = reason;
    }
  }

  /// `old` is the definition that an update replaces: what it had may stay.
  static void validate(Cursor object, @Nullable Tree old) {
    var definition = object.tree();
    if (!isProtected(definition)) {
      return;
    }
    var state = state(definition);
    if (old != null && state(old) == state) {
      return;
    }
    var annotation = object.at("metadata", "annotations").key(ANNOTATION);
    if (state == State.MISSING) {
      annotation.missing(message(state, definition));
    } else if (state == State.INVALID) {
      annotation.invalid(message(state, definition));
    }
  }

  /// Says in a condition of the definition whether it is approved.
  public static void note(Tree definition, Instant now) {
    if (isProtected(definition)) {
      var state = state(definition);
      DefinitionConditions.set(
          definition,
          "KubernetesAPIApprovalPolicyConformant",
          state == State.APPROVED,
          state.reason,
          message(state, definition),
          now);
    }
  }

  private static String message(State state, Tree definition) {
    return switch (state) {
      case MISSING -> "protected groups must have approval annotation \"" + ANNOTATION + "\"" + SEE;
      case BYPASSED -> "not approved: " + FieldError.quoted(annotation(definition));
      case APPROVED -> "approved in " + annotation(definition);
      case INVALID ->
          "protected groups must have approval annotation \"%s\" with either a URL or a reason starting with \"unapproved\"%s"
              .formatted(ANNOTATION, SEE);
    };
  }

  private static boolean isProtected(Tree definition) {
    var group = definition.textOrEmpty("spec", "group");
    return isProtected(group, "k8s.io") || isProtected(group, "kubernetes.io");
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
