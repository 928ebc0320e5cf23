package io.berth.workloads.org;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How long workloads of a department or project may run or idle, in seconds. A project may be
/// stricter than its department, and no less strict.
public final class SchedulingRules {

  private static final String FIELD = "schedulingRules";

  private SchedulingRules() {}

  /// Refuses what is more than the department allows.
  static void check(Tree request, Tree department) {
    request
        .treeOrEmpty(FIELD)
        .fields()
        .forEach((rule, value) -> {
          if (value instanceof Number own
              && department.at("spec", FIELD, rule) instanceof Number most
              && own.longValue() > most.longValue()) {
            throw Refusal.badRequest(
                "Bad request - schedulingRules.%s: %s is more than the department's %s"
                    .formatted(rule, own, most));
          }
        });
  }

  /// Idle times are kept and shown, and nobody is stopped for them: whoever sets one is told.
  static List<String> warnings(Tree unit) {
    return unit.treeOrEmpty("spec", FIELD).names().stream()
        .filter(rule -> rule.contains("Idle") && unit.at("spec", FIELD, rule) != null)
        .map(rule ->
            "schedulingRules.%s: has no effect, since nothing measures the use of GPUs"
                .formatted(rule))
        .toList();
  }

  /// What holds for a project: of each rule, the stricter one. `null` when there is none.
  public static @Nullable Tree effective(Tree project, @Nullable Tree department) {
    var own = project.treeOrEmpty("spec", FIELD);
    var above = department == null ? new Tree() : department.treeOrEmpty("spec", FIELD);
    var effective = above.copy();
    own.fields()
        .forEach((rule, value) -> {
          if (value instanceof Number seconds
              && !(effective.get(rule) instanceof Number most
                  && most.longValue() < seconds.longValue())) {
            effective.put(rule, value);
          }
        });
    return project.at("spec", FIELD) == null && above.isEmpty() ? null : effective;
  }
}
