package io.berth.controllers.apps;

import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Expectations;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.OwnWrites;
import io.berth.controllers.runtime.Ownership;
import io.berth.controllers.runtime.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Moves pods from one version of a template to the next, ReplicaSet by ReplicaSet.
public final class Deployments implements Controller {

  private static final int WORKERS = 8;
  private static final Duration SOON = Duration.ofMillis(10);

  private final Environment environment;
  private final Cache deployments;
  private final Cache replicaSets;
  private final Cache pods;
  private final Ownership ownership;
  private final Events.Source events;
  private final OwnWrites writes;
  private final Map<Key, SizesInForce> sizes = new ConcurrentHashMap<>();
  private final Loop loop;

  public Deployments(Environment environment) {
    this.environment = environment;
    this.deployments = environment.informers().of(Resource.DEPLOYMENTS).indexed(Index.NAMESPACE);
    this.replicaSets = environment.informers().of(Resource.REPLICA_SETS).indexed(Index.CONTROLLER);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.CONTROLLER);
    this.ownership =
        new Ownership(environment.cluster(), Resource.DEPLOYMENTS, Resource.REPLICA_SETS);
    this.writes = new OwnWrites(replicaSets);
    this.events = environment.events().from("deployment-controller");
    this.loop = new Loop("deployment-controller", WORKERS, environment.timers(), this::reconcile);
    deployments.onAny(deployment -> loop.add(Key.of(deployment)));
    replicaSets.on(
        new ChildHandler(
            Resource.DEPLOYMENTS,
            deployments,
            new Expectations(environment.clock()),
            loop,
            deployment -> Selector.of(deployment.tree("spec", "selector"))));
    pods.onAny(this::wakeRecreating);
  }

  @Override
  public String name() {
    return "deployments";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void reconcile(Key key) {
    var seen = writes.areSeen(key);
    var deployment = deployments.find(key).orElse(null);
    if (deployment == null) {
      sizes.remove(key);
      return;
    }
    if (!seen) {
      loop.addAfter(key, SOON);
      return;
    }
    var candidates = new ArrayList<Tree>(replicaSets.by(Index.CONTROLLER, Meta.uid(deployment)));
    candidates.addAll(
        replicaSets.by(Index.CONTROLLER, Index.orphansOf(Meta.namespace(deployment))));
    var mine =
        ownership.claim(
            deployment, Selector.of(deployment.tree("spec", "selector")), candidates, _ -> true);
    var rollout =
        new Rollout(
            environment,
            events,
            deployment,
            mine,
            sizes.computeIfAbsent(key, _ -> new SizesInForce()),
            set -> writes.wrote(key, set),
            oldPodsRun(mine));
    var deadline = rollout.advance();
    if (deadline != null) {
      loop.addRoutinely(key, deadline);
    }
  }

  /// Whether a pod of a given set of ReplicaSets is still there and not finished.
  private Rollout.PodsLeft oldPodsRun(List<Tree> mine) {
    return newest -> {
      for (var set : mine) {
        if (newest != null && Meta.uid(set).equals(Meta.uid(newest))) {
          continue;
        }
        for (var pod : pods.by(Index.CONTROLLER, Meta.uid(set))) {
          if (!PodPhase.isTerminal(pod)) {
            return true;
          }
        }
      }
      return false;
    };
  }

  /// The strategy Recreate waits for pods to be gone, not for counts in a status.
  private void wakeRecreating(Tree pod) {
    var controller = Meta.controllerOf(pod);
    if (controller == null || !controller.textOrEmpty("kind").equals("ReplicaSet")) {
      return;
    }
    var key = new Key(Meta.namespace(pod), controller.textOrEmpty("name"));
    var set = replicaSets.find(key).orElse(null);
    var owner = set == null ? null : Meta.controllerOf(set);
    if (owner != null && owner.textOrEmpty("kind").equals("Deployment")) {
      var deployment = new Key(Meta.namespace(pod), owner.textOrEmpty("name"));
      deployments
          .find(deployment)
          .filter(d -> d.textOrEmpty("spec", "strategy", "type").equals("Recreate"))
          .ifPresent(_ -> loop.add(deployment));
    }
  }
}
