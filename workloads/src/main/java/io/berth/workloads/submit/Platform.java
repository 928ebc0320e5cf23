package io.berth.workloads.submit;

import io.berth.api.Tree;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.NodePools.Pool;
import io.berth.workloads.org.Projects;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// What is added to where a role asked to run: the project's node types, and multi-node NVLink.
///
/// NVLink is for distributed workloads. Where they insist, pods need nodes that have it; else they
/// prefer them, and to be together there.
public final class Platform {

  public static final String NODE_TYPE_LABEL = "run.ai/type";
  private static final String MNNVL_LABEL = "run.ai/MNNVL";
  private static final List<String> MODES = List.of("None", "Preferred", "Required");

  private final NodePools pools;
  private final Projects projects;

  Platform(NodePools pools, Projects projects) {
    this.pools = pools;
    this.projects = projects;
  }

  /// The expressions that all nodes of a pool must satisfy besides.
  List<Tree> required(WorkloadKind kind, Tree project, Tree role, Pool pool) {
    var expressions = new ArrayList<Tree>();
    var types = projects.nodeTypes(project, kind == WorkloadKind.WORKSPACE);
    if (!types.isEmpty() && !role.has("nodeType")) {
      expressions.add(
          Tree.of(
              "key", NODE_TYPE_LABEL, "operator", "In", "values", new ArrayList<Object>(types)));
    }
    if (mode(kind, role).equals("Required")) {
      expressions.add(exists(pool.accelerationLabel()));
    }
    return expressions;
  }

  /// Nodes with NVLink, as a preference.
  List<Tree> preferred(WorkloadKind kind, Tree role, List<Pool> chosen) {
    return labels(kind, role, chosen).stream()
        .map(label ->
            Tree.of(
                "weight",
                1,
                "preference",
                Tree.of("matchExpressions", new ArrayList<>(List.of(exists(label))))))
        .toList();
  }

  /// The labels of NVLink domains that pods would rather share. A network topology does the same,
  /// and better.
  List<String> domains(WorkloadKind kind, Tree role, List<Pool> chosen) {
    return labels(kind, role, chosen.stream().filter(pool -> !pool.hasTopology()).toList());
  }

  private List<String> labels(WorkloadKind kind, Tree role, List<Pool> chosen) {
    var labels = new LinkedHashSet<String>();
    if (!mode(kind, role).equals("None") && asksForGpus(role)) {
      for (var pool : chosen) {
        if (pools.isAccelerated(pool)) {
          labels.add(pool.accelerationLabel());
        }
      }
    }
    return List.copyOf(labels);
  }

  private static Tree exists(String label) {
    return Tree.of("key", label, "operator", "Exists");
  }

  void check(
      WorkloadKind kind,
      Tree project,
      Tree role,
      List<Pool> chosen,
      String path,
      List<String> problems) {
    checkNodeType(kind, project, role, chosen, path, problems);
    var mode = mode(kind, role);
    if (!MODES.contains(mode)) {
      problems.add(
          "%s.labels: %s is \"%s\", which is none of %s"
              .formatted(path, MNNVL_LABEL, mode, String.join(", ", MODES)));
    }
    if (!mode.equals("Required")) {
      return;
    }
    for (var pool : chosen) {
      if (!pools.isAccelerated(pool)) {
        problems.add(
            "%s.nodePools: %s is Required, and node pool \"%s\" has no multi-node NVLink"
                .formatted(path, MNNVL_LABEL, pool.name()));
      }
    }
    if (!asksForGpus(role)) {
      problems.add(
          "%s.compute.gpuDevicesRequest: %s is Required, and this role asks for no GPU"
              .formatted(path, MNNVL_LABEL));
    }
  }

  /// A node type must be one the project may use, and there must be such nodes in the pools.
  private void checkNodeType(
      WorkloadKind kind,
      Tree project,
      Tree role,
      List<Pool> chosen,
      String path,
      List<String> problems) {
    var type = role.textOrEmpty("nodeType");
    if (type.isEmpty()) {
      return;
    }
    var allowed = projects.nodeTypes(project, kind == WorkloadKind.WORKSPACE);
    if (!allowed.isEmpty() && !allowed.contains(type)) {
      problems.add(
          "%s.nodeType: \"%s\" is none of the project's node types %s"
              .formatted(path, type, allowed));
    }
    var names = chosen.stream().filter(pool -> !pool.isBeingDeleted()).map(Pool::name).toList();
    boolean any =
        names.stream()
            .flatMap(pool -> pools.nodesOf(pool).stream())
            .anyMatch(node -> type.equals(node.at("metadata", "labels", NODE_TYPE_LABEL)));
    if (!any) {
      problems.add(
          "%s.nodeType: no node of node pool %s has label %s=%s"
              .formatted(path, String.join(", ", names), NODE_TYPE_LABEL, type));
    }
  }

  private static boolean asksForGpus(Tree role) {
    return role.number(0, "compute", "gpuDevicesRequest") > 0;
  }

  private static String mode(WorkloadKind kind, Tree role) {
    if (kind != WorkloadKind.DISTRIBUTED) {
      return "None";
    }
    return role.trees("labels").stream()
        .filter(label -> label.textOrEmpty("name").equals(MNNVL_LABEL))
        .map(label -> label.textOrEmpty("value"))
        .findFirst()
        .orElse("Preferred");
  }
}
