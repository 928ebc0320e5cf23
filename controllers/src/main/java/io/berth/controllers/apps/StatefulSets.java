package io.berth.controllers.apps;

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

/// Keeps pods with identities: `web-0`, `web-1`, …, in order, each at most once.
public final class StatefulSets implements Controller {

  private static final int WORKERS = 8;
  private static final Duration SOON = Duration.ofMillis(10);

  private final Environment environment;
  private final Cache sets;
  private final Cache pods;
  private final Cache claims;
  private final Ownership ownership;
  private final Revisions revisions;
  private final Events.Source events;
  private final OwnWrites writes;
  private final Loop loop;

  public StatefulSets(Environment environment) {
    this.environment = environment;
    this.sets = environment.informers().of(Resource.STATEFUL_SETS).indexed(Index.NAMESPACE);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.CONTROLLER);
    this.claims = environment.informers().of(Resource.PERSISTENT_VOLUME_CLAIMS);
    this.ownership = new Ownership(environment.cluster(), Resource.STATEFUL_SETS, Resource.PODS);
    this.writes = new OwnWrites(pods);
    this.revisions = new Revisions(environment, Resource.STATEFUL_SETS);
    this.events = environment.events().from("statefulset-controller");
    this.loop = new Loop("statefulset-controller", WORKERS, environment.timers(), this::reconcile);
    sets.onAny(set -> loop.add(Key.of(set)));
    pods.on(
        new ChildHandler(
            Resource.STATEFUL_SETS,
            sets,
            new Expectations(environment.clock()),
            loop,
            set -> Selector.of(set.tree("spec", "selector"))));
  }

  @Override
  public String name() {
    return "statefulsets";
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
    var set = sets.find(key).orElse(null);
    if (set == null) {
      return;
    }
    if (!seen) {
      // A pod just deleted would still stand for its ordinal.
      loop.addAfter(key, SOON);
      return;
    }
    var candidates = new ArrayList<Tree>(pods.by(Index.CONTROLLER, Meta.uid(set)));
    candidates.addAll(pods.by(Index.CONTROLLER, Index.orphansOf(Meta.namespace(set))));
    var selector = Selector.of(set.tree("spec", "selector"));
    var mine = ownership.claim(set, selector, candidates, pod -> Identity.ordinal(set, pod) >= 0);
    var known = revisions.of(set);
    var newest = revisions.newest(set, known);
    var step = new StatefulSetStep(environment, events, writes, claims, set, mine, known, newest);
    var again = step.take();
    revisions.truncate(set, known, step.revisionsInUse());
    if (again != null) {
      loop.addAfter(key, again);
    }
  }
}
