package io.berth.controllers.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Informer;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Expectations;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Ownership;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Selector;
import io.berth.controllers.runtime.Taints;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps one pod on every node that a DaemonSet fits.
///
/// A pod is pinned to its node by node affinity and bound by the scheduler, like any other.
public final class DaemonSets implements Controller {

  private static final int WORKERS = 4;

  private final Environment environment;
  private final Cache sets;
  private final Cache pods;
  private final Cache nodes;
  private final Ownership ownership;
  private final Revisions revisions;
  private final PodControl podControl;
  private final Events.Source events;
  private final Expectations expectations;
  private final FailedPodBackoff backoff = new FailedPodBackoff();
  private final Loop loop;

  public DaemonSets(Environment environment) {
    this.environment = environment;
    this.sets = environment.informers().of(Resource.DAEMON_SETS).indexed(Index.NAMESPACE);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.CONTROLLER);
    this.nodes = environment.informers().of(Resource.NODES);
    this.ownership = new Ownership(environment.cluster(), Resource.DAEMON_SETS, Resource.PODS);
    this.revisions = new Revisions(environment, Resource.DAEMON_SETS);
    this.events = environment.events().from("daemonset-controller");
    this.podControl = new PodControl(environment.cluster(), Resource.DAEMON_SETS, events);
    this.expectations = new Expectations(environment.clock());
    expectations.forgetThoseGone(sets);
    this.loop = new Loop("daemonset-controller", WORKERS, environment.timers(), this::reconcile);
    sets.on(
        new Informer.Handler() {
          @Override
          public void changed(@Nullable Tree previous, Tree set) {
            loop.add(Key.of(set));
          }

          @Override
          public void removed(Tree set) {
            backoff.forget(Meta.uid(set));
          }
        });
    pods.on(
        new ChildHandler(
            Resource.DAEMON_SETS,
            sets,
            expectations,
            loop,
            set -> Selector.of(set.tree("spec", "selector"))));
    nodes.on(new NodeHandler());
  }

  @Override
  public String name() {
    return "daemonsets";
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
    var set = sets.find(key).orElse(null);
    if (set == null) {
      return;
    }
    var settled = expectations.satisfied(Meta.uid(set));
    var candidates = new ArrayList<Tree>(pods.by(Index.CONTROLLER, Meta.uid(set)));
    candidates.addAll(pods.by(Index.CONTROLLER, Index.orphansOf(Meta.namespace(set))));
    var selector = Selector.of(set.tree("spec", "selector"));
    var mine = ownership.claim(set, selector, candidates, _ -> true);
    var known = revisions.of(set);
    var newest = revisions.newest(set, known);
    var step =
        new DaemonSetStep(
            environment,
            events,
            podControl,
            expectations,
            backoff,
            set,
            mine,
            List.copyOf(nodes.all()),
            Revisions.hash(newest));
    var again = step.take(settled);
    revisions.truncate(set, known, inUse(set, mine, newest));
    if (again != null) {
      loop.addAfter(key, again);
    }
  }

  private static Set<String> inUse(Tree set, List<Tree> pods, Tree newest) {
    var inUse = new HashSet<String>();
    inUse.add(Meta.name(newest));
    pods.forEach(pod -> inUse.add(Meta.name(set) + "-" + Meta.label(pod, Revisions.HASH)));
    return inUse;
  }

  /// Heartbeats change nodes all the time; only what decides about pods wakes anybody.
  private final class NodeHandler implements Informer.Handler {

    @Override
    public void changed(@Nullable Tree previous, Tree node) {
      if (previous == null
          || !Meta.labels(previous).equals(Meta.labels(node))
          || !Taints.of(previous).equals(Taints.of(node))
          || previous.flag("spec", "unschedulable") != node.flag("spec", "unschedulable")) {
        sets.all().forEach(set -> loop.add(Key.of(set)));
      }
    }

    @Override
    public void removed(Tree node) {
      sets.all().forEach(set -> loop.add(Key.of(set)));
    }
  }
}
