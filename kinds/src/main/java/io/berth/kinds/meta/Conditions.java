package io.berth.kinds.meta;

import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// `metav1.Condition`, the conditions of the newer kinds: one per type, each complete.
///
/// Mirrors: apimachinery/pkg/apis/meta/v1/validation.ValidateConditions
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

  public static void validate(Cursor conditions) {
    var types = new HashSet<String>();
    for (var condition : conditions.each()) {
      if (!types.add(condition.text("type"))) {
        condition.duplicate(condition.text("type"));
      }
      validateOne(condition);
    }
  }

  private static void validateOne(Cursor condition) {
    condition.at("type").required("is required").follows(Names::qualifiedName);
    condition.at("status").oneOf(STATUSES);
    if (condition.number("observedGeneration") < 0) {
      condition.at("observedGeneration").invalid("must be greater than or equal to zero");
    }
    condition.at("lastTransitionTime").required();
    var reason = condition.at("reason").required();
    if (reason.isSet() && !REASON_PATTERN.matcher(reason.text()).matches()) {
      reason.invalid(NO_REASON);
    }
    reason.atMostBytes(MAX_REASON_BYTES);
    condition.at("message").atMostBytes(MAX_MESSAGE_BYTES);
  }
}
