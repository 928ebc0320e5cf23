package io.berth.workloads.submit;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.access.Scope;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.NodePools.Pool;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Topologies;
import io.berth.workloads.policies.Policies;
import io.berth.workloads.policy.Compliance;
import io.berth.workloads.policy.EffectivePolicy;
import io.berth.workloads.policy.Issue;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A specification on its way to an object: policy, checks, pools, placement.
///
/// The same for both doors: what REST refuses here, an object written with kubectl is marked with.
public final class Submission {

  private static final int MAX_PODS = 10_000;

  private final State state;
  private final NodePools pools;
  private final Projects projects;
  private final Policies policies;
  private final Platform platform;

  public Submission(State state, NodePools pools, Projects projects, Policies policies) {
    this.state = state;
    this.pools = pools;
    this.projects = projects;
    this.policies = policies;
    this.platform = new Platform(pools, projects);
  }

  /// The annotation that keeps which fields policy has filled in.
  public static final String PRESETS = "berth.io/preset-by-policy";

  /// A specification that may run, where each role may, what its owner should know, and which of
  /// its fields the request left to policy.
  public record Accepted(Tree spec, Tree placements, List<String> warnings, List<String> presets) {}

  /// Applies policy, and refuses what may not or can never run.
  public Accepted accept(WorkloadKind kind, Tree project, Tree requested) {
    var effective = policies.inForce(kind.policy(), Scope.project(Projects.id(project)));
    checkNamedOnce(kind, effective, requested);
    var outcome = Compliance.apply(effective, sectioned(kind, requested));
    if (!outcome.issues().isEmpty()) {
      throw Refusal.compliance(outcome.issues().stream().map(Issue::tree).toList());
    }
    var spec = flat(kind, outcome.document(), !requested.treeOrEmpty("master").isEmpty());
    if (kind == WorkloadKind.DISTRIBUTED) {
      spec.putIfAbsent("numWorkers", 1);
      spec.putIfAbsent("distributedFramework", "PyTorch");
    }
    var problems = new ArrayList<String>();
    var placements = new Tree();
    var warnings = new ArrayList<String>();
    var roles = PodRoles.of(Tree.of("kind", kind.resource().kind(), "spec", spec));
    for (var role : roles.all()) {
      var path = path(kind, role.name(), spec);
      var chosen = requestedPools(role.spec(), spec, project, path, problems);
      problems.addAll(Validation.problems(role.spec(), path, labels(chosen)));
      platform.check(kind, project, role.spec(), chosen, path, problems);
      var placement =
          Placement.of(
              role.spec(),
              chosen,
              pool -> platform.required(kind, project, role.spec(), pool),
              platform.preferred(kind, role.spec(), chosen),
              platform.domains(kind, role.spec(), chosen),
              pools);
      warn(role, placement, path, warnings);
      warnings.addAll(Unapplied.warnings(role.spec(), path));
      placements.put(role.name(), placement.tree());
    }
    checkReplicas(spec, problems);
    checkCount(roles, problems);
    checkOnePool(kind, roles, spec, placements, problems);
    var pools = Placement.of(placements.treeOrEmpty(roles.all().getFirst().name())).pools();
    new Topologies(state)
        .findProblem(spec, kind == WorkloadKind.DISTRIBUTED, pools)
        .ifPresent(problems::add);
    if (!problems.isEmpty()) {
      throw Refusal.badRequest("Bad request - " + String.join("; ", new LinkedHashSet<>(problems)));
    }
    return new Accepted(
        spec, placements, List.copyOf(new LinkedHashSet<>(warnings)), presets(requested, spec));
  }

  /// Fields at the top and of roles, as `nodePools` and `master.nodePools`.
  private static List<String> presets(Tree requested, Tree spec) {
    var presets = new ArrayList<String>();
    for (var field : spec.names()) {
      if (!requested.has(field)) {
        presets.add(field);
      } else if (List.of("master", "leader", "worker").contains(field)) {
        for (var inner : spec.treeOrEmpty(field).names()) {
          if (!requested.treeOrEmpty(field).has(inner)) {
            presets.add(field + "." + inner);
          }
        }
      }
    }
    return presets;
  }

  private static void checkNamedOnce(WorkloadKind kind, EffectivePolicy policy, Tree requested) {
    var repeated = Compliance.repeated(policy, sectioned(kind, requested));
    if (!repeated.isEmpty()) {
      var field = repeated.getFirst();
      var path =
          kind == WorkloadKind.DISTRIBUTED
              ? field.replaceFirst("^master", "masterSpec").replaceFirst("^worker", "spec")
              : "spec." + field;
      throw Refusal.badRequest("Bad request - %s is given twice".formatted(path));
    }
  }

  /// Policies of distributed workloads speak of `worker` and `master`; objects keep the worker's
  /// fields at the top.
  private static Tree sectioned(WorkloadKind kind, Tree spec) {
    if (kind != WorkloadKind.DISTRIBUTED) {
      return spec;
    }
    var worker = spec.copy();
    var master = worker.remove("master");
    var sections = Tree.of("worker", worker);
    return master == null ? sections : sections.put("master", master);
  }

  private static Tree flat(WorkloadKind kind, Tree spec, boolean ownMaster) {
    if (kind != WorkloadKind.DISTRIBUTED) {
      return spec;
    }
    var flat = spec.treeOrEmpty("worker").copy();
    var master = spec.tree("master");
    // A master that only has what policy presets is no master of its own: it is like the workers.
    boolean hasMaster = master != null && (ownMaster || master.text("image") != null);
    return hasMaster ? flat.put("master", master) : flat;
  }

  /// Where a request says what a role is like; a master without a say of its own is a worker.
  private static String path(WorkloadKind kind, String role, Tree spec) {
    return switch (kind) {
      case DISTRIBUTED ->
          role.equals("worker") || spec.tree("master") == null ? "spec" : "masterSpec";
      case DISTRIBUTED_INFERENCE -> "spec." + role;
      case WORKSPACE, TRAINING, INFERENCE -> "spec";
    };
  }

  /// The labels that choosing these pools speaks of: an expression on one of them would say twice,
  /// or otherwise, where pods may go.
  private Set<String> labels(List<Pool> chosen) {
    var labels = new HashSet<String>();
    for (var pool : chosen) {
      labels.add(pool.label());
      pools.expressions(pool).forEach(expression -> labels.add(expression.textOrEmpty("key")));
    }
    return labels;
  }

  /// The workload's pools (policy has filled them in), the project's, or the default one. A gang is
  /// placed in one pool, so roles that name none take the workload's.
  private List<Pool> requestedPools(
      Tree role, Tree spec, Tree project, String path, List<String> problems) {
    var named = texts(role);
    if (named.isEmpty()) {
      named = texts(spec);
    }
    if (named.isEmpty()) {
      named = projects.defaultNodePools(project);
    }
    var found = new ArrayList<Pool>();
    for (var name : new LinkedHashSet<>(named)) {
      var pool = pools.find(name);
      if (pool.isEmpty()) {
        problems.add("%s.nodePools: there is no node pool \"%s\"".formatted(path, name));
      } else {
        found.add(pool.get());
      }
    }
    return found;
  }

  private static List<String> texts(Tree spec) {
    return spec.list("nodePools").stream().map(String::valueOf).toList();
  }

  /// A gang is placed in one pool: there must be one that all its roles may use.
  private static void checkOnePool(
      WorkloadKind kind, PodRoles roles, Tree spec, Tree placements, List<String> problems) {
    var first = roles.all().getFirst();
    var pools = Placement.of(placements.treeOrEmpty(first.name())).pools();
    for (var role : roles.all()) {
      var others = Placement.of(placements.treeOrEmpty(role.name())).pools();
      if (!pools.isEmpty() && !others.isEmpty() && Collections.disjoint(pools, others)) {
        problems.add(
            "%s.nodePools: a gang runs in one node pool, and %s is none of those of %s.nodePools, %s"
                .formatted(
                    path(kind, first.name(), spec),
                    String.join(", ", pools),
                    path(kind, role.name(), spec),
                    String.join(", ", others)));
      }
    }
  }

  private static void checkCount(PodRoles roles, List<String> problems) {
    if (roles.podCount() > MAX_PODS) {
      problems.add("spec: a workload has %d pods at most".formatted(MAX_PODS));
    }
  }

  private static void checkReplicas(Tree spec, List<String> problems) {
    long least = spec.number(0, "minReplicas");
    long most = spec.number(Long.MAX_VALUE, "maxReplicas");
    if (least > most) {
      problems.add(
          "spec.maxReplicas: %d is less than minReplicas, which is %d".formatted(most, least));
    }
    var autoscaling = spec.treeOrEmpty("autoscaling");
    long min = autoscaling.number(1, "minReplicas");
    long max = autoscaling.number(Math.max(1, min), "maxReplicas");
    if (min > max) {
      problems.add(
          "spec.autoscaling.maxReplicas: %d is less than minReplicas, which is %d"
              .formatted(max, min));
    }
    if (min < max && !(min == 0 && max == 1) && autoscaling.text("metric") == null) {
      problems.add(
          "spec.autoscaling.metric: is required when minReplicas is less than maxReplicas");
    }
  }

  /// What the vendor accepts although it cannot run now.
  private void warn(PodRoles.Role role, Placement placement, String path, List<String> warnings) {
    if (placement.terms().isEmpty()) {
      return;
    }
    var matching =
        state.table(Resource.NODES).all().stream()
            .filter(node -> Affinities.matches(placement.terms(), node))
            .toList();
    if (matching.isEmpty()) {
      warnings.add(
          "no node of node pool %s matches %s.nodeAffinityRequired now"
              .formatted(String.join(", ", placement.pools()), path));
    }
    long gpus = role.spec().number(0, "compute", "gpuDevicesRequest");
    boolean fits =
        matching.stream()
            .anyMatch(node ->
                gpus
                    <= Long.parseLong(
                        String.valueOf(
                            node.treeOrEmpty("status", "allocatable")
                                    .textOrEmpty("nvidia.com/gpu")
                                    .isEmpty()
                                ? "0"
                                : node.textOrEmpty("status", "allocatable", "nvidia.com/gpu"))));
    if (!matching.isEmpty() && !fits) {
      warnings.add("no matching node has %d GPUs".formatted(gpus));
    }
  }
}
