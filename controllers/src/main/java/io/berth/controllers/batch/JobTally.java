package io.berth.controllers.batch;

import io.berth.api.JobIndexes;
import io.berth.api.PodPhase;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Counts finished pods, each exactly once, whatever crashes in between.
///
/// Three steps, each visible in the API before the next is taken: the pod's uid is noted in
/// `uncountedTerminatedPods`; its finalizer is removed; the uid leaves the list and the counter
/// grows. A pod without the finalizer has been noted before, so it is never noted again.
final class JobTally {

  static final String FINALIZER = "batch.kubernetes.io/job-tracking";
  static final String INDEX = "batch.kubernetes.io/job-completion-index";

  /// So that a status stays small, however many pods end at once.
  private static final int MOST_UNCOUNTED = 500;

  private final Tree job;
  private final Set<String> takenAway;
  private final boolean indexed;
  private final int indexes;
  private final Set<String> uncountedSucceeded = new LinkedHashSet<>();
  private final Set<String> uncountedFailed = new LinkedHashSet<>();
  private final SortedSet<Integer> completed;
  private final SortedSet<Integer> failedIndexes;
  private final List<Tree> finalized = new ArrayList<>();
  private final Map<Integer, Tree> toReplace = new HashMap<>();
  private long succeeded;
  private long failed;
  private long waitingSucceeded;
  private long waitingFailed;
  private @Nullable String failJob;

  /// `takenAway` are the uids of pods that were deleted because the Job did not want them any more.
  JobTally(Tree job, Set<String> takenAway) {
    this.job = job;
    this.takenAway = takenAway;
    this.indexes = (int) job.number(0, "spec", "completions");
    this.indexed = job.textOrEmpty("spec", "completionMode").equals("Indexed");
    this.succeeded = job.number(0, "status", "succeeded");
    this.failed = job.number(0, "status", "failed");
    this.completed = within(job.textOrEmpty("status", "completedIndexes"));
    this.failedIndexes = within(job.textOrEmpty("status", "failedIndexes"));
    var noted = job.treeOrEmpty("status", "uncountedTerminatedPods");
    noted.list("succeeded").forEach(uid -> uncountedSucceeded.add(String.valueOf(uid)));
    noted.list("failed").forEach(uid -> uncountedFailed.add(String.valueOf(uid)));
  }

  /// A Job may shrink: what its higher indexes did does not count any more.
  private SortedSet<Integer> within(String text) {
    return JobIndexes.parse(text, indexes);
  }

  /// Takes in what the pods look like now. `settleAll` notes pods that still run, because the Job
  /// is over.
  void take(List<Tree> pods, boolean settleAll) {
    var byUid = new HashMap<String, Tree>();
    pods.forEach(pod -> byUid.put(Meta.uid(pod), pod));
    succeeded += count(uncountedSucceeded, byUid);
    failed += count(uncountedFailed, byUid);
    if (retriesPerIndex() && !settleAll) {
      findThoseToReplace(pods);
    }
    for (var pod : pods) {
      if (!Meta.hasFinalizer(pod, FINALIZER)) {
        continue;
      }
      var uid = Meta.uid(pod);
      if (uncountedSucceeded.contains(uid) || uncountedFailed.contains(uid)) {
        finalized.add(pod);
      } else if (PodPhase.of(pod).equals(PodPhase.SUCCEEDED)) {
        noteSucceeded(pod);
      } else if (isAbandoned(pod)) {
        finalized.add(pod);
      } else if (isFailed(pod) || (settleAll && Meta.isDeleting(pod))) {
        noteFailed(pod);
      }
    }
  }

  /// The last failed pod of each index that goes on stays until there is another: how often the
  /// index has failed is written in its pods alone.
  private void findThoseToReplace(List<Tree> pods) {
    var done = new HashSet<Integer>(completed);
    done.addAll(failedIndexes);
    for (var pod : pods) {
      var index = index(pod);
      var ended =
          Meta.hasFinalizer(pod, FINALIZER)
              && (PodPhase.of(pod).equals(PodPhase.SUCCEEDED) || failsIndex(pod));
      if (index != null && (Pods.isActive(pod) || ended)) {
        done.add(index);
      }
    }
    for (var pod : pods) {
      var index = index(pod);
      if (index != null
          && index < indexes
          && !done.contains(index)
          && Meta.hasFinalizer(pod, FINALIZER)
          && !uncountedFailed.contains(Meta.uid(pod))
          && isFailed(pod)) {
        toReplace.merge(index, pod, (a, b) -> attempts(a) > attempts(b) || isEarlier(b, a) ? a : b);
      }
    }
  }

  private static boolean isEarlier(Tree a, Tree b) {
    return JobPods.finishedAt(a).isBefore(JobPods.finishedAt(b));
  }

  private boolean failsIndex(Tree pod) {
    if (!isFailed(pod)) {
      return false;
    }
    return switch (FailurePolicy.of(job, pod).action()) {
      case "FailIndex" -> true;
      case "Ignore" -> false;
      default -> failuresOfIndex(pod) >= job.number(Long.MAX_VALUE, "spec", "backoffLimitPerIndex");
    };
  }

  boolean retriesPerIndex() {
    return job.at("spec", "backoffLimitPerIndex") != null;
  }

  /// The failed pod whose place the next one of this index takes; `null` for the first.
  @Nullable Tree toReplace(int index) {
    return toReplace.get(index);
  }

  /// Whether a pod has been deleted because the Job had succeeded without it. Its finalizer is gone
  /// or about to go, and it counts as nothing, however late that is seen.
  private boolean isAbandoned(Tree pod) {
    return Conditions.isTrue(job, "SuccessCriteriaMet")
        && Meta.isDeleting(pod)
        && !PodPhase.of(pod).equals(PodPhase.FAILED);
  }

  /// The Job is over, and these pods, which were to run on, have been deleted: they are let go, and
  /// count as failed if the Job has.
  void abandon(List<Tree> pods, boolean failed) {
    for (var pod : pods) {
      if (Meta.hasFinalizer(pod, FINALIZER)) {
        finalized.add(pod);
        if (failed && !FailurePolicy.of(job, pod).action().equals("Ignore")) {
          uncountedFailed.add(Meta.uid(pod));
        }
      }
    }
  }

  /// Noted pods whose finalizer is gone are counted now.
  private static int count(Set<String> noted, Map<String, Tree> pods) {
    var before = noted.size();
    noted.removeIf(uid -> {
      var pod = pods.get(uid);
      return pod == null || !Meta.hasFinalizer(pod, FINALIZER);
    });
    return before - noted.size();
  }

  private void noteSucceeded(Tree pod) {
    var index = index(pod);
    if (indexed) {
      finalized.add(pod);
      if (index != null && index < indexes) {
        completed.add(index);
      }
    } else if (isFull()) {
      waitingSucceeded++;
    } else {
      finalized.add(pod);
      uncountedSucceeded.add(Meta.uid(pod));
    }
  }

  private void noteFailed(Tree pod) {
    var index = index(pod);
    if (indexed && (index == null || index >= indexes)) {
      finalized.add(pod);
      return;
    }
    var verdict = FailurePolicy.of(job, pod);
    if (verdict.action().equals("FailJob")) {
      failJob = failJob == null ? verdict.message() : failJob;
    }
    if (index != null && retriesPerIndex() && failsIndex(pod)) {
      failedIndexes.add(index);
    }
    var counts = !verdict.action().equals("Ignore");
    if (counts && (isFull() || toReplace.containsValue(pod))) {
      waitingFailed++;
    } else if (!toReplace.containsValue(pod)) {
      finalized.add(pod);
      if (counts) {
        uncountedFailed.add(Meta.uid(pod));
      }
    }
  }

  private boolean isFull() {
    return uncountedSucceeded.size() + uncountedFailed.size() >= MOST_UNCOUNTED;
  }

  /// How often the index of this pod had failed before it.
  static long failuresOfIndex(Tree pod) {
    return annotated(pod, JobPods.FAILURES);
  }

  /// How often it had failed, also in ways that do not count.
  static long attempts(Tree pod) {
    return annotated(pod, JobPods.FAILURES) + annotated(pod, JobPods.IGNORED_FAILURES);
  }

  static long annotated(Tree pod, String annotation) {
    var text = Meta.annotation(pod, annotation);
    return text != null && text.matches("\\d{1,9}") ? Long.parseLong(text) : 0;
  }

  /// As in Kubernetes, a pod that is deleted counts as failed at once, unless the Job wants to see
  /// how it ends.
  boolean isFailed(Tree pod) {
    if (takenAway.contains(Meta.uid(pod))) {
      return false;
    }
    if (PodPhase.of(pod).equals(PodPhase.FAILED)) {
      return true;
    }
    var waits =
        job.tree("spec", "podFailurePolicy") != null
            || job.textOrEmpty("spec", "podReplacementPolicy").equals("Failed");
    return !waits && Meta.isDeleting(pod) && !PodPhase.of(pod).equals(PodPhase.SUCCEEDED);
  }

  static @Nullable Integer index(Tree pod) {
    var text = Meta.annotation(pod, INDEX);
    return text != null && text.matches("\\d{1,9}") ? Integer.valueOf(text) : null;
  }

  boolean indexed() {
    return indexed;
  }

  /// Noted pods, whose finalizer may go once the status is stored.
  List<Tree> finalized() {
    return finalized;
  }

  long succeeded() {
    return indexed ? completed.size() : succeeded + uncountedSucceeded.size() + waitingSucceeded;
  }

  long failed() {
    return failed + uncountedFailed.size() + waitingFailed;
  }

  boolean hasUncounted() {
    return !uncountedSucceeded.isEmpty() || !uncountedFailed.isEmpty() || !toReplace.isEmpty();
  }

  SortedSet<Integer> completed() {
    return completed;
  }

  SortedSet<Integer> failedIndexes() {
    return failedIndexes;
  }

  /// Why the failure policy wants the Job to fail; `null` when it does not.
  @Nullable String failJob() {
    return failJob;
  }

  void writeTo(Tree status) {
    put(status, "succeeded", indexed ? completed.size() : succeeded);
    put(status, "failed", failed);
    if (indexed && !completed.isEmpty()) {
      status.put("completedIndexes", JobIndexes.text(completed));
    } else {
      status.remove("completedIndexes");
    }
    if (retriesPerIndex()) {
      status.put("failedIndexes", JobIndexes.text(new TreeSet<>(failedIndexes)));
    }
    var noted = new Tree();
    if (!uncountedSucceeded.isEmpty()) {
      noted.put("succeeded", List.copyOf(uncountedSucceeded));
    }
    if (!uncountedFailed.isEmpty()) {
      noted.put("failed", List.copyOf(uncountedFailed));
    }
    status.put("uncountedTerminatedPods", noted);
  }

  private static void put(Tree status, String field, long count) {
    if (count == 0) {
      status.remove(field);
    } else {
      status.put(field, count);
    }
  }
}
