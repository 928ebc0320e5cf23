package io.berth.workloads.sharing;

import io.berth.quota.Adviser.Advice;
import io.berth.workloads.org.Projects;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Priorities;
import java.math.BigDecimal;
import java.util.Map;

/// What would help, in words for whoever submitted the workload.
final class Suggestions {

  private final State state;
  private final Projects projects;

  Suggestions(State state, Projects projects) {
    this.state = state;
    this.projects = projects;
  }

  String text(Advice advice) {
    return switch (advice) {
      case Advice.BecomePreemptible() ->
          "submit it with preemptibility \"preemptible\": then it may use what others leave";
      case Advice.UsePool(var pool) -> "submit it with nodePools [\"%s\"]".formatted(pool);
      case Advice.RaisePriority(var priority) ->
          "submit it with priorityClass \"%s\": then it comes before others of its project"
              .formatted(priorityName(priority));
      case Advice.RaiseQuota(var unit, var pool, var gpus) ->
          "have the GPU quota of %s in node pool %s raised to %s"
              .formatted(unitName(unit), pool, number(gpus));
      case Advice.RaiseLimit(var unit, var pool, var gpus) ->
          "have the GPU limit of %s in node pool %s raised to %s"
              .formatted(unitName(unit), pool, number(gpus));
    };
  }

  private static String priorityName(int value) {
    return Priorities.all().entrySet().stream()
        .filter(each -> each.getValue() == value)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private String unitName(String id) {
    return projects
        .find(id)
        .map(project -> "project " + Projects.name(project))
        .orElseGet(() -> "department " + departmentName(id));
  }

  private String departmentName(String id) {
    return state.units(BerthKinds.DEPARTMENTS).stream()
        .filter(unit -> Projects.id(unit).equals(id))
        .map(Projects::name)
        .findFirst()
        .orElse(id);
  }

  private static String number(long gpuMillis) {
    return BigDecimal.valueOf(gpuMillis, 3).stripTrailingZeros().toPlainString();
  }
}
