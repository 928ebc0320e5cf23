package io.berth.scheduler;

import io.berth.api.ApiException;
import io.berth.api.Pod;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import java.util.concurrent.Semaphore;

/// Binds pods without making the loop wait; at most `limit` at a time.
///
/// A bind whose answer is lost may have happened. Such a pod is read again before anything else is
/// done with it, and the uid in every request keeps a newer pod of the same name safe.
final class Binder {

  private final Cluster cluster;
  private final ClaimBinder claims;
  private final Extenders extenders;
  private final Semaphore room;

  Binder(Cluster cluster, ClaimBinder claims, Extenders extenders, int limit) {
    this.cluster = cluster;
    this.claims = claims;
    this.extenders = extenders;
    this.room = new Semaphore(limit);
  }

  /// Takes a place for one bind, or says that none is free.
  boolean reserve() {
    return room.tryAcquire();
  }

  void giveBack() {
    room.release();
  }

  int free() {
    return room.availablePermits();
  }

  /// Binds on a thread of its own and reports to `done` there. Needs a place from [#reserve()].
  void bind(Pod pod, String node, Outcome done) {
    Thread.startVirtualThread(() -> {
      try {
        claims.bind(pod, node);
        attempt(pod, node, done);
      } catch (ApiException e) {
        done.refused(String.valueOf(e.getMessage()), e.code() == 404);
      } catch (InterruptedException e) {
        done.refused("stopping", false);
      } finally {
        room.release();
      }
    });
  }

  private void attempt(Pod pod, String node, Outcome done) {
    try {
      var extender = extenders.findBinder(pod);
      if (extender.isPresent()) {
        extender.get().bind(pod, node);
      } else {
        cluster.post(Resource.PODS, pod.namespace(), pod.name(), "binding", binding(pod, node));
      }
      done.bound();
    } catch (ApiException e) {
      if (e.code() >= 500) {
        verify(pod, node, String.valueOf(e.getMessage()), done);
      } else {
        done.refused(String.valueOf(e.getMessage()), e.code() == 404 || e.code() == 409);
      }
    } catch (RuntimeException e) {
      verify(pod, node, String.valueOf(e.getMessage()), done);
    }
  }

  // The outcome is unknown: only the pod itself can tell.
  private void verify(Pod pod, String node, String error, Outcome done) {
    try {
      var now = cluster.fetch(Resource.PODS, pod.namespace(), pod.name());
      if (now.textOrEmpty("metadata", "uid").equals(pod.uid())
          && now.textOrEmpty("spec", "nodeName").equals(node)) {
        done.bound();
      } else {
        done.refused(error, !now.textOrEmpty("spec", "nodeName").isEmpty());
      }
    } catch (ApiException e) {
      done.refused(error, e.code() == 404);
    } catch (RuntimeException e) {
      done.refused(error, false);
    }
  }

  private static Tree binding(Pod pod, String node) {
    return Tree.of(
        "apiVersion",
        "v1",
        "kind",
        "Binding",
        "metadata",
        Tree.of("namespace", pod.namespace(), "name", pod.name(), "uid", pod.uid()),
        "target",
        Tree.of("apiVersion", "v1", "kind", "Node", "name", node));
  }

  /// Hears how a bind ended.
  interface Outcome {

    void bound();

    /// `settled` says that the pod is gone or has a node: there is nothing to retry.
    void refused(String error, boolean settled);
  }
}
