package io.berth.controllers.batch;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Expectations;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.OwnWrites;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.SlowStart;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One look at a Job: count what has finished, decide whether it is over, create or delete pods,
/// write the status.
final class JobStep {

  private static final int BURST = 500;

  private final Environment environment;
  private final Events.Source events;
  private final PodControl podControl;
  private final Expectations expectations;
  private final OwnWrites writes;
  private final Set<String> takenAway;
  private final Tree job;
  private final List<Tree> pods;
  private final Tree status;
  private final JobTally tally;
  private final Instant now;
  private final List<Tree> active;
  private final JobPods jobPods;
  private final Set<String> deleted = new HashSet<>();
  private @Nullable Duration again;
  private @Nullable Duration deadline;
  private @Nullable Runnable announcement;
  private long activeCount;

  JobStep(
      Environment environment,
      Events.Source events,
      PodControl podControl,
      Expectations expectations,
      OwnWrites writes,
      Set<String> takenAway,
      Tree job,
      List<Tree> pods) {
    this.environment = environment;
    this.events = events;
    this.podControl = podControl;
    this.expectations = expectations;
    this.writes = writes;
    this.takenAway = takenAway;
    this.job = job;
    this.pods = pods;
    this.status = job.treeOrEmpty("status").copy();
    this.tally = new JobTally(job, takenAway);
    this.now = environment.now();
    this.active = new ArrayList<>(pods);
    active.removeIf(pod -> !Pods.isActive(pod));
    this.activeCount = active.size();
    this.jobPods = new JobPods(podControl, job, pods, tally, now);
  }

  /// Takes the step; when to look again, or `null`. `settled` says that earlier creations and
  /// deletions have been seen, so that pods may be created or deleted.
  @Nullable Duration take(boolean settled) {
    var ending =
        Conditions.find(job, "SuccessCriteriaMet") != null
            || Conditions.find(job, "FailureTarget") != null;
    tally.take(pods, ending);
    RuntimeException failure = null;
    if (!Meta.isDeleting(job)) {
      begin();
      decide();
      if (settled) {
        failure = manage();
      }
    }
    finish();
    count();
    writeStatus();
    if (announcement != null) {
      announcement.run();
    }
    tally.finalized().forEach(pod -> Jobs.removeFinalizer(environment, pod));
    if (failure != null) {
      throw failure;
    }
    return again;
  }

  private void begin() {
    if (status.text("startTime") == null && !isSuspended()) {
      status.put("startTime", Meta.time(now));
    }
  }

  // ---- is it over? ---------------------------------------------------------------------------

  private void decide() {
    if (isEnding()) {
      return;
    }
    var started = status.text("startTime") == null ? null : Meta.instant(status, now, "startTime");
    var end = new JobEnd(job, tally, active, started, now);
    var reason = end.find();
    var left = end.untilDeadline();
    if (reason != null) {
      set(reason.condition(), "True", reason.reason(), reason.message());
    } else {
      deadline = left;
    }
  }

  private boolean isEnding() {
    return find("SuccessCriteriaMet") != null || find("FailureTarget") != null;
  }

  /// Once nothing runs and everything is counted, the Job is over for good.
  private void finish() {
    var success = find("SuccessCriteriaMet");
    var why = success == null ? find("FailureTarget") : success;
    if (why == null || tally.hasUncounted() || activeCount > 0 || terminating() > 0) {
      return;
    }
    if (!tally.finalized().isEmpty()) {
      return;
    }
    var reason = why.textOrEmpty("reason");
    var message = why.textOrEmpty("message");
    if (success == null) {
      set("Failed", "True", reason, message);
      announcement = () -> events.warning(Resource.JOBS, job, reason, message);
    } else {
      set("Complete", "True", reason, message);
      status.put("completionTime", Meta.time(now));
      announcement = this::announceCompletion;
    }
  }

  private void announceCompletion() {
    var completions = JobEnd.completions(job);
    if (completions != null && tally.succeeded() > completions) {
      events.warning(
          Resource.JOBS,
          job,
          "TooManySucceededPods",
          "Too many succeeded pods running after completion count reached");
    }
    events.normal(Resource.JOBS, job, "Completed", "Job completed");
  }

  // ---- pods ----------------------------------------------------------------------------------

  private @Nullable RuntimeException manage() {
    if (isEnding()) {
      return abandon();
    }
    if (isSuspended()) {
      suspend();
      return takeAway(active);
    }
    resume();
    var wanted = wanted();
    var surplus = jobPods.surplus(active, (int) Math.max(0, activeCount - wanted));
    if (!surplus.isEmpty()) {
      return takeAway(surplus.subList(0, Math.min(surplus.size(), BURST)));
    }
    var occupied = activeCount;
    if (jobPods.waitsForTerminating()) {
      occupied += terminating();
    }
    var missing = (int) Math.min(wanted - occupied, BURST);
    return missing > 0 ? create(missing) : null;
  }

  private @Nullable RuntimeException abandon() {
    var failure = delete(active, pod -> podControl.delete(job, pod));
    if (failure == null) {
      tally.abandon(active, find("FailureTarget") != null);
    }
    return failure;
  }

  private long wanted() {
    var parallelism = job.number(1, "spec", "parallelism");
    var completions = JobEnd.completions(job);
    if (completions == null) {
      // One success means that the others may finish, and no new ones start.
      return tally.succeeded() > 0 ? activeCount : parallelism;
    }
    var left = completions - tally.succeeded() - tally.failedIndexes().size();
    return Math.max(0, Math.min(parallelism, left));
  }

  private @Nullable RuntimeException create(int missing) {
    var wait = jobPods.backoff();
    if (!wait.isZero()) {
      lookAgain(wait);
      return null;
    }
    var indexes = tally.indexed() ? dueNow(jobPods.freeIndexes(missing)) : List.<Integer>of();
    var count = tally.indexed() ? indexes.size() : missing;
    var uid = Meta.uid(job);
    expectations.expectCreations(uid, count);
    var outcome =
        SlowStart.run(
            environment.crew(),
            count,
            i -> {
              try {
                podControl.create(job, jobPods.pod(tally.indexed() ? indexes.get(i) : null));
              } catch (RuntimeException e) {
                expectations.notCreated(uid, 1);
                throw e;
              }
            });
    expectations.notCreated(uid, outcome.skipped());
    activeCount += outcome.done();
    var failure = outcome.failure();
    return failure instanceof ApiException e && PodControl.isNamespaceEnding(e) ? null : failure;
  }

  private List<Integer> dueNow(List<Integer> indexes) {
    var due = new ArrayList<Integer>();
    for (var index : indexes) {
      var wait = jobPods.backoff(index);
      if (wait.isZero()) {
        due.add(index);
      } else {
        lookAgain(wait);
      }
    }
    return due;
  }

  /// Pods that the Job itself does not want any more have not failed: they are let go first, so
  /// that their deletion counts as nothing.
  private @Nullable RuntimeException takeAway(List<Tree> surplus) {
    return delete(
        surplus,
        pod -> {
          takenAway.add(Meta.uid(pod));
          Jobs.removeFinalizer(environment, pod);
          return podControl.delete(job, pod);
        });
  }

  /// `deletion` tells whether the pod was still there.
  private @Nullable RuntimeException delete(List<Tree> victims, Predicate<Tree> deletion) {
    var uids = new HashSet<String>();
    victims.forEach(pod -> uids.add(Meta.uid(pod)));
    expectations.expectDeletions(Meta.uid(job), uids);
    try {
      SlowStart.all(
          environment.crew(),
          victims.size(),
          i -> {
            try {
              if (!deletion.test(victims.get(i))) {
                expectations.deleted(Meta.uid(job), Meta.uid(victims.get(i)));
              }
            } catch (RuntimeException e) {
              expectations.deleted(Meta.uid(job), Meta.uid(victims.get(i)));
              throw e;
            }
          });
      activeCount -= victims.size();
      deleted.addAll(uids);
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  // ---- suspension ----------------------------------------------------------------------------

  private void suspend() {
    if (!isConditionTrue("Suspended")) {
      set("Suspended", "True", "JobSuspended", "Job suspended");
      status.remove("startTime");
      events.normal(Resource.JOBS, job, "Suspended", "Job suspended");
    }
  }

  private void resume() {
    if (isConditionTrue("Suspended")) {
      set("Suspended", "False", "JobResumed", "Job resumed");
      status.put("startTime", Meta.time(now));
      events.normal(Resource.JOBS, job, "Resumed", "Job resumed");
    }
  }

  private boolean isSuspended() {
    return job.flag("spec", "suspend");
  }

  // ---- status --------------------------------------------------------------------------------

  private void count() {
    tally.writeTo(status);
    if (activeCount == 0) {
      status.remove("active");
    } else {
      status.put("active", activeCount);
    }
    status.put("ready", active.stream().filter(this::isReady).count());
    status.put("terminating", terminating());
  }

  private boolean isReady(Tree pod) {
    return Pods.isReady(pod) && !deleted.contains(Meta.uid(pod));
  }

  private long terminating() {
    return pods.stream().filter(this::isTerminating).count();
  }

  private boolean isTerminating(Tree pod) {
    return !PodPhase.isTerminal(pod) && (Meta.isDeleting(pod) || deleted.contains(Meta.uid(pod)));
  }

  private void writeStatus() {
    if (!Trees.equivalent(status, job.get("status"))) {
      var changed = Tree.ofMap(job.fields()).put("status", status);
      writes.wrote(Key.of(job), environment.cluster().update(Resource.JOBS, "status", changed));
    }
  }

  private void set(String type, String value, String reason, String message) {
    var condition =
        Conditions.of(type, value, reason, message).put("lastProbeTime", Meta.time(now));
    Conditions.set(status, condition, Meta.time(now));
  }

  private @Nullable Tree find(String type) {
    var condition = Conditions.find(Tree.of("status", status), type);
    return condition != null && condition.textOrEmpty("status").equals("True") ? condition : null;
  }

  private boolean isConditionTrue(String type) {
    return find(type) != null;
  }

  /// When the job ends whatever its pods do, seen from now, or `null`; known once the step is
  /// taken.
  @Nullable Duration untilDeadline() {
    return deadline;
  }

  private void lookAgain(Duration wait) {
    again = again == null || wait.compareTo(again) < 0 ? wait : again;
  }
}
