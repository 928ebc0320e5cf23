package io.berth.controllers.batch;

import io.berth.api.JobIndexes;
import io.berth.api.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Whether a Job is to end, and why: the first reason that holds.
final class JobEnd {

  private final Tree job;
  private final JobTally tally;
  private final List<Tree> active;
  private final @Nullable Instant started;
  private final Instant now;

  /// `started` is when the Job began or went on after a pause, `null` before.
  JobEnd(Tree job, JobTally tally, List<Tree> active, @Nullable Instant started, Instant now) {
    this.job = job;
    this.tally = tally;
    this.active = active;
    this.started = started;
    this.now = now;
  }

  /// The condition that says so, or `null` while the Job goes on.
  @Nullable Reason find() {
    if (tally.failJob() != null) {
      return failure("PodFailurePolicy", tally.failJob());
    }
    if (exceedsBackoffLimit()) {
      return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
    }
    if (Duration.ZERO.equals(untilDeadline())) {
      return failure("DeadlineExceeded", "Job was active longer than specified deadline");
    }
    if (tally.failedIndexes().size() > job.number(Integer.MAX_VALUE, "spec", "maxFailedIndexes")) {
      return failure(
          "MaxFailedIndexesExceeded",
          "Job has exceeded the specified maximal number of failed indexes");
    }
    if (isAllTold()) {
      return failure("FailedIndexes", "Job has failed indexes");
    }
    return success();
  }

  /// Whether each index has succeeded or failed, and some have failed.
  private boolean isAllTold() {
    var completions = completions(job);
    return completions != null
        && !tally.failedIndexes().isEmpty()
        && tally.completed().size() + tally.failedIndexes().size() >= completions;
  }

  private @Nullable Reason success() {
    var policy = successPolicy();
    if (policy != null) {
      return new Reason("SuccessCriteriaMet", "SuccessPolicy", policy);
    }
    var completions = completions(job);
    var complete =
        completions == null
            ? tally.succeeded() > 0 && active.isEmpty()
            : tally.succeeded() >= completions;
    return complete
        ? new Reason(
            "SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods")
        : null;
  }

  private @Nullable String successPolicy() {
    var rules = job.trees("spec", "successPolicy", "rules");
    for (int i = 0; i < rules.size(); i++) {
      var rule = rules.get(i);
      var met = new TreeSet<>(tally.completed());
      long wanted = Long.MAX_VALUE;
      if (rule.text("succeededIndexes") != null) {
        var listed = rule.textOrEmpty("succeededIndexes");
        met.retainAll(JobIndexes.parse(listed, (int) job.number(0, "spec", "completions")));
        wanted = JobIndexes.count(listed, Long.MAX_VALUE);
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
      for (var list : List.of("initContainerStatuses", "containerStatuses")) {
        for (var container : pod.trees("status", list)) {
          restarts += container.number(0, "restartCount");
        }
      }
    }
    return limit == 0 ? restarts > 0 : restarts >= limit;
  }

  /// How long the Job may still run: zero when that is over, `null` without a deadline.
  @Nullable Duration untilDeadline() {
    var seconds = job.number(-1, "spec", "activeDeadlineSeconds");
    if (seconds < 0 || job.flag("spec", "suspend") || started == null) {
      return null;
    }
    var left = Duration.between(now, started.plusSeconds(seconds));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /// How many pods must succeed; `null` when one is enough.
  static @Nullable Long completions(Tree job) {
    return job.at("spec", "completions") instanceof Long completions ? completions : null;
  }

  private static Reason failure(String reason, @Nullable String message) {
    return new Reason("FailureTarget", reason, message == null ? "" : message);
  }

  /// A condition to come.
  record Reason(String condition, String reason, String message) {}
}
