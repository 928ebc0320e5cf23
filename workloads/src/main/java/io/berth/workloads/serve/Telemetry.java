package io.berth.workloads.serve;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.rest.Call;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Sums over workloads, now, by up to two of their attributes.
final class Telemetry {

  private final State state;

  Telemetry(State state) {
    this.state = state;
  }

  Tree of(Call call, List<Tree> workloads) {
    var type = call.required("telemetryType");
    type = type.substring(type.lastIndexOf('.') + 1);
    var groupBy = call.values("groupBy");
    if (groupBy.size() > 2) {
      throw Refusal.badRequest("groupBy: at most two");
    }
    var sums = new LinkedHashMap<List<Object>, Double>();
    var groups = new LinkedHashMap<List<Object>, List<Object>>();
    for (var workload : workloads) {
      if (!isAskedFor(workload, call)) {
        continue;
      }
      var key = new ArrayList<Object>();
      var shown = new ArrayList<Object>();
      for (var name : groupBy) {
        var value = value(workload, name);
        key.add(value);
        shown.add(Tree.of("key", name, "value", value, "name", nameOf(workload, name, value)));
      }
      sums.merge(key, amount(type, workload), Double::sum);
      groups.putIfAbsent(key, shown);
    }
    var values = new ArrayList<Object>();
    sums.forEach((key, sum) -> {
      var entry = Tree.of("value", Double.toString(sum).replaceAll("\\.0$", ""));
      values.add(groupBy.isEmpty() ? entry : entry.put("groups", groups.get(key)));
    });
    return Tree.of("type", type, "timestamp", state.times().now(), "values", values);
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
      default ->
          throw Refusal.badRequest(
              "groupBy: \"%s\" is none of ClusterId, DepartmentId, ProjectId, Type, CurrentNodepools, Phase, Category"
                  .formatted(group));
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
