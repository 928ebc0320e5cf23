package io.berth.workloads.serve;

import static io.berth.workloads.access.ResourceType.WORKLOAD_PROPERTIES;

import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.Columns;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Priorities;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Priorities and categories, which are fixed, and the types of workloads, which can be added to.
public final class CatalogRoutes {

  private static final List<String> CATEGORIES = List.of("Build", "Train", "Deploy");
  private static final Columns PRIORITY_COLUMNS =
      Columns.searching("name")
          .texts("name", "id")
          .numbers("value")
          .times("createdAt", "updatedAt");
  private static final String TYPES = "/api/v1/workload-types";

  private final State state;
  private final Scopes scopes;

  public CatalogRoutes(State state, Scopes scopes) {
    this.state = state;
    this.scopes = scopes;
  }

  public void addTo(Routes routes) {
    routes
        .get("/api/v1/workload-priorities", "get_workload_priorities", this::priorities)
        .needs(Action.READ, WORKLOAD_PROPERTIES)
        .query("sortOrder", "sortBy", "filterBy[]");
    routes
        .get(
            "/api/v1/workload-categories",
            "list_categories",
            _ -> {
              var all = new ArrayList<Object>();
              CATEGORIES.forEach(name -> all.add(category(name)));
              return Answer.json(200, Tree.of("categories", all));
            })
        .needs(Action.READ, WORKLOAD_PROPERTIES);
    routes
        .get(
            "/api/v1/workload-categories/{categoryId}",
            "get_category_by_id",
            call ->
                CATEGORIES.stream()
                    .map(this::category)
                    .filter(each -> each.textOrEmpty("id").equals(call.path("categoryId")))
                    .findFirst()
                    .map(each -> (Answer) Answer.json(200, each))
                    .orElseThrow(Refusal::notFound))
        .needs(Action.READ, WORKLOAD_PROPERTIES);
    addTypes(routes);
  }

  private void addTypes(Routes routes) {
    var one = TYPES + "/{workloadTypeId}";
    routes
        .get(
            TYPES,
            "list_workload_types",
            _ -> {
              var all = new ArrayList<Object>();
              state.table(BerthKinds.WORKLOAD_TYPES).all().forEach(type -> all.add(view(type)));
              return Answer.json(200, Tree.of("types", all));
            })
        .needs(Action.READ, WORKLOAD_PROPERTIES)
        .query("externalTypesOnly", "filterBy[]");
    routes
        .post(TYPES, "create_workload_type", this::createType)
        .needs(Action.CREATE, WORKLOAD_PROPERTIES)
        .takes("WorkloadTypeCreateFields")
        .answers(201);
    routes
        .get(one, "get_workload_type", call -> Answer.json(200, view(found(call))))
        .needs(Action.READ, WORKLOAD_PROPERTIES);
    routes
        .put(
            one,
            "update_workload_type",
            call -> {
              call.caller().require(Action.UPDATE, WORKLOAD_PROPERTIES, scopes.tenant());
              var body = call.body("WorkloadTypeUpdateFields");
              var changed =
                  state
                      .table(BerthKinds.WORKLOAD_TYPES)
                      .change(
                          "",
                          found(call).textOrEmpty("metadata", "name"),
                          object -> {
                            body.fields()
                                .forEach((name, value) -> object.child("spec").put(name, value));
                            object.child("spec").put("updatedAt", state.times().now());
                            return object;
                          });
              return Answer.json(200, view(changed));
            })
        .needs(Action.UPDATE, WORKLOAD_PROPERTIES)
        .takes("WorkloadTypeUpdateFields")
        .answers(200);
    routes
        .delete(
            one,
            "delete_workload_type",
            call -> {
              call.caller().require(Action.DELETE, WORKLOAD_PROPERTIES, scopes.tenant());
              state.table(BerthKinds.WORKLOAD_TYPES).delete(found(call));
              return Answer.empty(204);
            })
        .needs(Action.DELETE, WORKLOAD_PROPERTIES)
        .answers(204);
  }

  private Answer priorities(Call call) {
    var all = new ArrayList<Tree>();
    var created = state.tenant().textOrEmpty("spec", "createdAt");
    Priorities.all()
        .forEach((name, value) ->
            all.add(
                Tree.of(
                    "id", Priorities.id(name),
                    "name", name,
                    "value", value,
                    "createdAt", created,
                    "updatedAt", created)));
    return Answer.json(
        200,
        Tree.of(
            "priorities",
            new ArrayList<Object>(
                ListRequest.of(call.request(), PRIORITY_COLUMNS).page(all).items())));
  }

  private Tree category(String name) {
    var id = UUID.nameUUIDFromBytes(("berth.io/category/" + name).getBytes(StandardCharsets.UTF_8));
    return Tree.of(
        "id", id.toString(),
        "name", name,
        "createdAt", state.tenant().textOrEmpty("spec", "createdAt"));
  }

  private Answer createType(Call call) {
    call.caller().require(Action.CREATE, WORKLOAD_PROPERTIES, scopes.tenant());
    var body = call.body("WorkloadTypeCreateFields");
    for (var type : state.table(BerthKinds.WORKLOAD_TYPES).all()) {
      if (type.textOrEmpty("spec", "name").equals(body.text("name"))
          && type.textOrEmpty("spec", "group").equals(body.text("group"))) {
        throw Refusal.conflict("there is already a type for this kind");
      }
    }
    var now = state.times().now();
    var created =
        state
            .table(BerthKinds.WORKLOAD_TYPES)
            .create(
                Tree.of(
                    "metadata", Tree.of("name", "type-" + UUID.randomUUID()),
                    "spec", body.copy().put("createdAt", now).put("updatedAt", now)));
    return Answer.json(201, view(created));
  }

  private Tree found(Call call) {
    return state
        .table(BerthKinds.WORKLOAD_TYPES)
        .findByUid(call.path("workloadTypeId"))
        .orElseThrow(Refusal::notFound);
  }

  private static Tree view(Tree type) {
    return type.treeOrEmpty("spec").copy().put("id", type.text("metadata", "uid"));
  }
}
