package io.berth.kinds.batch;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.JobIndexes;
import io.berth.api.Tree;
import io.berth.kinds.StatusRules;
import io.berth.kinds.meta.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/// The `status` of jobs: what finished cannot start again, and counters do not run backwards.
///
/// As in Kubernetes most rules look only at what the update changes, so that a status that was
/// wrong already does not stand in the way.
final class JobStatusRules extends StatusRules {

  private static final FieldPath STATUS = FieldPath.of("status");
  private static final FieldPath CONDITIONS = STATUS.child("conditions");

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
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    var status = object.treeOrEmpty("status");
    for (var field : List.of("active", "succeeded", "failed", "ready", "terminating")) {
      Checks.nonNegative(STATUS.child(field), status.number(0, field), errors);
    }
    uncounted(status, errors);
    new Change(object, old, errors).all();
  }

  private static void uncounted(Tree status, FieldErrors errors) {
    var seen = new HashSet<>();
    for (var list : List.of("succeeded", "failed")) {
      var uids = status.list("uncountedTerminatedPods", list);
      for (int i = 0; i < uids.size(); i++) {
        var path = STATUS.child("uncountedTerminatedPods", list).index(i);
        if ("".equals(uids.get(i))) {
          errors.invalid(path, "", "must not be empty");
        } else if (!seen.add(uids.get(i))) {
          errors.duplicate(path, uids.get(i));
        }
      }
    }
  }

  /// One update, old and new side by side.
  private record Change(Tree job, Tree old, FieldErrors errors) {

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
      var end = job.text("status", "completionTime");
      if ((completeChanged || timeChanged) && end != null && !complete) {
        errors.invalid(
            STATUS.child("completionTime"),
            end,
            "cannot set completionTime when there is no Complete=True condition");
      }
      if ((completeChanged || timeChanged) && end == null && complete) {
        errors.required(
            STATUS.child("completionTime"), "completionTime is required for Complete jobs");
      }
      var start = job.text("status", "startTime");
      if ((changes("startTime") || timeChanged)
          && start != null
          && end != null
          && end.compareTo(start) < 0) {
        errors.invalid(
            STATUS.child("completionTime"), end, "must be equal to or after `startTime`");
      }
      if ((failedChanged || changes("failedIndexes")) && failed && !is(job, "FailureTarget")) {
        refuse("cannot set Failed=True condition without the FailureTarget=true condition");
      }
      if ((completeChanged || flips("SuccessCriteriaMet"))
          && complete
          && !is(job, "SuccessCriteriaMet")) {
        refuse("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
      }
      finishedPods(start == null);
    }

    private void finishedPods(boolean neverStarted) {
      boolean finished = isFinished(job);
      boolean finishedChanged = finished != isFinished(old);
      long active = job.number(0, "status", "active");
      if ((finishedChanged || changes("active")) && active > 0 && finished) {
        errors.invalid(STATUS.child("active"), active, "active>0 is invalid for finished job");
      }
      boolean nothingToDo =
          job.flag("spec", "suspend") && job.number(-1, "spec", "completions") == 0;
      if ((finishedChanged || changes("startTime")) && !nothingToDo && neverStarted && finished) {
        errors.required(STATUS.child("startTime"), "startTime is required for finished job");
      }
      var uncounted = job.treeOrEmpty("status", "uncountedTerminatedPods");
      if ((finishedChanged || changes("uncountedTerminatedPods"))
          && finished
          && !(uncounted.list("failed").isEmpty() && uncounted.list("succeeded").isEmpty())) {
        errors.invalid(
            STATUS.child("uncountedTerminatedPods"), uncounted, "must be empty for finished job");
      }
    }

    private void indexes() {
      boolean indexed = job.textOrEmpty("spec", "completionMode").equals("Indexed");
      var completed = job.textOrEmpty("status", "completedIndexes");
      var failed = job.text("status", "failedIndexes");
      boolean limited = job.at("spec", "backoffLimitPerIndex") != null;
      if (changes("completedIndexes")) {
        checkForm("completedIndexes", completed);
      }
      if (changes("failedIndexes") && limited && failed != null) {
        checkForm("failedIndexes", failed);
      }
      if (changes("completedIndexes") && !completed.isEmpty() && !indexed) {
        errors.invalid(
            STATUS.child("completedIndexes"),
            completed,
            "cannot set non-empty completedIndexes when non-indexed completion mode");
      }
      if (changes("failedIndexes") && !limited && failed != null) {
        errors.invalid(
            STATUS.child("failedIndexes"),
            failed,
            "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
      }
    }

    private void checkForm(String field, String indexes) {
      if (!(job.at("spec", "completions") instanceof Long completions)) {
        return;
      }
      try {
        JobIndexes.count(indexes, completions);
      } catch (IllegalArgumentException e) {
        errors.invalid(
            STATUS.child(field), indexes, "error parsing %s: %s".formatted(field, e.getMessage()));
      }
    }

    private void counts() {
      boolean finishedChanged = isFinished(job) != isFinished(old);
      long terminating = job.number(0, "status", "terminating");
      if ((finishedChanged || changes("terminating")) && terminating > 0 && isFinished(job)) {
        errors.invalid(
            STATUS.child("terminating"), terminating, "terminating>0 is invalid for finished job");
      }
      long ready = job.number(0, "status", "ready");
      if ((changes("ready") || changes("active")) && ready > job.number(0, "status", "active")) {
        errors.invalid(STATUS.child("ready"), ready, "cannot set more ready pods than active");
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
      var end = job.at("status", "completionTime");
      var oldEnd = old.at("status", "completionTime");
      if (end != null && oldEnd != null && !end.equals(oldEnd)) {
        errors.invalid(STATUS.child("completionTime"), end, Checks.IMMUTABLE);
      }
      boolean resumes = is(old, "Suspended") && !is(job, "Suspended");
      if (changes("startTime")
          && !resumes
          && old.at("status", "startTime") != null
          && !job.flag("spec", "suspend")) {
        errors.invalid(
            STATUS.child("startTime"),
            job.at("status", "startTime"),
            "field is immutable for unsuspended job once set");
      }
      if (is(old, "SuccessCriteriaMet") && !is(job, "SuccessCriteriaMet")) {
        refuse("cannot disable the SuccessCriteriaMet=True condition");
      }
      if (is(old, "Complete") && !is(old, "SuccessCriteriaMet") && is(job, "SuccessCriteriaMet")) {
        refuse("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
      }
    }

    private void noDecrease(String counter) {
      long count = job.number(0, "status", counter);
      if (count < old.number(0, "status", counter)) {
        errors.invalid(
            STATUS.child(counter), count, "cannot decrease the %s counter".formatted(counter));
      }
    }

    private boolean changes(String field) {
      return !Objects.equals(job.at("status", field), old.at("status", field));
    }

    private boolean flips(String condition) {
      return is(job, condition) != is(old, condition);
    }

    private void refuse(String why) {
      errors.add(FieldError.invalidWithoutValue(CONDITIONS, why));
    }
  }
}
