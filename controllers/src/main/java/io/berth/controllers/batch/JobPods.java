package io.berth.controllers.batch;

import io.berth.api.Tree;
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

  private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(6);

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

  /// The lowest indexes that nobody works on and that are not done with.
  List<Integer> freeIndexes(int count) {
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
  Duration backoff() {
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

  private static Instant finishedAt(Tree pod) {
    var latest = Meta.created(pod);
    for (var container : pod.trees("status", "containerStatuses")) {
      var end = Meta.instant(container, latest, "state", "terminated", "finishedAt");
      latest = end.isAfter(latest) ? end : latest;
    }
    return latest;
  }

  /// Whether a pod is replaced only once it has ended.
  boolean waitsForTerminating() {
    return job.textOrEmpty("spec", "podReplacementPolicy").equals("Failed")
        || job.tree("spec", "podFailurePolicy") != null;
  }
}
