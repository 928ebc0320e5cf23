package io.berth.workloads.asset;

import io.berth.api.Tree;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.Optional;

/// Assets as policies use them: data sources that every workload of a scope gets.
public final class Assets {

  private final State state;
  private final Scopes scopes;

  public Assets(State state, Scopes scopes) {
    this.state = state;
    this.scopes = scopes;
  }

  /// A data source as an item of a specification's list: `field` is `storage.pvc`, say.
  public record DataSource(String field, Tree item) {}

  /// A data source by id.
  public Optional<DataSource> findDataSource(String id) {
    return find(id).filter(asset -> kindOf(asset).isDataSource()).map(Assets::dataSource);
  }

  private static DataSource dataSource(Tree asset) {
    var item = asset.treeOrEmpty("spec", "spec").copy();
    item.put("name", asset.textOrEmpty("spec", "meta", "name"));
    return new DataSource("storage." + kindOf(asset).listed(), item);
  }

  /// Why an asset cannot be imposed on what is in a scope; empty when it can.
  public Optional<String> findObjection(String id, Scope scope) {
    var asset = find(id).filter(each -> scopes.covers(scopeOf(each), scope));
    if (asset.isEmpty()) {
      return Optional.of("there is no asset \"%s\" in this scope or above it".formatted(id));
    }
    return kindOf(asset.get()).isDataSource()
        ? Optional.empty()
        : Optional.of(
            "asset \"%s\" is of kind %s; only data sources can be imposed"
                .formatted(id, kindOf(asset.get()).listed()));
  }

  Optional<Tree> find(String id) {
    return state.table(BerthKinds.ASSETS).findByUid(id);
  }

  /// Whether a policy imposes it.
  boolean isImposed(String id) {
    for (var policy : state.table(BerthKinds.POLICIES).all()) {
      var imposed = policy.treeOrEmpty("spec", "policy");
      if (imposed.list("imposedAssets").contains(id)) {
        return true;
      }
      var byRole = imposed.treeOrEmpty("imposedAssets");
      if (byRole.names().stream().anyMatch(role -> byRole.list(role).contains(id))) {
        return true;
      }
    }
    return false;
  }

  static AssetKind kindOf(Tree asset) {
    return AssetKind.valueOf(asset.textOrEmpty("spec", "type"));
  }

  Scope scopeOf(Tree asset) {
    return scope(asset.treeOrEmpty("spec", "meta"));
  }

  /// The scope that the description of an asset names.
  Scope scope(Tree meta) {
    var level = Level.of(meta.textOrEmpty("scope"));
    return switch (level) {
      case SYSTEM -> new Scope(level, "");
      case TENANT -> scopes.tenant();
      case CLUSTER -> scopes.cluster();
      case DEPARTMENT -> Scope.department(meta.textOrEmpty("departmentId"));
      case PROJECT -> Scope.project(Long.toString(meta.number(0, "projectId")));
    };
  }
}
