package io.berth.workloads;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import org.jspecify.annotations.Nullable;

/// A cluster to which something happens in the very moment before it is written to.
final class HookedCluster implements Cluster {

  /// Is told of every write before it is made, and may refuse it.
  interface Hook {

    void before(String verb, Resource resource, String namespace, String name);
  }

  private final Cluster cluster;
  private volatile Hook hook = (_, _, _, _) -> {};

  HookedCluster(Cluster cluster) {
    this.cluster = cluster;
  }

  void on(Hook next) {
    hook = next;
  }

  @Override
  public Tree fetch(Resource resource, String namespace, String name) {
    return cluster.fetch(resource, namespace, name);
  }

  @Override
  public Page list(Resource resource, String namespace, Selection selection) {
    return cluster.list(resource, namespace, selection);
  }

  @Override
  public Watch watch(
      Resource resource,
      String namespace,
      Selection selection,
      String afterRevision,
      Watcher watcher) {
    return cluster.watch(resource, namespace, selection, afterRevision, watcher);
  }

  @Override
  public Tree create(Resource resource, Tree object) {
    before("create", resource, object);
    return cluster.create(resource, object);
  }

  @Override
  public Tree update(Resource resource, @Nullable String subresource, Tree object) {
    before(subresource == null ? "update" : "update " + subresource, resource, object);
    return cluster.update(resource, subresource, object);
  }

  private void before(String verb, Resource resource, Tree object) {
    var metadata = object.treeOrEmpty("metadata");
    hook.before(verb, resource, metadata.textOrEmpty("namespace"), metadata.textOrEmpty("name"));
  }

  @Override
  public Tree patch(
      Resource resource,
      String namespace,
      String name,
      @Nullable String subresource,
      PatchType type,
      Object patch) {
    hook.before("patch", resource, namespace, name);
    return cluster.patch(resource, namespace, name, subresource, type, patch);
  }

  @Override
  public void delete(Resource resource, String namespace, String name, DeleteOptions options) {
    hook.before("delete", resource, namespace, name);
    cluster.delete(resource, namespace, name, options);
  }

  @Override
  public Tree post(
      Resource resource, String namespace, String name, String subresource, Tree body) {
    hook.before("post " + subresource, resource, namespace, name);
    return cluster.post(resource, namespace, name, subresource, body);
  }
}
