package io.berth.workloads.control;

import io.berth.api.Tree;
import io.berth.workloads.control.Admission.Obstacle;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Priorities;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a project and its department may have in a pool: non-preemptible workloads stay within the
/// quota, all of them within the limit.
final class Quotas {

  private final State state;
  private final NodePools pools;

  Quotas(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
  }

  @Nullable Obstacle obstacle(Tree workload, Tree project, List<Tree> pods, String pool) {
    var usage = Usage.of(state, pools);
    double wanted = pods.stream().mapToDouble(pod -> Usage.amountOf(pod).gpu()).sum();
    if (wanted == 0) {
      return null;
    }
    var name = Projects.name(project);
    var obstacle =
        obstacle(workload, project, "PROJECT", pool, wanted, held(usage, List.of(name), pool));
    if (obstacle != null) {
      return obstacle;
    }
    var department = new Projects(state).department(project);
    if (department.isEmpty() || entry(department.get(), pool) == null) {
      return null;
    }
    return obstacle(
        workload,
        department.get(),
        "DEPARTMENT",
        pool,
        wanted,
        held(usage, children(department.get()), pool));
  }

  private List<String> children(Tree department) {
    var names = new ArrayList<String>();
    for (var project : state.table(BerthKinds.PROJECTS).all()) {
      if (Projects.departmentId(project).equals(Projects.id(department))) {
        names.add(Projects.name(project));
      }
    }
    return names;
  }

  /// GPUs that units hold: all, and those of non-preemptible workloads. What was admitted and is
  /// not bound yet counts.
  private record Held(double all, double firm) {}

  private Held held(Usage usage, List<String> projects, String pool) {
    double all = 0;
    double firm = 0;
    for (var project : projects) {
      var use = usage.in(project, pool);
      all += use.allocated().gpu();
      firm += use.allocatedNonPreemptible().gpu();
    }
    for (var pod : state.table(io.berth.api.Resource.PODS).all()) {
      if (projects.contains(String.valueOf(pod.at("metadata", "labels", Usage.PROJECT_LABEL)))
          && pool.equals(pod.at("metadata", "annotations", Usage.POOL_LABEL))
          && pod.textOrEmpty("spec", "nodeName").isEmpty()
          && !Admission.isGated(pod)) {
        double gpus = Usage.amountOf(pod).gpu();
        all += gpus;
        firm += "false".equals(pod.at("metadata", "labels", Usage.PREEMPTIBLE_LABEL)) ? gpus : 0;
      }
    }
    return new Held(all, firm);
  }

  private static @Nullable Obstacle obstacle(
      Tree workload, Tree unit, String kind, String pool, double wanted, Held held) {
    var share = entry(unit, pool);
    double quota = share == null ? 0 : number(share.at("gpu", "deserved"), 0);
    double limit =
        share == null
            ? Double.POSITIVE_INFINITY
            : number(share.at("gpu", "limit"), Double.POSITIVE_INFINITY);
    var name = Projects.name(unit);
    if (held.all() + wanted > limit) {
      return new Obstacle(
          pool,
          "OverLimit",
          "%s quota has reached the allowable limit of GPUs. Limit is %s GPUs, currently %s GPUs allocated and workload requested %s GPUs"
              .formatted(name, plain(limit), plain(held.all()), plain(wanted)),
          kind);
    }
    if (!Priorities.isPreemptible(workload) && held.firm() + wanted > quota) {
      return new Obstacle(
          pool,
          "NonPreemptibleOverQuota",
          "Non-preemptible workload is over quota. Workload requested %s GPUs, but %s quota is %s GPUs, while %s GPUs are already allocated for non-preemptible pods. Use a preemptible workload to go over quota."
              .formatted(plain(wanted), name, plain(quota), plain(held.firm())),
          kind);
    }
    return null;
  }

  private static @Nullable Tree entry(Tree unit, String pool) {
    for (var entry : unit.trees("spec", "resources")) {
      if (entry.textOrEmpty("nodePool", "name").equals(pool)) {
        return entry;
      }
    }
    return null;
  }

  private static double number(@Nullable Object value, double absent) {
    return value instanceof Number number ? number.doubleValue() : absent;
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
