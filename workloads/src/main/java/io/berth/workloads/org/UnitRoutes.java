package io.berth.workloads.org;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What can be done to departments and projects alike: read them, and share out quota.
final class UnitRoutes {

  private final State state;
  private final NodePools pools;
  private final UnitKind kind;
  private final UnitRules rules;
  private final Shares shares;
  private final UnitView view;

  UnitRoutes(State state, NodePools pools, UnitKind kind, UnitRules rules) {
    this.state = state;
    this.pools = pools;
    this.kind = kind;
    this.rules = rules;
    this.shares = new Shares(pools);
    this.view = new UnitView(state, pools);
  }

  void addTo(Routes routes) {
    var one = kind.path() + "/{" + kind.id() + "}";
    routes
        .get(kind.path(), "get_" + kind.plural(), this::list)
        .needs(Action.READ, kind.access())
        .query("filterBy[]", "sortBy", "sortOrder", "offset", "limit", "search", "verbosity");
    routes
        .get(kind.path() + "/count", "count_" + kind.plural(), this::count)
        .needs(Action.READ, kind.access())
        .query("filterBy[]", "search");
    routes
        .get(one, "get_" + kind.singular(), call -> shown(found(call, Action.READ)))
        .needs(Action.READ, kind.access());
    routes
        .get(
            one + "/resources",
            "get_%s_resources".formatted(kind.singular()),
            call -> Answer.json(200, resources(found(call, Action.READ))))
        .needs(Action.READ, kind.access());
    routes
        .put(
            one + "/resources",
            "update_%s_resources".formatted(kind.singular()),
            call -> share(call, false))
        .needs(Action.UPDATE, kind.access())
        .takes("[ResourcesNullable]")
        .answers(200);
    routes
        .patch(
            one + "/resources",
            "patch_%s_resources".formatted(kind.singular()),
            call -> share(call, true))
        .needs(Action.UPDATE, kind.access())
        .takes("[ResourcesNullable]")
        .answers(200);
  }

  private Answer list(Call call) {
    var page = ListRequest.of(call.request(), kind.columns()).page(visible(call));
    return Answer.json(200, page.body(kind.plural()));
  }

  private Answer count(Call call) {
    var request = ListRequest.of(call.request(), kind.columns());
    return Answer.json(200, Tree.of("count", request.select(visible(call)).size()));
  }

  private List<Tree> visible(Call call) {
    var usage = Usage.of(state, pools);
    var visible = new ArrayList<Tree>();
    for (var unit : state.units(kind.resource())) {
      if (call.caller().sees(kind.access(), kind.scope(Units.id(unit)))) {
        visible.add(view(unit, usage));
      }
    }
    return visible;
  }

  private Tree view(Tree unit, Usage usage) {
    return switch (kind) {
      case DEPARTMENT -> view.department(unit, usage);
      case PROJECT -> view.project(unit, usage);
    };
  }

  /// The unit that a path names, if the caller may do this to it.
  Tree found(Call call, Action action) {
    var id = call.path(kind.id());
    var unit = Units.find(state, kind.resource(), id).orElseThrow(Refusal::notFound);
    call.caller().require(action, kind.access(), kind.scope(id));
    return unit;
  }

  /// Makes a unit of a name; `spec` says the rest.
  Tree create(String name, Tree metadata, Tree spec, List<Tree> resources, String by) {
    var now = state.times().now();
    spec.put("id", state.nextId())
        .put("resources", resources)
        .put("createdBy", by)
        .put("createdAt", now)
        .put("updatedAt", now);
    try {
      return state
          .table(kind.resource())
          .create(Tree.of("metadata", metadata.put("name", name), "spec", spec));
    } catch (ApiException e) {
      throw e.code() == 409
          ? Refusal.conflict("there is already a %s \"%s\"".formatted(kind.singular(), name))
          : e;
    }
  }

  /// The answer to a creation.
  Answer made(Tree unit) {
    return Answer.json(201, view(unit, Usage.of(state, pools))).warning(rules.warnings(unit));
  }

  /// Replaces what a request may say of a unit: the fields that are `kept`, and its quota.
  Answer replace(Tree unit, Tree kept, List<Tree> resources) {
    rules.checkShares(unit, resources);
    var changed =
        change(
            unit,
            spec -> {
              DepartmentRules.KEPT.forEach(spec::remove);
              kept.fields().forEach(spec::put);
              spec.put("resources", resources);
            });
    return shown(changed).warning(rules.warnings(changed));
  }

  private Answer share(Call call, boolean merge) {
    var unit = found(call, Action.UPDATE);
    var read = shares.read(call.bodies("ResourcesNullable"));
    var wanted = merge ? shares.merged(unit.trees("spec", "resources"), read) : read;
    rules.checkShares(unit, wanted);
    var changed = change(unit, spec -> spec.put("resources", wanted));
    return Answer.json(200, resources(changed)).warning(rules.warnings(changed));
  }

  private Tree change(Tree unit, Consumer<Tree> change) {
    return state
        .table(kind.resource())
        .change(
            "",
            Projects.name(unit),
            object -> {
              change.accept(object.child("spec"));
              object.child("spec").put("updatedAt", state.times().now());
              return object;
            });
  }

  private Answer.Whole shown(Tree unit) {
    return Answer.json(200, view(unit, Usage.of(state, pools)));
  }

  private List<Object> resources(Tree unit) {
    return new ArrayList<>(shares.shown(unit.trees("spec", "resources")));
  }
}
