package io.berth.engine;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Surrounding;
import io.berth.engine.decide.Decider;
import io.berth.engine.decide.Transaction;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.rule.Profiles;
import io.berth.engine.rule.Rule;
import io.berth.engine.rule.RuleCatalog;
import io.berth.engine.rule.Waking;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cluster as it is known, and decisions about it.
///
/// Putting again and removing what is unknown do nothing: events may be repeated, and may come in
/// any order. One thread owns an engine.
public final class Engine {

  private final ClusterModel cluster = new ClusterModel();
  private final Decider decider;
  private final Waking waking;
  private final Duration patience;
  private boolean planning;

  /// `seed` decides ties, and is all the engine knows of chance; of time it knows nothing.
  public Engine(SchedulerConfiguration configuration, long seed) {
    this(configuration, seed, RuleCatalog.NONE);
  }

  /// An engine with rules beside Kubernetes' own; the configuration enables them by name.
  public Engine(SchedulerConfiguration configuration, long seed, List<Rule> rules) {
    this(configuration, seed, RuleCatalog.of(rules));
  }

  /// The same with rules that take arguments.
  public Engine(SchedulerConfiguration configuration, long seed, RuleCatalog rules) {
    var profiles = new Profiles(configuration, rules);
    this.decider = new Decider(cluster, profiles, seed, !rules.isEmpty());
    this.waking = new Waking(profiles, cluster);
    this.patience = profiles.first().patience();
  }

  /// Adds or replaces. A pod with `nodeName` runs; a pod without one, or a finished one, is not (or
  /// no longer) here.
  public void put(ClusterObject object) {
    cluster.put(object);
  }

  /// Pods on a node that goes stay known, and count again when a node of this name returns.
  public void remove(ObjectReference reference) {
    cluster.remove(reference);
  }

  /// The object as it was last put, or `null`. Pods are not kept as they were put.
  public @Nullable Surrounding find(ObjectReference reference) {
    return cluster.find(reference);
  }

  /// Everything but pods, as it was last put; the order is nobody's.
  public List<Surrounding> surroundings() {
    return cluster.surroundings();
  }

  public int nodeCount() {
    return cluster.nodes().count();
  }

  /// Counts a decided pod as running on the node until [#put] confirms or [#forget] ends it.
  public void assume(Pod pod, String node) {
    cluster.assume(pod, node);
  }

  public void forget(String namespace, String name) {
    cluster.forget(namespace, name);
  }

  /// Reserves what the claims of a decided pod get on the node, so that no other pod takes it.
  ///
  /// A reservation ends by itself when the volume or claim changes; [#release] ends it early.
  public VolumeReservation reserve(Pod pod, String node) {
    return decider.profileOf(pod).reserve(pod, node, cluster);
  }

  /// How long what was reserved may take to be there, in the first profile.
  public Duration patience() {
    return patience;
  }

  public void release(VolumeReservation reservation) {
    reservation.release(cluster);
  }

  /// A pending pod waits for the node; it counts for decisions about pods of its priority or lower.
  public void nominate(Pod pod, String node) {
    cluster.nominate(pod, node);
  }

  public void unnominate(String namespace, String name) {
    cluster.unnominate(namespace, name);
  }

  /// Where the pod goes, quickly.
  public Decision decide(Pod pod) {
    return decider.decide(pod);
  }

  /// The nodes that come out best for the pod, best first, at most `count`; none when it fits
  /// nowhere. Cheap where [#decide] is.
  public List<Scored> best(Pod pod, int count) {
    return decider.best(pod, count);
  }

  /// The same decision with everything behind it; paid for only when asked.
  public Examination examine(Pod pod) {
    return decider.examine(pod);
  }

  /// The same with the parts that raw scores are made of.
  public Examination examineWithSummands(Pod pod) {
    return decider.examineWithSummands(pod);
  }

  /// The same with somebody's say in it. What the extension throws goes through to the caller.
  public Examination examine(Pod pod, Extension extension) {
    return decider.examine(pod, extension);
  }

  /// The decision, and for the nodes that are out what exactly stands in the way.
  public Explanation explain(Pod pod) {
    return decider.explain(pod);
  }

  /// Which event can help a pod that a rule refused.
  public Waking waking() {
    return waking;
  }

  /// Whether any selector of the cluster looks, or has looked, at this key of pod labels.
  public boolean selects(String labelKey) {
    return cluster.selectedKeys().contains(labelKey);
  }

  /// Whether any pod that runs has rules about other pods. Where none has, a pod without such rules
  /// of its own goes to the same node whatever its labels and its namespace are.
  public boolean hasAffinityTerms() {
    return cluster.terms().hasOwned();
  }

  /// A transaction over this engine: place and evict pods, ask, and take it back or keep it.
  ///
  /// Only one is open at a time, and while it is, events must wait.
  public Plan plan() {
    if (planning) {
      throw new IllegalStateException("a plan is open; commit or close it first");
    }
    planning = true;
    return new Transaction(cluster, decider, () -> planning = false);
  }
}
