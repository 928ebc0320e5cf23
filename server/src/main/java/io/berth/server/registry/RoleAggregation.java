package io.berth.server.registry;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.server.access.Rbac;
import io.berth.server.request.LabelSelector;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps the rules of aggregated roles (`admin`, `edit`, `view`) equal to those of the roles they
/// select, as the cluster role aggregation controller of Kubernetes does.
public final class RoleAggregation {

  private final Registry registry;
  private final InstantSource clock;

  public RoleAggregation(Registry registry, InstantSource clock) {
    this.registry = registry;
    this.clock = clock;
  }

  /// Aggregates now and after every write of a role.
  public void start() {
    aggregate();
    registry.observe(resource -> {
      if (resource.equals(Rbac.CLUSTER_ROLES)) {
        aggregate();
      }
    });
  }

  private void aggregate() {
    // One pass may feed the next: edit selects what view selects.
    boolean changed = true;
    for (int pass = 0; changed && pass < 4; pass++) {
      changed = false;
      var roles = registry.objects().list(Rbac.CLUSTER_ROLES, "");
      for (var role : roles) {
        changed |= update(role, roles);
      }
    }
  }

  private boolean update(Tree role, List<Tree> roles) {
    var selectors = role.trees("aggregationRule", "clusterRoleSelectors");
    if (selectors.isEmpty()) {
      return false;
    }
    var rules = new ArrayList<@Nullable Object>();
    for (var selector : selectors) {
      var matching = LabelSelector.ofObject(selector);
      for (var other : roles) {
        if (!other.equals(role) && matching.matches(other.texts("metadata", "labels"))) {
          other.list("rules").stream().filter(rule -> !rules.contains(rule)).forEach(rules::add);
        }
      }
    }
    if (rules.equals(role.list("rules"))) {
      return false;
    }
    write(Rbac.CLUSTER_ROLES, role.copy().put("rules", rules));
    return true;
  }

  private void write(Resource resource, Tree role) {
    var context =
        new Context(
            User.of("system:clusterrole-aggregation-controller", "system:masters"),
            clock.instant(),
            WriteOptions.by("clusterrole-aggregation-controller"));
    try {
      registry.update(
          registry.catalog().of(resource),
          "",
          "",
          role.textOrEmpty("metadata", "name"),
          role,
          context);
    } catch (ApiException e) {
      // Somebody else wrote the role: that write aggregates again.
      if (!e.is("Conflict") && !e.is("NotFound")) {
        throw e;
      }
    }
  }
}
