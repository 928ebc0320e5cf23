package io.berth.controllers;

import static io.berth.testing.Samples.aNode;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Informer;
import io.berth.controllers.kubelet.Behaviour;
import io.berth.controllers.kubelet.Kubelets;
import io.berth.controllers.kubelet.NodeDefaults;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Informers;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Selector;
import io.berth.controllers.runtime.Timers;
import io.berth.testing.FakeClock;
import io.berth.testing.FakeCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A cluster in memory with the controllers under test and a clock that only tests move.
public final class World implements AutoCloseable {

  // From a timer to a write and back to whoever reads it takes about ten threads.
  private static final int TURNS = 20;
  private static final int MOST_ROUNDS = 50;

  public final FakeClock clock = new FakeClock();
  public final FakeCluster cluster = new FakeCluster(clock);
  private final Timers timers = new Timers(clock::nanos);
  private final ControllerManager manager;
  private @Nullable Informer binder;

  @SafeVarargs
  public World(Function<Environment, ? extends Controller>... controllers) {
    var environment =
        new Environment(cluster, new Informers(cluster), timers, clock, new Events(cluster, clock));
    this.manager = new ControllerManager(environment);
    for (var controller : controllers) {
      manager.with(controller);
    }
    // Retries and backoffs are on the clock of the test; a short step every now and then keeps
    // them going without moving time by more than a few milliseconds.
    Thread.ofVirtual().start(this::creep);
  }

  public static Function<Environment, Kubelets> kubelets() {
    return environment ->
        new Kubelets(environment, Behaviour.DEFAULT, NodeDefaults.PLAIN, Selector.EVERYTHING);
  }

  public World start() {
    try {
      manager.start();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return this;
  }

  /// Adds nodes `node-1` … and binds every pending pod to them in turn.
  public World withNodes(int count) {
    for (int i = 1; i <= count; i++) {
      cluster.create(Resource.NODES, aNode("node-" + i));
    }
    var next = new AtomicInteger();
    binder =
        new Informer(cluster, Resource.PODS)
            .on(
                new Informer.Handler() {
                  @Override
                  public void changed(@Nullable Tree previous, Tree pod) {
                    bind(pod, "node-" + (1 + next.getAndIncrement() % count));
                  }

                  @Override
                  public void removed(Tree pod) {}
                })
            .start();
    return this;
  }

  public void bind(Tree pod, String node) {
    if (pod.textOrEmpty("spec", "nodeName").isEmpty() && !Meta.isDeleting(pod)) {
      try {
        cluster.post(
            Resource.PODS,
            Meta.namespace(pod),
            Meta.name(pod),
            "binding",
            Tree.of("target", Tree.of("name", node)));
      } catch (ApiException e) {
        // Deleted or bound meanwhile.
      }
    }
  }

  public Tree create(Resource resource, Tree object) {
    return cluster.create(resource, object);
  }

  public Tree get(Resource resource, String name) {
    return cluster.fetch(resource, resource.namespaced() ? "default" : "", name);
  }

  public List<Tree> pods() {
    return cluster.all(Resource.PODS);
  }

  public void advance(Duration by) {
    clock.advance(by);
    timers.runDue();
  }

  /// Waits until nothing is written any more, or gives up after a moment: a loop that retries never
  /// settles.
  ///
  /// On a busy machine quiet may only mean that nobody had a turn. Virtual threads have theirs in
  /// order, so what was to run has run when a few that came later have.
  public void settle() {
    for (int i = 0; i < MOST_ROUNDS; i++) {
      long before = cluster.revision();
      cluster.awaitQuiet(Duration.ofMillis(8));
      takeTurns();
      if (cluster.revision() == before) {
        return;
      }
    }
  }

  private static void takeTurns() {
    try {
      for (int i = 0; i < TURNS; i++) {
        Thread.ofVirtual().start(() -> {}).join();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public void await(String what, Predicate<FakeCluster> condition) {
    cluster.await(what, condition);
  }

  public void awaitObject(Resource resource, String name, Predicate<Tree> condition) {
    var namespace = resource.namespaced() ? "default" : "";
    await(
        resource.kind() + " " + name,
        c -> c.find(resource, namespace, name).filter(condition).isPresent());
  }

  public void awaitGone(Resource resource, String name) {
    var namespace = resource.namespaced() ? "default" : "";
    await(name + " is gone", c -> c.find(resource, namespace, name).isEmpty());
  }

  private void creep() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(5);
        clock.advance(Duration.ofMillis(5));
        timers.runDue();
      }
    } catch (InterruptedException e) {
      // The test is over.
    }
  }

  @Override
  public void close() {
    if (binder != null) {
      binder.close();
    }
    manager.close();
  }
}
