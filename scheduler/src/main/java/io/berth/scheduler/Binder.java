package io.berth.scheduler;

import io.berth.api.ApiException;
import io.berth.api.Pod;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.engine.VolumeReservation;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Binds pods without making the loop wait; at most `limit` at a time.
///
/// A bind whose answer is lost may have happened. Such a pod is read again before anything else is
/// done with it, and the uid in every request keeps a newer pod of the same name safe.
final class Binder {

  private static final Logger log = LoggerFactory.getLogger(Binder.class);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long MAX_PAUSE_MILLIS = 5000;
  private static final long CLOSELY_NANOS = Duration.ofMillis(5).toNanos();
  private static final Duration LAST_BINDS = Duration.ofSeconds(5);

  private final Cluster cluster;
  private final ClaimBinder claims;
  private final Extenders extenders;
  private final int limit;
  private final Semaphore room;
  private final AtomicInteger started = new AtomicInteger();
  private volatile long lastStart;
  private volatile boolean closed;

  Binder(Cluster cluster, ClaimBinder claims, Extenders extenders, int limit) {
    this.cluster = cluster;
    this.claims = claims;
    this.extenders = extenders;
    this.limit = limit;
    this.room = new Semaphore(limit);
    this.lastStart = cluster.crew().nanos() - CLOSELY_NANOS;
  }

  /// How many more binds may be started; negative while a large group waits for its turn.
  int free() {
    return limit - started.get();
  }

  /// Whether binds are under way, or follow each other so closely that there is no time in between.
  boolean isBusy() {
    return started.get() > 0 || cluster.crew().nanos() - lastStart < CLOSELY_NANOS;
  }

  /// Starts no more binds, and returns when those under way have ended, or after a while.
  void close() throws InterruptedException {
    closed = true;
    if (room.tryAcquire(limit, LAST_BINDS.toMillis(), TimeUnit.MILLISECONDS)) {
      room.release(limit);
    }
  }

  /// Binds on a thread of its own and reports to `outcome` there, when the place is free again.
  void bind(Pod pod, String node, VolumeReservation volumes, Outcome outcome) {
    lastStart = cluster.crew().nanos();
    if (volumes.isEmpty()) {
      started.incrementAndGet();
      cluster.crew().start("bind", () -> inTurn(pod, node, outcome).tell(outcome));
    } else {
      cluster
          .crew()
          .start(
              "bind",
              () -> claims.bind(pod, node, volumes, e -> afterVolumes(pod, node, e, outcome)));
    }
  }

  // A pod that waits for its volumes, perhaps for minutes, keeps nobody else from being bound.
  private void afterVolumes(
      Pod pod, String node, @Nullable RuntimeException failure, Outcome outcome) {
    if (failure != null) {
      var error = "running PreBind plugin \"VolumeBinding\": " + failure.getMessage();
      new Result(error, false).tell(outcome);
      return;
    }
    started.incrementAndGet();
    inTurn(pod, node, outcome).tell(outcome);
  }

  private Result inTurn(Pod pod, String node, Outcome outcome) {
    try {
      room.acquire();
      try {
        outcome.binding();
        return closed ? Result.STOPPING : attempt(pod, node);
      } finally {
        room.release();
      }
    } catch (InterruptedException e) {
      return Result.STOPPING;
    } catch (RuntimeException e) {
      return new Result(e.toString(), false);
    } finally {
      started.decrementAndGet();
    }
  }

  private Result attempt(Pod pod, String node) throws InterruptedException {
    try {
      var extender = extenders.findBinder(pod);
      if (extender.isPresent()) {
        extender.get().bind(pod, node);
      } else {
        cluster.send(Resource.PODS, pod.namespace(), pod.name(), "binding", binding(pod, node));
      }
      return Result.BOUND;
    } catch (ApiException e) {
      // Conflicts have many reasons; only one of them is that the pod has a node.
      return e.code() >= 500 || e.code() == 409
          ? verify(pod, node, String.valueOf(e.getMessage()))
          : refused(String.valueOf(e.getMessage()), e.code() == 404);
    } catch (RuntimeException e) {
      return verify(pod, node, String.valueOf(e.getMessage()));
    }
  }

  // The outcome is unknown: only the pod itself can tell, and until it does its place is not given
  // to anybody else. Those that wait keep their place among the binds at once, which bounds them.
  private Result verify(Pod pod, String node, String error) throws InterruptedException {
    Tree now;
    try {
      now = fetchUntilAnswered(pod);
    } catch (ApiException e) {
      return refused(error, e.code() == 404);
    }
    var bound = now.textOrEmpty("spec", "nodeName");
    boolean same = now.textOrEmpty("metadata", "uid").equals(pod.uid());
    return same && bound.equals(node) ? Result.BOUND : refused(error, !same || !bound.isEmpty());
  }

  private Tree fetchUntilAnswered(Pod pod) throws InterruptedException {
    for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, MAX_PAUSE_MILLIS)) {
      try {
        return cluster.fetch(Resource.PODS, pod.namespace(), pod.name());
      } catch (ApiException e) {
        if (e.code() < 500 && e.code() != 429) {
          throw e;
        }
      } catch (RuntimeException e) {
        log.debug("cannot find out whether {} is bound: {}", pod.key(), e.toString());
      }
      if (closed) {
        throw new InterruptedException("stopping");
      }
      Thread.sleep(pause);
    }
  }

  private static Result refused(String error, boolean settled) {
    return new Result("running Bind plugin \"DefaultBinder\": " + error, settled);
  }

  /// How a bind ended; without an error it is bound.
  private record Result(@Nullable String error, boolean settled) {

    static final Result BOUND = new Result(null, true);
    static final Result STOPPING = new Result("stopping", false);

    void tell(Outcome done) {
      if (error == null) {
        done.bound();
      } else {
        done.refused(error, settled);
      }
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

    /// The request is about to be sent.
    void binding();

    void bound();

    /// `settled` says that the pod is gone or has a node: there is nothing to retry.
    void refused(String error, boolean settled);
  }
}
