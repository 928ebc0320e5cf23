package io.berth.workloads.submit;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// The roles a workload's pods have: how many pods of which specification.
public record PodRoles(List<Role> all) {

  /// `prefix` comes between the workload's name and a pod's number.
  public record Role(String name, String prefix, int count, Tree spec) {

    /// So many must run together for any to; those beyond, of an elastic training, come and go.
    public int least() {
      long least = name.equals("worker") ? spec.number(0, "minReplicas") : 0;
      return least > 0 ? (int) Math.min(least, count) : count;
    }
  }

  public static PodRoles of(Tree workload) {
    var spec = workload.treeOrEmpty("spec");
    return switch (WorkloadKind.of(workload.textOrEmpty("kind"))) {
      case WORKSPACE -> one("worker", "", 1, spec);
      case TRAINING -> one("worker", "", count(Math.max(1, spec.number(1, "parallelism"))), spec);
      case DISTRIBUTED -> distributed(spec);
      case INFERENCE -> one("worker", "", replicas(spec.treeOrEmpty("autoscaling")), spec);
      case DISTRIBUTED_INFERENCE -> groups(spec);
    };
  }

  private static PodRoles one(String name, String prefix, int count, Tree spec) {
    return new PodRoles(List.of(new Role(name, prefix, count, spec)));
  }

  /// Always-on replicas: no load is simulated, so nothing scales beyond the first number, or to
  /// nothing.
  private static int replicas(Tree autoscaling) {
    long least = autoscaling.number(1, "minReplicas");
    return count(Math.max(least, autoscaling.number(Math.max(1, least), "initialReplicas")));
  }

  private static PodRoles distributed(Tree spec) {
    var roles = new ArrayList<Role>();
    var name = spec.textOrEmpty("distributedFramework").equals("MPI") ? "launcher" : "master";
    if (!spec.textOrEmpty("distributedFramework").equals("JAX")) {
      roles.add(
          new Role(
              name,
              name + "-",
              1,
              spec.tree("master") == null ? spec : spec.treeOrEmpty("master")));
    }
    roles.add(new Role("worker", "worker-", count(spec.number(1, "numWorkers")), spec));
    return new PodRoles(roles);
  }

  /// Each replica is a leader and its workers.
  private static PodRoles groups(Tree spec) {
    var roles = new ArrayList<Role>();
    int replicas = (int) spec.number(1, "replicas");
    int workers = (int) spec.number(0, "workers");
    roles.add(new Role("leader", "leader-", replicas, common(spec, "leader")));
    if (workers > 0) {
      roles.add(new Role("worker", "worker-", replicas * workers, common(spec, "worker")));
    }
    return new PodRoles(roles);
  }

  private static Tree common(Tree spec, String role) {
    var own = spec.treeOrEmpty(role).copy();
    for (var field : List.of("nodePools", "priorityClass", "preemptibility", "category")) {
      if (spec.has(field)) {
        own.put(field, spec.get(field));
      }
    }
    return own;
  }

  /// So many pods run at least, once any does.
  public int leastPods() {
    return all.stream().mapToInt(Role::least).sum();
  }

  public int podCount() {
    return (int) Math.min(Integer.MAX_VALUE, all.stream().mapToLong(Role::count).sum());
  }

  private static int count(long asked) {
    return Math.clamp(asked, 0, Integer.MAX_VALUE);
  }
}
