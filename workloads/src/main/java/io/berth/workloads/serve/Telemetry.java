package io.berth.workloads.serve;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.rest.Call;
import io.berth.workloads.state.State;
import java.util.List;

/// Sums over workloads, now, by up to two of their attributes.
final class Telemetry {

  private final State state;

  private static final List<String> GROUPS =
      List.of(
          "ClusterId",
          "DepartmentId",
          "ProjectId",
          "Type",
          "CurrentNodepools",
          "Phase",
          "Category");

  Telemetry(State state) {
    this.state = state;
  }

  Tree of(Call call, List<Tree> workloads) {
    var type = Sums.type(call);
    amount(type, new Tree());
    var sums = new Sums(call, GROUPS);
    for (var workload : workloads) {
      if (isAskedFor(workload, call)) {
        sums.add(
            amount(type, workload),
            group -> value(workload, group),
            group -> nameOf(workload, group, value(workload, group)));
      }
    }
    return sums.tree(type, state.times().now());
  }

  private static double amount(String type, Tree workload) {
    return switch (type) {
      case "WORKLOADS_COUNT" -> 1;
      case "GPU_ALLOCATION" ->
          workload.at("allocatedResources", "gpu") instanceof Number gpus ? gpus.doubleValue() : 0;
      case "PENDING_TIME_DISTRIBUTION" -> workload.number(0, "totalPendingTimeSeconds");
      default ->
          throw Refusal.badRequest(
              "telemetryType: \"%s\" is none of WORKLOADS_COUNT, GPU_ALLOCATION, PENDING_TIME_DISTRIBUTION"
                  .formatted(type));
    };
  }

  private static boolean isAskedFor(Tree workload, Call call) {
    var phases = call.values("filterByPhases");
    var pool = call.parameter("nodepoolName");
    return (phases.isEmpty() || phases.contains(workload.textOrEmpty("phase")))
        && (pool.isEmpty() || workload.list("currentNodePools").contains(pool))
        && matches(workload, "clusterId", call)
        && matches(workload, "departmentId", call);
  }

  private static boolean matches(Tree workload, String field, Call call) {
    var wanted = call.parameter(field);
    return wanted.isEmpty() || wanted.equals(workload.text(field));
  }

  private static String value(Tree workload, String group) {
    return switch (group) {
      case "ClusterId" -> workload.textOrEmpty("clusterId");
      case "DepartmentId" -> workload.textOrEmpty("departmentId");
      case "ProjectId" -> workload.textOrEmpty("projectId");
      case "Type" -> workload.textOrEmpty("type");
      case "Phase" -> workload.textOrEmpty("phase");
      case "Category" -> workload.textOrEmpty("category");
      case "CurrentNodepools" ->
          String.join(
              ",", workload.list("currentNodePools").stream().map(String::valueOf).toList());
      default -> throw new IllegalArgumentException(group);
    };
  }

  private static String nameOf(Tree workload, String group, String value) {
    return switch (group) {
      case "ProjectId" -> workload.textOrEmpty("projectName");
      case "DepartmentId" -> workload.textOrEmpty("departmentName");
      default -> value;
    };
  }
}
