package io.berth.workloads.access;

import io.berth.api.Tree;
import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The tree of scopes: system, tenant, cluster, departments, projects.
public final class Scopes {

  private final State state;

  public Scopes(State state) {
    this.state = state;
  }

  public Scope tenant() {
    return new Scope(Level.TENANT, Long.toString(state.tenantId()));
  }

  public Scope cluster() {
    return new Scope(Level.CLUSTER, state.clusterId());
  }

  /// The scope and everything above it, narrowest first.
  public List<Scope> upwards(Scope scope) {
    var chain = new ArrayList<Scope>();
    if (scope.level() == Level.PROJECT) {
      chain.add(scope);
      chain.add(Scope.department(parentOf(scope.id())));
    } else if (scope.level() == Level.DEPARTMENT) {
      chain.add(scope);
    }
    if (scope.level().compareTo(Level.CLUSTER) >= 0) {
      chain.add(cluster());
    }
    if (scope.level().compareTo(Level.TENANT) >= 0) {
      chain.add(tenant());
    }
    chain.add(new Scope(Level.SYSTEM, ""));
    return chain;
  }

  public boolean covers(Scope wide, Scope narrow) {
    for (var scope : upwards(narrow)) {
      boolean single = wide.level().compareTo(Level.CLUSTER) < 0;
      if (scope.level() == wide.level() && (single || scope.id().equals(wide.id()))) {
        return true;
      }
    }
    return false;
  }

  /// Whether there is such a unit.
  public boolean exists(Scope scope) {
    return switch (scope.level()) {
      case SYSTEM -> true;
      case TENANT -> scope.id().equals(tenant().id());
      case CLUSTER -> scope.id().equals(state.clusterId());
      case DEPARTMENT -> find(BerthKinds.DEPARTMENTS, scope.id()).isPresent();
      case PROJECT -> find(BerthKinds.PROJECTS, scope.id()).isPresent();
    };
  }

  public String name(Scope scope) {
    return switch (scope.level()) {
      case SYSTEM -> "system";
      case TENANT -> "tenant";
      case CLUSTER -> state.clusterName();
      case DEPARTMENT -> nameOf(find(BerthKinds.DEPARTMENTS, scope.id()));
      case PROJECT -> nameOf(find(BerthKinds.PROJECTS, scope.id()));
    };
  }

  private String parentOf(String projectId) {
    return find(BerthKinds.PROJECTS, projectId)
        .map(project -> project.textOrEmpty("spec", "parentId"))
        .orElse("");
  }

  private Optional<Tree> find(io.berth.api.Resource resource, String id) {
    return state.table(resource).all().stream()
        .filter(unit -> Long.toString(unit.number(0, "spec", "id")).equals(id))
        .findFirst();
  }

  private static String nameOf(Optional<Tree> unit) {
    return unit.map(each -> each.textOrEmpty("metadata", "name")).orElse("");
  }
}
