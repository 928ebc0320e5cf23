package io.berth.controllers.batch;

import io.berth.api.PodPhase;
import io.berth.api.Tree;
import io.berth.controllers.apps.ScaleDownOrder;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The next pods of a Job: when they may come, which indexes they take, and what they look like.
final class JobPods {

  static final String FAILURES = "batch.kubernetes.io/job-index-failure-count";
  static final String IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count";

  /// So that there is room for what a generated name ends with.
  private static final int LONGEST_PREFIX = 58;

  private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);

  private final PodControl podControl;
  private final Tree job;
  private final List<Tree> pods;
  private final JobTally tally;
  private final Instant now;

  JobPods(PodControl podControl, Tree job, List<Tree> pods, JobTally tally, Instant now) {
    this.podControl = podControl;
    this.job = job;
    this.pods = pods;
    this.tally = tally;
    this.now = now;
  }

  /// A new pod, of this index in an Indexed Job.
  Tree pod(@Nullable Integer index) {
    var pod = podControl.fromTemplate(job, job.treeOrEmpty("spec", "template"));
    var metadata = pod.child("metadata");
    var finalizers = metadata.childList("finalizers");
    finalizers.add(JobTally.FINALIZER);
    if (index == null) {
      return pod;
    }
    var text = index.toString();
    metadata.put("generateName", prefix("-%d-".formatted(index)));
    metadata.child("annotations").put(JobTally.INDEX, text);
    metadata.child("labels").put(JobTally.INDEX, text);
    if (tally.retriesPerIndex()) {
      countFailures(metadata.child("annotations"), tally.toReplace(index));
    }
    pod.child("spec").put("hostname", "%s-%d".formatted(Meta.name(job), index));
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

  private String prefix(String end) {
    var most = LONGEST_PREFIX - end.length();
    var name = Meta.name(job);
    return (name.length() > most ? name.substring(0, most) : name) + end;
  }

  private void countFailures(Tree annotations, @Nullable Tree replaced) {
    var counted = replaced == null ? 0 : JobTally.failuresOfIndex(replaced);
    var ignored = replaced == null ? 0 : JobTally.annotated(replaced, IGNORED_FAILURES);
    if (replaced != null && FailurePolicy.of(job, replaced).action().equals("Ignore")) {
      ignored++;
    } else if (replaced != null) {
      counted++;
    }
    annotations.put(FAILURES, Long.toString(counted));
    if (ignored > 0) {
      annotations.put(IGNORED_FAILURES, Long.toString(ignored));
    }
  }

  /// Which of the active pods go when there are too many by `atLeast`. Of an Indexed Job all go
  /// that have no index, one that is too high, or the same as another.
  List<Tree> surplus(List<Tree> active, int atLeast) {
    var order = ScaleDownOrder.plain();
    if (!tally.indexed()) {
      return order.first(active, atLeast);
    }
    var surplus = new ArrayList<Tree>();
    var left = new ArrayList<Tree>();
    var kept = new HashSet<Integer>();
    for (var pod : active.stream().sorted(order.reversed()).toList()) {
      var index = JobTally.index(pod);
      var stays = index != null && index < job.number(0, "spec", "completions") && kept.add(index);
      (stays ? left : surplus).add(pod);
    }
    surplus.addAll(order.first(left, Math.clamp(atLeast - surplus.size(), 0, left.size())));
    return surplus;
  }

  /// The lowest indexes that nobody works on and that are not done with.
  List<Integer> freeIndexes(int count) {
    var taken = new HashSet<Integer>(tally.completed());
    taken.addAll(tally.failedIndexes());
    for (var pod : pods) {
      var index = JobTally.index(pod);
      var holds = Pods.isActive(pod) || (waitsForTerminating() && !PodPhase.isTerminal(pod));
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

  /// How long the next pod has to wait after failures in a row; zero where each index waits for
  /// itself.
  Duration backoff() {
    if (tally.retriesPerIndex()) {
      return Duration.ZERO;
    }
    var success = Instant.EPOCH;
    for (var pod : pods) {
      if (PodPhase.of(pod).equals(PodPhase.SUCCEEDED)) {
        success = later(success, finishedAt(pod));
      }
    }
    var last = Instant.EPOCH;
    long failures = 0;
    for (var pod : pods) {
      if (tally.isFailed(pod) && finishedAt(pod).isAfter(success)) {
        failures++;
        last = later(last, finishedAt(pod));
      }
    }
    return left(failures, last);
  }

  /// How long the next pod of this index has to wait after the failures of the index.
  Duration backoff(int index) {
    var last = tally.toReplace(index);
    return last == null ? Duration.ZERO : left(JobTally.attempts(last) + 1, finishedAt(last));
  }

  /// 10 s, 20 s, … up to ten minutes after the last failure, by how many there were.
  private Duration left(long failures, Instant last) {
    if (failures == 0) {
      return Duration.ZERO;
    }
    var pause = FIRST_BACKOFF.multipliedBy(1L << Math.min(failures - 1, 10));
    var capped = pause.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : pause;
    var left = Duration.between(now, last.plus(capped));
    return left.isNegative() ? Duration.ZERO : left;
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  /// When the last container ended; of a pod without such news, when it was no longer ready or was
  /// deleted.
  static Instant finishedAt(Tree pod) {
    var latest = Instant.EPOCH;
    for (var container : pod.trees("status", "containerStatuses")) {
      latest = later(latest, Meta.instant(container, latest, "state", "terminated", "finishedAt"));
    }
    if (latest.isAfter(Instant.EPOCH)) {
      return latest;
    }
    var created = Meta.created(pod);
    var ready = Conditions.find(pod, "Ready");
    if (ready != null && ready.textOrEmpty("status").equals("False")) {
      return Meta.instant(ready, created, "lastTransitionTime");
    }
    return Meta.instant(pod, created, "metadata", "deletionTimestamp")
        .minusSeconds(pod.number(0, "metadata", "deletionGracePeriodSeconds"));
  }

  /// Whether a pod is replaced only once it has ended.
  boolean waitsForTerminating() {
    return job.textOrEmpty("spec", "podReplacementPolicy").equals("Failed")
        || job.tree("spec", "podFailurePolicy") != null;
  }
}
