package io.berth.workloads.asset;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.Projects;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/// `/api/v1/asset/…`: one set of operations for every kind.
public final class AssetRoutes {

  private static final String BASE = "/api/v1/asset/";

  private final State state;
  private final Scopes scopes;
  private final Projects projects;
  private final Assets assets;

  public AssetRoutes(State state, Scopes scopes, Assets assets) {
    this.state = state;
    this.scopes = scopes;
    this.projects = new Projects(state);
    this.assets = assets;
  }

  public void addTo(Routes routes) {
    for (var kind : AssetKind.values()) {
      var base = BASE + kind.path();
      var one = base + "/{assetId}";
      var name = kind.path().replaceAll("[-/]", "_");
      routes
          .get(base, "list_" + name, call -> list(call, each -> each == kind))
          .needs(Action.READ, kind.access())
          .query(
              "name",
              "scope",
              "projectId",
              "departmentId",
              "clusterId",
              "usageInfo",
              "complyToProject",
              "complyToWorkloadType",
              "complyToReplicaType",
              "statusInfo",
              "includeDescendants",
              "assetIds",
              "distributedFramework",
              "isDistributed",
              "isTraining",
              "isWorkspace",
              "isInference");
      routes
          .post(base, "create_" + name, call -> create(kind, call))
          .needs(Action.CREATE, kind.access())
          .takes(kind.creationType())
          .answers(202);
      routes
          .get(one, "get_" + name, call -> Answer.json(200, view(found(kind, call, Action.READ))))
          .needs(Action.READ, kind.access())
          .query(
              "usageInfo",
              "complyToProject",
              "complyToWorkloadType",
              "complyToReplicaType",
              "statusInfo");
      routes
          .put(one, "update_" + name, call -> update(kind, call))
          .needs(Action.UPDATE, kind.access())
          .takes(kind.updateType())
          .answers(202);
      routes
          .delete(one, "delete_" + name, call -> delete(kind, call))
          .needs(Action.DELETE, kind.access())
          .answers(kind.isDeletedSilently() ? 204 : 202);
    }
    routes
        .get(
            BASE + "credentials",
            "list_credentials_assets",
            call -> list(call, AssetKind::isCredential))
        .needs(Action.READ, AssetKind.PASSWORD.access())
        .query(
            "name", "scope", "projectId", "departmentId", "clusterId", "usageInfo", "statusInfo");
    routes
        .get(
            BASE + "datasource",
            "list_datasource_assets",
            call -> list(call, AssetKind::isDataSource))
        .needs(Action.READ, AssetKind.PVC.access())
        .query("name", "scope", "projectId", "departmentId", "clusterId", "usageInfo", "assetIds");
  }

  private Answer list(Call call, Predicate<AssetKind> wanted) {
    var entries = new ArrayList<Object>();
    var ids = call.values("assetIds");
    for (var asset : state.table(BerthKinds.ASSETS).all()) {
      var kind = Assets.kindOf(asset);
      var view = view(asset);
      if (wanted.test(kind)
          && call.caller().sees(kind.access(), assets.scopeOf(asset))
          && isAskedFor(view, call)
          && (ids.isEmpty() || ids.contains(view.textOrEmpty("meta", "id")))) {
        entries.add(view);
      }
    }
    return Answer.json(200, Tree.of("entries", entries));
  }

  private static boolean isAskedFor(Tree view, Call call) {
    for (var field : List.of("name", "scope", "projectId", "departmentId", "clusterId")) {
      var wanted = call.parameter(field);
      if (!wanted.isEmpty() && !wanted.equals(String.valueOf(view.at("meta", field)))) {
        return false;
      }
    }
    return true;
  }

  private Tree found(AssetKind kind, Call call, Action action) {
    var asset =
        assets
            .find(call.path("assetId"))
            .filter(each -> each.textOrEmpty("spec", "type").equals(kind.name()))
            .orElseThrow(Refusal::notFound);
    call.caller().require(action, kind.access(), assets.scopeOf(asset));
    return asset;
  }

  private Answer create(AssetKind kind, Call call) {
    var body = call.body(kind.creationType());
    var meta = body.treeOrEmpty("meta").copy();
    var scope = assets.scope(meta);
    call.caller().require(Action.CREATE, kind.access(), scope);
    if (!scopes.exists(scope)) {
      throw Refusal.badRequest(
          "Bad request - meta: there is no %s \"%s\"".formatted(scope.level().text(), scope.id()));
    }
    checkName(kind, meta.textOrEmpty("name"), scope);
    var now = state.times().now();
    meta.put("kind", kind.listed())
        .put("createdBy", call.caller().name())
        .put("createdAt", now)
        .put("updatedBy", call.caller().name())
        .put("updatedAt", now);
    var name = "asset-" + UUID.randomUUID();
    var spec = body.treeOrEmpty("spec").copy();
    hide(name, spec, kind);
    var asset =
        Tree.of(
            "metadata", Tree.of("name", name),
            "spec", Tree.of("type", kind.name(), "meta", meta, "spec", spec));
    try {
      return Answer.json(202, view(state.table(BerthKinds.ASSETS).create(asset)));
    } catch (ApiException e) {
      state.table(Resource.SECRETS).delete(State.NAMESPACE, name);
      throw e;
    }
  }

  private void checkName(AssetKind kind, String name, Scope scope) {
    for (var asset : state.table(BerthKinds.ASSETS).all()) {
      if (asset.textOrEmpty("spec", "type").equals(kind.name())
          && asset.textOrEmpty("spec", "meta", "name").equals(name)
          && assets.scopeOf(asset).equals(scope)) {
        throw Refusal.conflict("there is already an asset \"%s\" in this scope".formatted(name));
      }
    }
  }

  /// Moves what is secret out of the specification into a Secret.
  private void hide(String name, Tree spec, AssetKind kind) {
    if (!kind.isCredential()) {
      return;
    }
    var secret = new Tree();
    for (var field : AssetKind.SECRETS) {
      if (spec.has(field)) {
        secret.put(field, spec.remove(field));
      }
    }
    if (!secret.isEmpty()) {
      state
          .table(Resource.SECRETS)
          .create(
              Tree.of(
                  "metadata", Tree.of("name", name, "namespace", State.NAMESPACE),
                  "type", "berth.io/credential",
                  "data",
                      Tree.of(
                          "credential", Base64.getEncoder().encodeToString(Json.write(secret)))));
    }
  }

  private Answer update(AssetKind kind, Call call) {
    var asset = found(kind, call, Action.UPDATE);
    var body = call.body(kind.updateType());
    var name = body.textOrEmpty("meta", "name");
    if (!name.isEmpty() && !name.equals(asset.text("spec", "meta", "name"))) {
      checkName(kind, name, assets.scopeOf(asset));
    }
    var changed =
        state
            .table(BerthKinds.ASSETS)
            .change(
                "",
                asset.textOrEmpty("metadata", "name"),
                object -> {
                  var meta = object.child("spec").child("meta");
                  body.treeOrEmpty("meta").fields().forEach(meta::put);
                  meta.put("updatedBy", call.caller().name()).put("updatedAt", state.times().now());
                  if (body.tree("spec") != null) {
                    object.child("spec").put("spec", body.tree("spec"));
                  }
                  return object;
                });
    return Answer.json(202, view(changed));
  }

  private Answer delete(AssetKind kind, Call call) {
    var asset = found(kind, call, Action.DELETE);
    var name = asset.textOrEmpty("spec", "meta", "name");
    if ((kind.isCredential() || kind == AssetKind.HOST_PATH)
        && isUsed(name, assets.scopeOf(asset))) {
      throw new Refusal(412, "The asset is in use by a workload; delete that first.");
    }
    if (assets.isImposed(asset.textOrEmpty("metadata", "uid"))) {
      throw new Refusal(412, "The asset is imposed by a policy; change that first.");
    }
    var object = asset.textOrEmpty("metadata", "name");
    state.table(Resource.SECRETS).delete(State.NAMESPACE, object);
    state.table(BerthKinds.ASSETS).delete(asset);
    return kind.isDeletedSilently()
        ? Answer.empty(204)
        : Answer.json(202, Tree.of("code", 202, "message", "Request has been accepted."));
  }

  /// Whether a workload in its scope names it: as a pull secret, a credential of a variable, or a
  /// volume.
  private boolean isUsed(String name, Scope scope) {
    for (var workload : state.workloads()) {
      var project = projects.findByNamespace(workload.textOrEmpty("metadata", "namespace"));
      if (project.isEmpty() || !scopes.covers(scope, Scope.project(Projects.id(project.get())))) {
        continue;
      }
      var spec = workload.treeOrEmpty("spec");
      var named =
          new ArrayList<>(
              spec.trees("imagePullSecrets").stream()
                  .map(each -> each.textOrEmpty("name"))
                  .toList());
      for (var variable : spec.trees("environmentVariables")) {
        named.add(variable.textOrEmpty("userCredential", "name"));
        named.add(variable.textOrEmpty("secret", "name"));
      }
      spec.trees("storage", "hostPath").forEach(each -> named.add(each.textOrEmpty("name")));
      if (named.contains(name)) {
        return true;
      }
    }
    return false;
  }

  private static Tree view(Tree asset) {
    var meta = asset.treeOrEmpty("spec", "meta").copy().put("id", asset.text("metadata", "uid"));
    var spec = asset.treeOrEmpty("spec", "spec").copy();
    if (asset.textOrEmpty("spec", "type").equals("GENERIC_SECRET")) {
      spec.putIfAbsent("keyId", 1);
    }
    return Tree.of("meta", meta, "spec", spec);
  }
}
