package io.berth.scheduler;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A cluster whose API fails now and then, in the ways that are hard for a scheduler: a bind that
/// happened and is answered with an error, one that did not happen, one that somebody else beat it
/// to, and reads that fail just when it wants to find out.
final class FaultyCluster implements Cluster {

  private final Cluster cluster;
  private final Random random;
  private final Saboteur saboteur;

  /// May change the cluster behind the scheduler's back, between its decision and the bind.
  interface Saboteur {
    void beforeBind(String pod, String node);
  }

  FaultyCluster(Cluster cluster, long seed, Saboteur saboteur) {
    this.cluster = cluster;
    this.random = new Random(seed);
    this.saboteur = saboteur;
  }

  private synchronized int roll() {
    return random.nextInt(100);
  }

  private static ApiException broken() {
    return new ApiException(500, "InternalError", "etcdserver: request timed out");
  }

  @Override
  public Tree post(
      Resource resource, String namespace, String name, String subresource, Tree body) {
    saboteur.beforeBind(name, body.textOrEmpty("target", "name"));
    int roll = roll();
    if (roll < 10) {
      throw broken();
    }
    var answer = cluster.post(resource, namespace, name, subresource, body);
    if (roll < 20) {
      throw broken();
    }
    if (roll < 25) {
      throw new IllegalStateException("connection reset");
    }
    return answer;
  }

  @Override
  public Tree fetch(Resource resource, String namespace, String name) {
    if (roll() < 30) {
      throw broken();
    }
    return cluster.fetch(resource, namespace, name);
  }

  @Override
  public Tree patch(
      Resource resource,
      String namespace,
      String name,
      @Nullable String subresource,
      PatchType type,
      Object patch) {
    if (roll() < 20) {
      throw broken();
    }
    return cluster.patch(resource, namespace, name, subresource, type, patch);
  }

  @Override
  public Tree create(Resource resource, Tree object) {
    if (roll() < 20) {
      throw broken();
    }
    return cluster.create(resource, object);
  }

  @Override
  public void delete(Resource resource, String namespace, String name, DeleteOptions options) {
    if (roll() < 20) {
      throw broken();
    }
    cluster.delete(resource, namespace, name, options);
  }

  @Override
  public Page list(Resource resource, String namespace, Selection selection) {
    return cluster.list(resource, namespace, selection);
  }

  @Override
  public Watch watch(
      Resource resource, String namespace, Selection selection, String after, Watcher watcher) {
    return cluster.watch(resource, namespace, selection, after, watcher);
  }

  @Override
  public Tree update(Resource resource, @Nullable String subresource, Tree object) {
    return cluster.update(resource, subresource, object);
  }
}
