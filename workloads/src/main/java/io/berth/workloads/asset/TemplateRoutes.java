package io.berth.workloads.asset;

import static io.berth.workloads.access.ResourceType.TEMPLATES;

import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.Columns;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// `/api/v1/workload-templates`: specifications to submit again and again.
public final class TemplateRoutes {

  private static final String BASE = "/api/v1/workload-templates";

  /// Paths and the type of workload they are about.
  private static final Map<String, String> TYPES =
      Map.of(
          "workspaces", "Workspace",
          "trainings", "Training",
          "distributed", "Distributed",
          "inferences", "Inference");

  private static final Columns COLUMNS =
      Columns.searching("name", "description")
          .texts("name", "workloadType", "scopeType", "scopeId", "createdBy", "description")
          .times("createdAt", "updatedAt");

  private final State state;
  private final Scopes scopes;

  public TemplateRoutes(State state, Scopes scopes) {
    this.state = state;
    this.scopes = scopes;
  }

  public void addTo(Routes routes) {
    String[] listing = {
      "offset",
      "limit",
      "sortOrder",
      "sortBy",
      "filterBy[]",
      "search",
      "complyToProject",
      "complyToWorkloadType",
      "complyToReplicaType"
    };
    routes
        .get(BASE, "list_templates", call -> list(call, ""))
        .needs(Action.READ, TEMPLATES)
        .query(listing);
    routes
        .get(
            BASE + "/count",
            "count_templates",
            call ->
                Answer.json(
                    200,
                    Tree.of(
                        "count",
                        ListRequest.of(call.request(), COLUMNS).select(metas(call, "")).size())))
        .needs(Action.READ, TEMPLATES)
        .query("filterBy[]", "search");
    routes
        .get(BASE + "/name-availability", "template_name_availability", this::availability)
        .needs(Action.READ, TEMPLATES)
        .query("templateName*", "scopeType*", "scopeId")
        .answers(204);
    routes
        .get(
            BASE + "/{templateId}",
            "get_template",
            call -> Answer.json(200, view(found(call, "", Action.READ))))
        .needs(Action.READ, TEMPLATES);
    TYPES.forEach((path, type) -> add(routes, BASE + "/" + path, type, listing));
  }

  private void add(Routes routes, String base, String type, String[] listing) {
    var one = base + "/{templateId}";
    var name = type.toLowerCase(java.util.Locale.ROOT) + "_template";
    routes
        .get(base, "list_" + name + "s", call -> list(call, type))
        .needs(Action.READ, TEMPLATES)
        .query(listing);
    routes
        .post(base, "create_" + name, call -> create(type, call))
        .needs(Action.CREATE, TEMPLATES)
        .takes(type + "TemplateCreationRequest")
        .answers(202);
    routes
        .get(one, "get_" + name, call -> Answer.json(200, view(found(call, type, Action.READ))))
        .needs(Action.READ, TEMPLATES);
    routes
        .delete(
            one,
            "delete_" + name,
            call -> {
              var template = found(call, type, Action.DELETE);
              state.table(BerthKinds.TEMPLATES).delete(template);
              return Answer.empty(204);
            })
        .needs(Action.DELETE, TEMPLATES)
        .answers(204);
    if (type.equals("Inference")) {
      return;
    }
    routes
        .put(
            one,
            "update_" + name,
            call -> change(call, type, type + "TemplateUpdateRequest", false))
        .needs(Action.UPDATE, TEMPLATES)
        .takes(type + "TemplateUpdateRequest")
        .answers(200);
    routes
        .patch(
            one, "patch_" + name, call -> change(call, type, type + "TemplatePatchRequest", true))
        .needs(Action.UPDATE, TEMPLATES)
        .takes(type + "TemplatePatchRequest")
        .answers(200);
  }

  // ---- reading ---------------------------------------------------------------------------------

  private Answer list(Call call, String type) {
    var request = ListRequest.of(call.request(), COLUMNS);
    var page = request.page(metas(call, type));
    var entries = new ArrayList<Object>();
    for (var meta : page.items()) {
      state
          .table(BerthKinds.TEMPLATES)
          .findByUid(meta.textOrEmpty("id"))
          .ifPresent(template -> entries.add(view(template)));
    }
    return Answer.json(
        200,
        Tree.of(
            "entries",
            entries,
            "pagination",
            Tree.of(
                "limit", ListRequest.number(call.request(), "limit", 50, 1, 500),
                "offset", ListRequest.number(call.request(), "offset", 0, 0, Integer.MAX_VALUE),
                "nextOffset", page.next() < 0 ? null : page.next())));
  }

  private List<Tree> metas(Call call, String type) {
    var metas = new ArrayList<Tree>();
    for (var template : state.table(BerthKinds.TEMPLATES).all()) {
      if (call.caller().sees(TEMPLATES, scopeOf(template))
          && (type.isEmpty()
              || template.textOrEmpty("spec", "meta", "workloadType").equals(type))) {
        metas.add(view(template).treeOrEmpty("meta"));
      }
    }
    return metas;
  }

  private Tree found(Call call, String type, Action action) {
    var template =
        state
            .table(BerthKinds.TEMPLATES)
            .findByUid(call.path("templateId"))
            .filter(each ->
                type.isEmpty() || each.textOrEmpty("spec", "meta", "workloadType").equals(type))
            .orElseThrow(Refusal::notFound);
    call.caller().require(action, TEMPLATES, scopeOf(template));
    return template;
  }

  private Answer availability(Call call) {
    var scope = scope(Level.of(call.required("scopeType")), call.parameter("scopeId"));
    if (!call.caller().sees(TEMPLATES, scope)) {
      throw Refusal.forbidden();
    }
    if (isTaken(call.required("templateName"), scope)) {
      throw Refusal.conflict("the name is taken in this scope");
    }
    return Answer.empty(204);
  }

  private boolean isTaken(String name, Scope scope) {
    return state.table(BerthKinds.TEMPLATES).all().stream()
        .anyMatch(each ->
            each.textOrEmpty("spec", "meta", "name").equals(name) && scopeOf(each).equals(scope));
  }

  // ---- writing ---------------------------------------------------------------------------------

  private Answer create(String type, Call call) {
    var body = call.body(type + "TemplateCreationRequest");
    var asked = body.treeOrEmpty("meta");
    var scope = scope(Level.of(asked.textOrEmpty("scopeType")), asked.textOrEmpty("scopeId"));
    call.caller().require(Action.CREATE, TEMPLATES, scope);
    if (!scopes.exists(scope)) {
      throw Refusal.badRequest(
          "Bad request - meta.scopeId: there is no %s \"%s\""
              .formatted(scope.level().text(), scope.id()));
    }
    if (isTaken(asked.textOrEmpty("name"), scope)) {
      throw Refusal.conflict("there is already a template \"%s\"".formatted(asked.text("name")));
    }
    var now = state.times().now();
    var spec = body.copy();
    spec.put(
        "meta",
        asked
            .copy()
            .put("workloadType", type)
            .put("scopeId", scope.id())
            .put("createdBy", call.caller().name())
            .put("createdAt", now)
            .put("updatedAt", now));
    var created =
        state
            .table(BerthKinds.TEMPLATES)
            .create(
                Tree.of(
                    "metadata", Tree.of("name", "template-" + UUID.randomUUID()), "spec", spec));
    return Answer.json(202, view(created));
  }

  private Answer change(Call call, String type, String bodyType, boolean merge) {
    var template = found(call, type, Action.UPDATE);
    var body = call.body(bodyType);
    checkRenaming(template, body.textOrEmpty("meta", "name"));
    var changed =
        state
            .table(BerthKinds.TEMPLATES)
            .change(
                "",
                template.textOrEmpty("metadata", "name"),
                object -> {
                  var spec = object.child("spec");
                  body.treeOrEmpty("meta")
                      .fields()
                      .forEach((name, value) -> spec.child("meta").put(name, value));
                  spec.child("meta").put("updatedAt", state.times().now());
                  if (!merge) {
                    spec.remove("spec");
                    spec.remove("master");
                  }
                  for (var path : body.list("fieldsToClear")) {
                    clear(spec, String.valueOf(path));
                  }
                  for (var field : List.of("spec", "master", "masterSpecSameAsWorker")) {
                    var value = body.get(field);
                    if (value instanceof Tree tree && merge) {
                      tree.fields().forEach((name, each) -> spec.child(field).put(name, each));
                    } else if (value != null) {
                      spec.put(field, value);
                    }
                  }
                  return object;
                });
    return Answer.json(200, view(changed));
  }

  /// Known clients give templates of different types one name when they rename them.
  private void checkRenaming(Tree template, String name) {
    var meta = template.treeOrEmpty("spec", "meta");
    boolean taken =
        state.table(BerthKinds.TEMPLATES).all().stream()
            .filter(each -> !each.equals(template) && scopeOf(each).equals(scopeOf(template)))
            .map(each -> each.treeOrEmpty("spec", "meta"))
            .anyMatch(each ->
                name.equals(each.text("name"))
                    && Objects.equals(each.text("workloadType"), meta.text("workloadType")));
    if (taken && !name.equals(meta.text("name"))) {
      throw Refusal.conflict("there is already a template \"%s\"".formatted(name));
    }
  }

  private static void clear(Tree spec, String path) {
    int dot = path.lastIndexOf('.');
    var parent = dot < 0 ? spec : spec.tree(path.substring(0, dot).split("\\.", -1));
    if (parent != null) {
      parent.remove(path.substring(dot + 1));
    }
  }

  private Scope scopeOf(Tree template) {
    var meta = template.treeOrEmpty("spec", "meta");
    return scope(Level.of(meta.textOrEmpty("scopeType")), meta.textOrEmpty("scopeId"));
  }

  private Scope scope(Level level, String id) {
    return switch (level) {
      case SYSTEM -> new Scope(level, "");
      case TENANT -> scopes.tenant();
      case CLUSTER -> scopes.cluster();
      case DEPARTMENT, PROJECT -> new Scope(level, id);
    };
  }

  private static Tree view(Tree template) {
    var view = template.treeOrEmpty("spec").copy();
    view.child("meta").put("id", template.text("metadata", "uid"));
    return view;
  }
}
