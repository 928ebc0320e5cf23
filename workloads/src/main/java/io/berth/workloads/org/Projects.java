package io.berth.workloads.org;

import io.berth.api.Tree;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.List;
import java.util.Optional;

/// Projects: who submits, into which namespace, with which pools.
public final class Projects {

  private final State state;

  public Projects(State state) {
    this.state = state;
  }

  public Optional<Tree> find(String id) {
    return Units.find(state, BerthKinds.PROJECTS, id);
  }

  public Optional<Tree> findByNamespace(String namespace) {
    return state.units(BerthKinds.PROJECTS).stream()
        .filter(project -> namespace(project).equals(namespace))
        .findFirst();
  }

  public static String id(Tree project) {
    return Units.id(project);
  }

  public static String name(Tree project) {
    return project.textOrEmpty("metadata", "name");
  }

  public static String namespace(Tree project) {
    var requested = project.textOrEmpty("spec", "requestedNamespace");
    return requested.isEmpty() ? "runai-" + name(project) : requested;
  }

  public static String departmentId(Tree project) {
    return project.textOrEmpty("spec", "parentId");
  }

  public Optional<Tree> department(Tree project) {
    return Units.find(state, BerthKinds.DEPARTMENTS, departmentId(project));
  }

  /// The project's default pools, its department's, or the default pool.
  public List<String> defaultNodePools(Tree project) {
    var own = texts(project);
    if (!own.isEmpty()) {
      return own;
    }
    var inherited = department(project).map(Projects::texts).orElse(List.of());
    return inherited.isEmpty() ? List.of(NodePools.DEFAULT) : inherited;
  }

  /// The only node types a project's workloads may run on, its own or its department's; empty when
  /// all are allowed.
  public List<String> nodeTypes(Tree project, boolean workspace) {
    var field = workspace ? "workspace" : "training";
    var own = project.list("spec", "nodeTypes", field);
    var types =
        own.isEmpty()
            ? department(project)
                .map(unit -> unit.list("spec", "nodeTypes", field))
                .orElse(List.of())
            : own;
    return types.stream().map(String::valueOf).toList();
  }

  private static List<String> texts(Tree unit) {
    return unit.list("spec", "defaultNodePools").stream().map(String::valueOf).toList();
  }
}
