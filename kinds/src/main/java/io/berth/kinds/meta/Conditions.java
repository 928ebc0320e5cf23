package io.berth.kinds.meta;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// `metav1.Condition`, the conditions of the newer kinds: one per type, each complete.
public final class Conditions {

  private static final List<String> STATUSES = List.of("False", "True", "Unknown");
  private static final int MAX_REASON_BYTES = 1024;
  private static final int MAX_MESSAGE_BYTES = 32 * 1024;
  private static final String REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
  private static final Pattern REASON_PATTERN = Pattern.compile(REASON);
  private static final String NO_REASON =
      Names.regex(
          "a condition reason must start with alphabetic character, optionally followed by a string"
              + " of alphanumeric characters or '_,:', and must end with an alphanumeric character"
              + " or '_'",
          REASON,
          "my_name",
          "MY_NAME",
          "MyName",
          "ReasonA,ReasonB",
          "ReasonA:ReasonB");

  private Conditions() {}

  public static void validate(FieldPath path, List<Tree> conditions, FieldErrors errors) {
    var types = new HashSet<String>();
    for (int i = 0; i < conditions.size(); i++) {
      var type = conditions.get(i).textOrEmpty("type");
      if (!types.add(type)) {
        errors.duplicate(path.index(i), type);
      }
      validate(path.index(i), conditions.get(i), errors);
    }
  }

  private static void validate(FieldPath path, Tree condition, FieldErrors errors) {
    var type = condition.textOrEmpty("type");
    if (type.isEmpty()) {
      errors.required(path.child("type"), "is required");
    } else {
      Checks.qualifiedName(path.child("type"), type, errors);
    }
    Checks.oneOf(path.child("status"), condition.textOrEmpty("status"), STATUSES, errors);
    long generation = condition.number(0, "observedGeneration");
    if (generation < 0) {
      errors.invalid(
          path.child("observedGeneration"), generation, "must be greater than or equal to zero");
    }
    if (condition.get("lastTransitionTime") == null) {
      errors.required(path.child("lastTransitionTime"));
    }
    var reason = condition.textOrEmpty("reason");
    if (Checks.required(path.child("reason"), reason, errors)) {
      if (!REASON_PATTERN.matcher(reason).matches()) {
        errors.invalid(path.child("reason"), reason, NO_REASON);
      }
      atMost(path.child("reason"), reason, MAX_REASON_BYTES, errors);
    }
    atMost(path.child("message"), condition.textOrEmpty("message"), MAX_MESSAGE_BYTES, errors);
  }

  private static void atMost(FieldPath path, String text, int bytes, FieldErrors errors) {
    if (Names.bytes(text) > bytes) {
      errors.tooLong(path, bytes);
    }
  }
}
