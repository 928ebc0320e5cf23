package io.berth.controllers.batch;

import io.berth.api.ApiException;
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
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One look at a Job: count what has finished, decide whether it is over, create or delete pods,
/// write the status.
final class JobStep {

  private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(6);
  private static final int BURST = 500;

  private final Environment environment;
  private final Events.Source events;
  private final PodControl podControl;
  private final Expectations expectations;
  private final OwnWrites writes;
  private final Tree job;
  private final List<Tree> pods;
  private final Tree status;
  private final JobTally tally;
  private final Instant now;
  private final List<Tree> active;
  private @Nullable Duration again;
  private long activeCount;

  JobStep(
      Environment environment,
      Events.Source events,
      PodControl podControl,
      Expectations expectations,
      OwnWrites writes,
      Tree job,
      List<Tree> pods) {
    this.environment = environment;
    this.events = events;
    this.podControl = podControl;
    this.expectations = expectations;
    this.writes = writes;
    this.job = job;
    this.pods = pods;
    this.status = job.treeOrEmpty("status").copy();
    this.tally = new JobTally(job);
    this.now = environment.now();
    this.active = new ArrayList<>(pods);
    active.removeIf(pod -> !Pods.isActive(pod));
    this.activeCount = active.size();
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
    if (tally.failJob() != null) {
      end("FailureTarget", "PodFailurePolicy", tally.failJob());
    } else if (exceedsBackoffLimit()) {
      end("FailureTarget", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    } else if (isPastDeadline()) {
      end("FailureTarget", "DeadlineExceeded", "Job was active longer than specified deadline");
    } else if (tally.failedIndexes().size()
        > job.number(Integer.MAX_VALUE, "spec", "maxFailedIndexes")) {
      end(
          "FailureTarget",
          "MaxFailedIndexesExceeded",
          "Job has exceeded the specified maximal number of failed indexes");
    } else {
      succeed();
    }
  }

  private void succeed() {
    var policy = successPolicy();
    if (policy != null) {
      end("SuccessCriteriaMet", "SuccessPolicy", policy);
      return;
    }
    var completions = completions();
    var complete =
        completions == null
            ? tally.succeeded() > 0 && activeCount == 0
            : tally.succeeded() >= completions;
    if (complete) {
      end("SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods");
    } else if (completions != null
        && tally.indexed()
        && !tally.failedIndexes().isEmpty()
        && tally.completed().size() + tally.failedIndexes().size() >= completions) {
      end("FailureTarget", "FailedIndexes", "Job has failed indexes");
    }
  }

  private @Nullable String successPolicy() {
    var rules = job.trees("spec", "successPolicy", "rules");
    for (int i = 0; i < rules.size(); i++) {
      var rule = rules.get(i);
      var met = new TreeSet<>(tally.completed());
      long wanted = Long.MAX_VALUE;
      if (rule.text("succeededIndexes") != null) {
        var listed = Indexes.parse(rule.textOrEmpty("succeededIndexes"));
        met.retainAll(listed);
        wanted = listed.size();
      }
      wanted = rule.number(wanted, "succeededCount");
      if (met.size() >= wanted) {
        return "Matched rules at index %d".formatted(i);
      }
    }
    return null;
  }

  private boolean exceedsBackoffLimit() {
    var limit = job.number(6, "spec", "backoffLimit");
    if (tally.failed() > limit) {
      return true;
    }
    if (!job.textOrEmpty("spec", "template", "spec", "restartPolicy").equals("OnFailure")) {
      return false;
    }
    long restarts = 0;
    for (var pod : active) {
      for (var container : pod.trees("status", "containerStatuses")) {
        restarts += container.number(0, "restartCount");
      }
    }
    return limit == 0 ? restarts > 0 : restarts >= limit;
  }

  private boolean isPastDeadline() {
    var seconds = job.number(-1, "spec", "activeDeadlineSeconds");
    if (seconds < 0 || isSuspended() || status.text("startTime") == null) {
      return false;
    }
    var end = Meta.instant(status, now, "startTime").plusSeconds(seconds);
    if (end.isAfter(now)) {
      lookAgain(Duration.between(now, end));
      return false;
    }
    return true;
  }

  private void end(String condition, String reason, String message) {
    set(condition, "True", reason, message);
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
      events.warning(Resource.JOBS, job, reason, message);
    } else {
      set("Complete", "True", reason, message);
      status.put("completionTime", Meta.time(now));
      events.normal(Resource.JOBS, job, "Completed", "Job completed");
    }
  }

  // ---- pods ----------------------------------------------------------------------------------

  private @Nullable RuntimeException manage() {
    if (isEnding()) {
      return delete(active);
    }
    if (isSuspended()) {
      suspend();
      return delete(active);
    }
    resume();
    var wanted = wanted();
    if (activeCount > wanted) {
      var surplus = new ArrayList<>(active);
      surplus.sort(Comparator.comparing(Meta::created).reversed());
      return delete(surplus.subList(0, (int) (activeCount - wanted)));
    }
    var occupied = activeCount;
    if (waitsForTerminating()) {
      occupied += terminating();
    }
    var missing = (int) Math.min(wanted - occupied, BURST);
    return missing > 0 ? create(missing) : null;
  }

  private long wanted() {
    var parallelism = job.number(1, "spec", "parallelism");
    var completions = completions();
    if (completions == null) {
      // One success means that the others may finish, and no new ones start.
      return tally.succeeded() > 0 ? Math.min(activeCount, parallelism) : parallelism;
    }
    var left = completions - tally.succeeded() - tally.failedIndexes().size();
    return Math.max(0, Math.min(parallelism, left));
  }

  private boolean waitsForTerminating() {
    return job.textOrEmpty("spec", "podReplacementPolicy").equals("Failed")
        || job.tree("spec", "podFailurePolicy") != null;
  }

  private @Nullable RuntimeException create(int missing) {
    var wait = backoff();
    if (!wait.isZero()) {
      lookAgain(wait);
      return null;
    }
    var indexes = tally.indexed() ? freeIndexes(missing) : List.<Integer>of();
    var count = tally.indexed() ? indexes.size() : missing;
    var uid = Meta.uid(job);
    expectations.expectCreations(uid, count);
    var outcome =
        SlowStart.run(
            count,
            i -> {
              try {
                podControl.create(job, pod(tally.indexed() ? indexes.get(i) : null));
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

  private Tree pod(@Nullable Integer index) {
    var pod = podControl.fromTemplate(job, job.treeOrEmpty("spec", "template"));
    var metadata = pod.child("metadata");
    var finalizers = metadata.childList("finalizers");
    finalizers.add(JobTally.FINALIZER);
    if (index == null) {
      return pod;
    }
    var text = index.toString();
    metadata.put("generateName", "%s-%d-".formatted(Meta.name(job), index));
    metadata.child("annotations").put(JobTally.INDEX, text);
    metadata.child("labels").put(JobTally.INDEX, text);
    if (job.at("spec", "backoffLimitPerIndex") != null) {
      metadata
          .child("annotations")
          .put("batch.kubernetes.io/job-index-failure-count", Long.toString(failures(index)));
    }
    if (pod.text("spec", "hostname") == null) {
      pod.child("spec").put("hostname", "%s-%d".formatted(Meta.name(job), index));
    }
    for (var list : List.of("containers", "initContainers")) {
      for (var container : pod.trees("spec", list)) {
        exposeIndex(container);
      }
    }
    return pod;
  }

  private static void exposeIndex(Tree container) {
    for (var variable : container.trees("env")) {
      if (variable.textOrEmpty("name").equals("JOB_COMPLETION_INDEX")) {
        return;
      }
    }
    container
        .childList("env")
        .add(
            Tree.of(
                "name",
                "JOB_COMPLETION_INDEX",
                "valueFrom",
                Tree.of(
                    "fieldRef",
                    Tree.of(
                        "apiVersion",
                        "v1",
                        "fieldPath",
                        "metadata.labels['%s']".formatted(JobTally.INDEX)))));
  }

  private long failures(int index) {
    long failures = 0;
    for (var pod : pods) {
      var own = JobTally.index(pod);
      if (own != null && own == index && tally.isFailed(pod)) {
        failures = Math.max(failures, JobTally.failuresOfIndex(pod) + 1);
      }
    }
    return failures;
  }

  private List<Integer> freeIndexes(int count) {
    var taken = new HashSet<Integer>(tally.completed());
    taken.addAll(tally.failedIndexes());
    for (var pod : pods) {
      var index = JobTally.index(pod);
      var holds = Pods.isActive(pod) || (waitsForTerminating() && !Pods.isTerminal(pod));
      if (index != null && holds) {
        taken.add(index);
      }
    }
    var free = new ArrayList<Integer>();
    var completions = job.number(0, "spec", "completions");
    for (int index = 0; index < completions && free.size() < count; index++) {
      if (!taken.contains(index)) {
        free.add(index);
      }
    }
    return free;
  }

  /// 10 s, 20 s, … up to six minutes after the last failure, by how many there were in a row.
  private Duration backoff() {
    var last = Instant.EPOCH;
    long failures = 0;
    for (var pod : pods) {
      if (tally.isFailed(pod)) {
        failures++;
        var end = finishedAt(pod);
        last = end.isAfter(last) ? end : last;
      }
    }
    for (var pod : pods) {
      if (Pods.phase(pod).equals("Succeeded") && finishedAt(pod).isAfter(last)) {
        return Duration.ZERO;
      }
    }
    if (failures == 0) {
      return Duration.ZERO;
    }
    var pause = FIRST_BACKOFF.multipliedBy(1L << Math.min(failures - 1, 10));
    var capped = pause.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : pause;
    var left = Duration.between(now, last.plus(capped));
    return left.isNegative() ? Duration.ZERO : left;
  }

  private Instant finishedAt(Tree pod) {
    var latest = Meta.created(pod);
    for (var container : pod.trees("status", "containerStatuses")) {
      var end = Meta.instant(container, latest, "state", "terminated", "finishedAt");
      latest = end.isAfter(latest) ? end : latest;
    }
    return latest;
  }

  private @Nullable RuntimeException delete(List<Tree> victims) {
    var uids = new HashSet<String>();
    victims.forEach(pod -> uids.add(Meta.uid(pod)));
    expectations.expectDeletions(Meta.uid(job), uids);
    try {
      SlowStart.all(
          victims.size(),
          i -> {
            try {
              podControl.delete(job, victims.get(i));
            } catch (RuntimeException e) {
              expectations.deleted(Meta.uid(job), Meta.uid(victims.get(i)));
              throw e;
            }
          });
      activeCount -= victims.size();
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
    status.put("ready", active.stream().filter(Pods::isReady).count());
    status.put("terminating", terminating());
  }

  private long terminating() {
    return pods.stream().filter(pod -> Meta.isDeleting(pod) && !Pods.isTerminal(pod)).count();
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

  private @Nullable Long completions() {
    return job.at("spec", "completions") instanceof Long completions ? completions : null;
  }

  private void lookAgain(Duration wait) {
    again = again == null || wait.compareTo(again) < 0 ? wait : again;
  }
}
