package io.berth.cluster;

import io.berth.api.Crew;
import io.berth.api.Resource;
import io.berth.api.Tree;
import org.jspecify.annotations.Nullable;

/// A cluster on which every write passes a gate first: for a scheduler that only rehearses, or that
/// must not write once it has lost the lead.
public final class GuardedCluster implements Cluster {

  private final Cluster cluster;
  private final Gate gate;

  public GuardedCluster(Cluster cluster, Gate gate) {
    this.cluster = cluster;
    this.gate = gate;
  }

  /// Decides about a write before it is sent. Called by the thread that writes.
  public interface Gate {

    /// The answer to give instead of sending the write, or `null` to send it. Throws to refuse.
    @Nullable Tree instead(Write write);
  }

  /// A write; `name` is empty for a create, `subresource` where there is none.
  public record Write(
      String verb,
      Resource resource,
      String namespace,
      String name,
      String subresource,
      Object body) {}

  @Override
  public Crew crew() {
    return cluster.crew();
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
    var namespace = object.textOrEmpty("metadata", "namespace");
    var instead = gate.instead(new Write("create", resource, namespace, "", "", object));
    return instead == null ? cluster.create(resource, object) : instead;
  }

  @Override
  public Tree update(Resource resource, @Nullable String subresource, Tree object) {
    var meta = object.treeOrEmpty("metadata");
    var write =
        new Write(
            "update",
            resource,
            meta.textOrEmpty("namespace"),
            meta.textOrEmpty("name"),
            subresource == null ? "" : subresource,
            object);
    var instead = gate.instead(write);
    return instead == null ? cluster.update(resource, subresource, object) : instead;
  }

  @Override
  public Tree patch(
      Resource resource,
      String namespace,
      String name,
      @Nullable String subresource,
      PatchType type,
      Object patch) {
    var write =
        new Write(
            "patch", resource, namespace, name, subresource == null ? "" : subresource, patch);
    var instead = gate.instead(write);
    return instead == null
        ? cluster.patch(resource, namespace, name, subresource, type, patch)
        : instead;
  }

  @Override
  public void delete(Resource resource, String namespace, String name, DeleteOptions options) {
    if (gate.instead(new Write("delete", resource, namespace, name, "", options)) == null) {
      cluster.delete(resource, namespace, name, options);
    }
  }

  @Override
  public Tree post(
      Resource resource, String namespace, String name, String subresource, Tree body) {
    var instead = gate.instead(new Write("create", resource, namespace, name, subresource, body));
    return instead == null ? cluster.post(resource, namespace, name, subresource, body) : instead;
  }

  @Override
  public void send(Resource resource, Tree object) {
    var namespace = object.textOrEmpty("metadata", "namespace");
    if (gate.instead(new Write("create", resource, namespace, "", "", object)) == null) {
      cluster.send(resource, object);
    }
  }

  @Override
  public void send(
      Resource resource, String namespace, String name, String subresource, Tree body) {
    if (gate.instead(new Write("create", resource, namespace, name, subresource, body)) == null) {
      cluster.send(resource, namespace, name, subresource, body);
    }
  }
}
