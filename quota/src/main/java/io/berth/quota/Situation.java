package io.berth.quota;

import io.berth.api.Node;
import io.berth.api.PodDisruptionBudget;
import io.berth.quota.OrgUnit.Department;
import io.berth.quota.OrgUnit.Project;
import io.berth.quota.Outcome.Placement;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Everything a pass looks at; the engine must know the same nodes, and all pods that run.
///
/// `usage` is what projects used on average in the past, by pool and project id; it counts only in
/// pools with a history weight. `budgets` say how many pods may be taken from their places.
/// `promised` is what others made room for in the last pass: it comes before all else, so that
/// nobody gave way in vain.
public record Situation(
    Instant now,
    List<Department> departments,
    List<Project> projects,
    List<NodePool> pools,
    List<Node> nodes,
    List<Gang> gangs,
    Map<String, Map<String, Amounts>> usage,
    List<PodDisruptionBudget> budgets,
    List<Placement> promised) {

  /// Where nobody was promised anything.
  public Situation(
      Instant now,
      List<Department> departments,
      List<Project> projects,
      List<NodePool> pools,
      List<Node> nodes,
      List<Gang> gangs,
      Map<String, Map<String, Amounts>> usage,
      List<PodDisruptionBudget> budgets) {
    this(now, departments, projects, pools, nodes, gangs, usage, budgets, List.of());
  }

  public Situation {
    departments = List.copyOf(departments);
    projects = List.copyOf(projects);
    pools = List.copyOf(pools);
    nodes = List.copyOf(nodes);
    gangs = List.copyOf(gangs);
    usage = Map.copyOf(usage);
    budgets = List.copyOf(budgets);
    promised = List.copyOf(promised);
  }

  public Situation withUnits(List<Department> someDepartments, List<Project> someProjects) {
    return new Situation(
        now, someDepartments, someProjects, pools, nodes, gangs, usage, budgets, promised);
  }

  public Situation withGangs(List<Gang> others) {
    return new Situation(
        now, departments, projects, pools, nodes, others, usage, budgets, promised);
  }

  public Situation withPromised(List<Placement> others) {
    return new Situation(now, departments, projects, pools, nodes, gangs, usage, budgets, others);
  }
}
