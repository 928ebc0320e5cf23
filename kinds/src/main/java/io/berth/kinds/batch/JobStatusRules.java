package io.berth.kinds.batch;

import io.berth.api.JobIndexes;
import io.berth.api.Tree;
import io.berth.kinds.StatusRules;
import io.berth.kinds.meta.Cursor;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/// The `status` of jobs: what finished cannot start again, and counters do not run backwards.
///
/// As in Kubernetes most rules look only at what the update changes, so that a status that was
/// wrong already does not stand in the way.
///
/// Mirrors: registry/batch/job.jobStatusStrategy, batch/validation.ValidateJobStatusUpdate
final class JobStatusRules extends StatusRules {

  /// Whether the condition is there and true.
  static boolean is(Tree job, String condition) {
    for (var each : job.trees("status", "conditions")) {
      if (each.textOrEmpty("type").equals(condition)) {
        return each.textOrEmpty("status").equals("True");
      }
    }
    return false;
  }

  private static boolean isFinished(Tree job) {
    return is(job, "Complete") || is(job, "Failed");
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    var status = object.at("status");
    status.noneNegative("active", "succeeded", "failed", "ready", "terminating");
    uncounted(status.at("uncountedTerminatedPods"));
    new Change(object.tree(), old, status).all();
  }

  private static void uncounted(Cursor pods) {
    var seen = new HashSet<String>();
    for (var list : pods.fields("succeeded", "failed")) {
      for (var uid : list.each()) {
        if (uid.isEmpty()) {
          uid.invalid("must not be empty");
        } else {
          uid.unique(seen);
        }
      }
    }
  }

  /// One update, old and new side by side.
  private record Change(Tree job, Tree old, Cursor status) {

    void all() {
      finish();
      indexes();
      counts();
      criteria();
      noWayBack();
    }

    private void finish() {
      boolean complete = is(job, "Complete");
      boolean failed = is(job, "Failed");
      boolean completeChanged = complete != is(old, "Complete");
      boolean failedChanged = failed != is(old, "Failed");
      boolean timeChanged = changes("completionTime");
      if ((completeChanged || failedChanged) && complete && failed) {
        refuse("cannot set Complete=True and Failed=true conditions");
      }
      if ((completeChanged || flips("FailureTarget")) && complete && is(job, "FailureTarget")) {
        refuse("cannot set Complete=True and FailureTarget=true conditions");
      }
      var end = status.at("completionTime");
      if ((completeChanged || timeChanged) && !complete) {
        end.ifSet().invalid("cannot set completionTime when there is no Complete=True condition");
      }
      if ((completeChanged || timeChanged) && complete && !end.isSet()) {
        end.missing("completionTime is required for Complete jobs");
      }
      var start = status.text("startTime");
      if ((changes("startTime") || timeChanged) && end.text().compareTo(start) < 0) {
        end.ifSet().invalid("must be equal to or after `startTime`");
      }
      if ((failedChanged || changes("failedIndexes")) && failed && !is(job, "FailureTarget")) {
        refuse("cannot set Failed=True condition without the FailureTarget=true condition");
      }
      if ((completeChanged || flips("SuccessCriteriaMet"))
          && complete
          && !is(job, "SuccessCriteriaMet")) {
        refuse("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
      }
      finishedPods();
    }

    private void finishedPods() {
      boolean finished = isFinished(job);
      boolean finishedChanged = finished != isFinished(old);
      if ((finishedChanged || changes("active")) && status.number("active") > 0 && finished) {
        status.at("active").invalid("active>0 is invalid for finished job");
      }
      boolean nothingToDo =
          job.flag("spec", "suspend") && job.number(-1, "spec", "completions") == 0;
      if ((finishedChanged || changes("startTime"))
          && !nothingToDo
          && !status.has("startTime")
          && finished) {
        status.at("startTime").missing("startTime is required for finished job");
      }
      var uncounted = status.at("uncountedTerminatedPods");
      if ((finishedChanged || changes("uncountedTerminatedPods"))
          && finished
          && !(uncounted.at("failed").isEmpty() && uncounted.at("succeeded").isEmpty())) {
        uncounted.invalid("must be empty for finished job");
      }
    }

    private void indexes() {
      boolean indexed = job.textOrEmpty("spec", "completionMode").equals("Indexed");
      boolean limited = job.at("spec", "backoffLimitPerIndex") != null;
      var completed = status.at("completedIndexes");
      var failed = status.at("failedIndexes").ifSet();
      if (changes("completedIndexes")) {
        checkForm(completed);
      }
      if (changes("failedIndexes") && limited) {
        checkForm(failed);
      }
      if (changes("completedIndexes") && !indexed) {
        completed
            .ifFilled()
            .invalid("cannot set non-empty completedIndexes when non-indexed completion mode");
      }
      if (changes("failedIndexes") && !limited) {
        failed.invalid("cannot set non-null failedIndexes when backoffLimitPerIndex is null");
      }
    }

    private void checkForm(Cursor indexes) {
      if (!(job.at("spec", "completions") instanceof Long completions)) {
        return;
      }
      try {
        JobIndexes.count(indexes.text(), completions);
      } catch (IllegalArgumentException e) {
        indexes.invalidText("error parsing %s: %s".formatted(indexes.name(), e.getMessage()));
      }
    }

    private void counts() {
      boolean finishedChanged = isFinished(job) != isFinished(old);
      if ((finishedChanged || changes("terminating"))
          && status.number("terminating") > 0
          && isFinished(job)) {
        status.at("terminating").invalid("terminating>0 is invalid for finished job");
      }
      if ((changes("ready") || changes("active"))
          && status.number("ready") > status.number("active")) {
        status.at("ready").invalidNumber("cannot set more ready pods than active");
      }
    }

    private void criteria() {
      boolean met = is(job, "SuccessCriteriaMet");
      if (met && is(job, "Failed")) {
        refuse("cannot set SuccessCriteriaMet=True and Failed=true conditions");
      }
      if (met && is(job, "FailureTarget")) {
        refuse("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
      }
      if (job.at("spec", "successPolicy") != null && !met && is(job, "Complete")) {
        refuse(
            "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
      }
    }

    private void noWayBack() {
      for (var condition : List.of("Failed", "Complete", "FailureTarget")) {
        if (is(old, condition) && !is(job, condition)) {
          refuse("cannot disable the terminal %s=True condition".formatted(condition));
        }
      }
      noDecrease("failed");
      boolean scalable =
          job.textOrEmpty("spec", "completionMode").equals("Indexed")
              && Objects.equals(job.at("spec", "completions"), job.at("spec", "parallelism"));
      if (!scalable) {
        noDecrease("succeeded");
      }
      var oldEnd = old.at("status", "completionTime");
      if (oldEnd != null) {
        status.at("completionTime").ifSet().immutable(oldEnd);
      }
      boolean resumes = is(old, "Suspended") && !is(job, "Suspended");
      if (changes("startTime")
          && !resumes
          && old.at("status", "startTime") != null
          && !job.flag("spec", "suspend")) {
        status.at("startTime").invalid("field is immutable for unsuspended job once set");
      }
      if (is(old, "SuccessCriteriaMet") && !is(job, "SuccessCriteriaMet")) {
        refuse("cannot disable the SuccessCriteriaMet=True condition");
      }
      if (is(old, "Complete") && !is(old, "SuccessCriteriaMet") && is(job, "SuccessCriteriaMet")) {
        refuse("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
      }
    }

    private void noDecrease(String counter) {
      var count = status.at(counter);
      if (count.number() < old.number(0, "status", counter)) {
        count.invalidNumber("cannot decrease the %s counter".formatted(counter));
      }
    }

    private boolean changes(String field) {
      return !Objects.equals(job.at("status", field), old.at("status", field));
    }

    private boolean flips(String condition) {
      return is(job, condition) != is(old, condition);
    }

    private void refuse(String why) {
      status.at("conditions").refused(why);
    }
  }
}
