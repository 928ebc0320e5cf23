package io.berth.controllers.apps;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Expectations;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Ownership;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Selector;
import io.berth.controllers.runtime.SlowStart;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps as many pods as a ReplicaSet or a ReplicationController asks for.
///
/// The two differ in how they write their selector and nothing else.
public final class ReplicaSets implements Controller {

  private static final int WORKERS = 8;
  private static final int BURST = 500;

  private final Environment environment;
  private final Resource resource;
  private final Cache owners;
  private final Cache pods;
  private final Ownership ownership;
  private final PodControl podControl;
  private final Expectations expectations;
  private final Loop loop;

  private ReplicaSets(Environment environment, Resource resource, String component) {
    this.environment = environment;
    this.resource = resource;
    this.owners = environment.informers().of(resource).indexed(Index.NAMESPACE);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.CONTROLLER);
    if (resource.equals(Resource.REPLICA_SETS)) {
      owners.indexed(Index.CONTROLLER);
    }
    this.ownership = new Ownership(environment.cluster(), resource, Resource.PODS);
    this.podControl =
        new PodControl(environment.cluster(), resource, environment.events().from(component));
    this.expectations = new Expectations(environment.clock());
    this.loop = new Loop(component, WORKERS, environment.timers(), this::reconcile);
    owners.onAny(owner -> loop.add(Key.of(owner)));
    expectations.forgetThoseGone(owners);
    pods.on(new ChildHandler(resource, owners, expectations, loop, ReplicaSets::selector));
  }

  public static ReplicaSets replicaSets(Environment environment) {
    return new ReplicaSets(environment, Resource.REPLICA_SETS, "replicaset-controller");
  }

  public static ReplicaSets replicationControllers(Environment environment) {
    return new ReplicaSets(environment, Resource.REPLICATION_CONTROLLERS, "replication-controller");
  }

  @Override
  public String name() {
    return resource.plural();
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
    var owner = owners.find(key).orElse(null);
    if (owner == null) {
      return;
    }
    var ready = expectations.satisfied(Meta.uid(owner));
    var mine = claimed(owner);
    var active = new ArrayList<>(mine);
    active.removeIf(pod -> !Pods.isActive(pod));
    RuntimeException failure = null;
    if (ready && !Meta.isDeleting(owner)) {
      failure = manage(owner, active);
    }
    writeStatus(owner, mine, active, ready, failure);
    if (failure != null) {
      throw failure;
    }
  }

  private List<Tree> claimed(Tree owner) {
    var candidates = new ArrayList<Tree>(pods.by(Index.CONTROLLER, Meta.uid(owner)));
    candidates.addAll(pods.by(Index.CONTROLLER, Index.orphansOf(Meta.namespace(owner))));
    // A pod that has ended stays with the owner it had, whatever its labels say.
    var selector = selector(owner);
    candidates.removeIf(pod -> !Pods.isActive(pod) && !selector.matches(pod));
    return ownership.claim(owner, selector, candidates, Pods::isActive);
  }

  /// Creates or deletes the difference; a failure is returned so that the status can tell of it.
  private @Nullable RuntimeException manage(Tree owner, List<Tree> active) {
    var difference = active.size() - (int) replicas(owner);
    if (difference < 0) {
      return create(owner, Math.min(-difference, BURST));
    }
    if (difference > 0) {
      return delete(owner, active, Math.min(difference, BURST));
    }
    return null;
  }

  private @Nullable RuntimeException create(Tree owner, int count) {
    var uid = Meta.uid(owner);
    expectations.expectCreations(uid, count);
    var template = owner.treeOrEmpty("spec", "template");
    var outcome =
        SlowStart.run(
            environment.crew(),
            count,
            _ -> {
              try {
                podControl.create(owner, podControl.fromTemplate(owner, template));
              } catch (RuntimeException e) {
                expectations.notCreated(uid, 1);
                throw e;
              }
            });
    expectations.notCreated(uid, outcome.skipped());
    var failure = outcome.failure();
    return failure instanceof ApiException e && PodControl.isNamespaceEnding(e) ? null : failure;
  }

  private @Nullable RuntimeException delete(Tree owner, List<Tree> active, int count) {
    var chosen = ScaleDownOrder.among(siblings(owner), environment.now()).first(active, count);
    var uids = new HashSet<String>();
    chosen.forEach(pod -> uids.add(Meta.uid(pod)));
    expectations.expectDeletions(Meta.uid(owner), uids);
    try {
      SlowStart.all(
          environment.crew(),
          count,
          i -> {
            try {
              if (!podControl.delete(owner, chosen.get(i))) {
                expectations.deleted(Meta.uid(owner), Meta.uid(chosen.get(i)));
              }
            } catch (RuntimeException e) {
              expectations.deleted(Meta.uid(owner), Meta.uid(chosen.get(i)));
              throw e;
            }
          });
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  /// The pods of all versions of a Deployment: those of one node stand in for each other.
  private List<Tree> siblings(Tree owner) {
    var siblings = new ArrayList<Tree>();
    var controller = Meta.controllerOf(owner);
    if (controller != null && resource.equals(Resource.REPLICA_SETS)) {
      for (var set : owners.by(Index.CONTROLLER, controller.textOrEmpty("uid"))) {
        siblings.addAll(pods.by(Index.CONTROLLER, Meta.uid(set)));
      }
    }
    return siblings;
  }

  /// While own writes are still to be seen the counts may be short, so the newest size does not
  /// count as observed: others rely on that.
  private void writeStatus(
      Tree owner,
      List<Tree> mine,
      List<Tree> active,
      boolean complete,
      @Nullable RuntimeException failure) {
    var now = environment.now();
    var minReady = owner.number(0, "spec", "minReadySeconds");
    var labels = Selector.ofLabels(owner.texts("spec", "template", "metadata", "labels"));
    long labelled = 0;
    long ready = 0;
    long available = 0;
    Duration wait = null;
    for (var pod : active) {
      labelled += labels.matches(pod) ? 1 : 0;
      var until = Pods.untilAvailable(pod, minReady, now);
      if (until == null) {
        continue;
      }
      ready++;
      if (until.isZero()) {
        available++;
      } else if (wait == null || until.compareTo(wait) < 0) {
        wait = until;
      }
    }
    var status = owner.treeOrEmpty("status").copy();
    status.put("replicas", active.size());
    put(status, "fullyLabeledReplicas", labelled);
    put(status, "readyReplicas", ready);
    put(status, "availableReplicas", available);
    if (resource.equals(Resource.REPLICA_SETS)) {
      var terminating =
          mine.stream().filter(pod -> Meta.isDeleting(pod) && !PodPhase.isTerminal(pod)).count();
      status.put("terminatingReplicas", terminating);
    }
    failureCondition(owner, status, active.size(), failure);
    if (complete) {
      status.put("observedGeneration", Meta.generation(owner));
    }
    if (!Trees.equivalent(status, owner.get("status"))) {
      environment
          .cluster()
          .update(resource, "status", Tree.ofMap(owner.fields()).put("status", status));
    }
    if (wait != null) {
      loop.addAfter(Key.of(owner), wait);
    }
  }

  private void failureCondition(
      Tree owner, Tree status, int active, @Nullable RuntimeException failure) {
    var known = Conditions.find(owner, "ReplicaFailure");
    if (failure == null) {
      if (known != null && expectations.satisfied(Meta.uid(owner))) {
        Conditions.remove(status, "ReplicaFailure");
      }
    } else if (known == null) {
      var reason = active < replicas(owner) ? "FailedCreate" : "FailedDelete";
      var message = String.valueOf(failure.getMessage());
      Conditions.set(
          status,
          Conditions.of("ReplicaFailure", "True", reason, message),
          environment.timestamp());
    }
  }

  // Counts of zero are absent, as Kubernetes leaves them out.
  private static void put(Tree status, String field, long count) {
    if (count == 0) {
      status.remove(field);
    } else {
      status.put(field, count);
    }
  }

  private static long replicas(Tree owner) {
    return owner.number(1, "spec", "replicas");
  }

  static Selector selector(Tree owner) {
    return owner.textOrEmpty("kind").equals("ReplicationController")
        ? Selector.ofLabels(owner.texts("spec", "selector"))
        : Selector.of(owner.tree("spec", "selector"));
  }
}
