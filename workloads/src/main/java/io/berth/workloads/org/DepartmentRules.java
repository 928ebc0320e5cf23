package io.berth.workloads.org;

import io.berth.api.Tree;
import io.berth.workloads.door.Given;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.types.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a department must be: a name and pools that exist; it goes when its projects have gone.
public final class DepartmentRules implements UnitRules {

  static final List<String> KEPT =
      List.of("description", "schedulingRules", "defaultNodePools", "nodeTypes");

  private final State state;
  private final NodePools pools;
  private final Shares shares;

  public DepartmentRules(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
    this.shares = new Shares(pools);
  }

  @Override
  public void check(Tree object, @Nullable Tree old) {
    Given.checkId(object, old);
    var request = Units.asked(object, state);
    Types.REQUESTS.check("DepartmentCreationRequest", request);
    Units.checkName(Projects.name(object));
    kept(request);
    shares.read(request.trees("resources"));
  }

  /// The fields that are kept as they come; checked against what they refer to.
  Tree kept(Tree request) {
    Units.checkPools(pools, request);
    return Units.kept(request, KEPT);
  }

  @Override
  public void checkShares(Tree unit, List<Tree> resources) {}

  @Override
  public List<String> warnings(Tree unit) {
    return SchedulingRules.warnings(unit);
  }

  @Override
  public void checkDeletion(Tree object) {
    if (Projects.name(object).equals(DepartmentRoutes.DEFAULT)) {
      throw Refusal.badRequest("Bad request - the default department cannot be deleted");
    }
    var children =
        state.units(BerthKinds.PROJECTS).stream()
            .filter(project -> Projects.departmentId(project).equals(Units.id(object)))
            .map(Projects::name)
            .toList();
    if (!children.isEmpty()) {
      throw Refusal.badRequest(
          "Bad request - department \"%s\" has projects: %s; delete them first"
              .formatted(Projects.name(object), String.join(", ", children)));
    }
  }

  @Override
  public Tree takenIn(Tree object) {
    return Units.numbered(object, state);
  }
}
