package io.berth.controllers.batch;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Informer;
import io.berth.controllers.Controller;
import io.berth.controllers.apps.ChildHandler;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Expectations;
import io.berth.controllers.runtime.Index;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.OwnWrites;
import io.berth.controllers.runtime.Ownership;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Runs pods until enough of them have succeeded, or too many have failed.
public final class Jobs implements Controller {

  private static final int WORKERS = 8;
  private static final Duration SOON = Duration.ofMillis(10);

  private final Environment environment;
  private final Cache jobs;
  private final Cache pods;
  private final Ownership ownership;
  private final PodControl podControl;
  private final Events.Source events;
  private final Expectations expectations;
  private final OwnWrites writes;
  private final Set<String> takenAway = ConcurrentHashMap.newKeySet();
  private final Loop loop;
  private final Loop orphans;

  public Jobs(Environment environment) {
    this.environment = environment;
    this.jobs = environment.informers().of(Resource.JOBS).indexed(Index.NAMESPACE);
    this.pods = environment.informers().of(Resource.PODS).indexed(Index.CONTROLLER);
    this.ownership = new Ownership(environment.cluster(), Resource.JOBS, Resource.PODS);
    this.events = environment.events().from("job-controller");
    this.podControl = new PodControl(environment.cluster(), Resource.JOBS, events);
    this.expectations = new Expectations(environment.clock());
    expectations.forgetThoseGone(jobs);
    this.writes = new OwnWrites(jobs);
    this.loop = new Loop("job-controller", WORKERS, environment.timers(), this::reconcile);
    this.orphans = new Loop("job-orphans", 2, environment.timers(), this::releaseOrphan);
    jobs.onAny(job -> {
      loop.add(Key.of(job));
      pods.by(Index.CONTROLLER, Meta.uid(job)).forEach(pod -> orphans.add(Key.of(pod)));
    });
    pods.on(
        new ChildHandler(
            Resource.JOBS,
            jobs,
            expectations,
            loop,
            job -> Selector.of(job.tree("spec", "selector"))));
    pods.on(
        new Informer.Handler() {
          @Override
          public void changed(@Nullable Tree previous, Tree pod) {
            wakeOrphan(pod);
          }

          @Override
          public void removed(Tree pod) {
            takenAway.remove(Meta.uid(pod));
            wakeOrphan(pod);
          }
        });
  }

  @Override
  public String name() {
    return "jobs";
  }

  @Override
  public void start() {
    loop.start();
    orphans.start();
  }

  @Override
  public void close() {
    loop.close();
    orphans.close();
  }

  private void reconcile(Key key) {
    var seen = writes.areSeen(key);
    var job = jobs.find(key).orElse(null);
    if (job == null || isFinished(job) || isForOthers(job)) {
      return;
    }
    if (!seen) {
      // Pods that were counted have let go already: by an old status they would be missing.
      loop.addAfter(key, SOON);
      return;
    }
    // Decided before the pods are read: what is seen later counts for the next look.
    var settled = expectations.satisfied(Meta.uid(job));
    var candidates = new ArrayList<Tree>(pods.by(Index.CONTROLLER, Meta.uid(job)));
    candidates.addAll(pods.by(Index.CONTROLLER, Index.orphansOf(Meta.namespace(job))));
    var mine =
        ownership.claim(job, Selector.of(job.tree("spec", "selector")), candidates, Pods::isActive);
    var step =
        new JobStep(environment, events, podControl, expectations, writes, takenAway, job, mine);
    var again = step.take(settled);
    if (again != null) {
      loop.addAfter(key, again);
    }
    var deadline = step.untilDeadline();
    if (deadline != null) {
      loop.addRoutinely(key, deadline);
    }
  }

  static boolean isFinished(Tree job) {
    return Conditions.isTrue(job, "Complete") || Conditions.isTrue(job, "Failed");
  }

  /// Whether another controller has been named to run this Job.
  private static boolean isForOthers(Tree job) {
    var manager = job.text("spec", "managedBy");
    return manager != null && !manager.equals("kubernetes.io/job-controller");
  }

  private void wakeOrphan(Tree pod) {
    if (Meta.hasFinalizer(pod, JobTally.FINALIZER)) {
      orphans.add(Key.of(pod));
    }
  }

  /// A pod whose Job is gone, finished or no longer its owner has nobody else to let it go.
  private void releaseOrphan(Key key) {
    var pod = pods.find(key).orElse(null);
    if (pod == null || !Meta.hasFinalizer(pod, JobTally.FINALIZER)) {
      return;
    }
    var owner = Meta.controllerOf(pod);
    if (owner != null) {
      if (!owner.textOrEmpty("kind").equals("Job")) {
        return;
      }
      var job = jobs.find(new Key(key.namespace(), owner.textOrEmpty("name"))).orElse(null);
      if (job != null && isForOthers(job)) {
        return;
      }
      if (job != null && Meta.uid(job).equals(owner.text("uid")) && !isFinished(job)) {
        if (!Meta.isDeleting(job)) {
          return;
        }
      } else if (job == null && exists(key.namespace(), owner)) {
        return;
      }
    }
    removeFinalizer(environment, pod);
  }

  private boolean exists(String namespace, Tree owner) {
    try {
      var live = environment.cluster().fetch(Resource.JOBS, namespace, owner.textOrEmpty("name"));
      return Meta.uid(live).equals(owner.text("uid"));
    } catch (ApiException e) {
      if (e.is("NotFound")) {
        return false;
      }
      throw e;
    }
  }

  /// Whatever else happens to the pod meanwhile, its deletion for one, is no conflict.
  static void removeFinalizer(Environment environment, Tree pod) {
    var metadata =
        Tree.of("uid", Meta.uid(pod))
            .put("$deleteFromPrimitiveList/finalizers", List.of(JobTally.FINALIZER));
    try {
      environment
          .cluster()
          .patch(
              Resource.PODS,
              Meta.namespace(pod),
              Meta.name(pod),
              null,
              PatchType.STRATEGIC,
              Tree.of("metadata", metadata));
    } catch (ApiException e) {
      if (!e.is("NotFound")) {
        throw e;
      }
    }
  }
}
