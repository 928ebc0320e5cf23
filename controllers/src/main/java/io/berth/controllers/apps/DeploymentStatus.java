package io.berth.controllers.apps;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The status of a Deployment as it is built up during one [Rollout].
final class DeploymentStatus {

  private static final long NO_DEADLINE = Integer.MAX_VALUE;

  private final Tree deployment;
  private final Instant now;
  private final Tree before;
  private final Tree status;
  private final long deadlineSeconds;
  private @Nullable String revision;
  private boolean progressTracked;

  DeploymentStatus(Tree deployment, Instant now) {
    this.deployment = deployment;
    this.now = now;
    this.before = deployment.treeOrEmpty("status");
    this.status = before.copy();
    this.deadlineSeconds = deployment.number(NO_DEADLINE, "spec", "progressDeadlineSeconds");
  }

  long replicasBefore() {
    return before.number(0, "replicas");
  }

  void paused(boolean paused) {
    var reason = reason();
    if (!hasDeadline() || "ProgressDeadlineExceeded".equals(reason)) {
      return;
    }
    var known = "DeploymentPaused".equals(reason);
    if (paused && !known) {
      progressing("Unknown", "DeploymentPaused", "Deployment is paused");
    } else if (!paused && known) {
      progressing("Unknown", "DeploymentResumed", "Deployment is resumed");
    }
  }

  void found(String set, @Nullable String setRevision) {
    revision = setRevision;
    if (hasDeadline() && reason() == null) {
      progressing("True", "FoundNewReplicaSet", "Found new replica set \"%s\"".formatted(set));
    }
  }

  void created(String set, String setRevision) {
    revision = setRevision;
    if (hasDeadline()) {
      progressing("True", "NewReplicaSetCreated", "Created new replica set \"%s\"".formatted(set));
    }
  }

  void failed(String message) {
    if (hasDeadline()) {
      progressing("False", "ReplicaSetCreateError", message);
    }
  }

  /// The hash of the template is taken by another ReplicaSet; the next one will differ.
  void collided() {
    status.put("collisionCount", status.number(0, "collisionCount") + 1);
  }

  /// A rollout is under way or done, and its progress counts.
  void tracksProgress() {
    progressTracked = true;
  }

  /// Whether the status says that all replicas are of the newest version and available.
  boolean isComplete() {
    return isComplete(before);
  }

  /// When to look again in case nothing happens; `null` when there is nothing to wait for.
  @Nullable Duration untilTimeout() {
    if (!progressTracked
        || !hasDeadline()
        || reason() == null
        || isComplete(status)
        || "ProgressDeadlineExceeded".equals(reason())) {
      return null;
    }
    var condition = condition(status, "Progressing");
    var since = condition == null ? now : Meta.instant(condition, now, "lastUpdateTime");
    var wait = Duration.between(now, since.plusSeconds(deadlineSeconds)).plusSeconds(1);
    return wait.isNegative() ? Duration.ofSeconds(1) : wait;
  }

  /// The Deployment with its new status; also its annotation, which is written with it.
  Tree of(List<Tree> sets, @Nullable Tree newest, long maxUnavailable) {
    var replicas = deployment.number(1, "spec", "replicas");
    var available = sum(sets, "availableReplicas");
    var total = 0L;
    for (var set : sets) {
      total += set.number(1, "spec", "replicas");
    }
    status.put("observedGeneration", Meta.generation(deployment));
    put("replicas", sum(sets, "replicas"));
    put("updatedReplicas", newest == null ? 0 : newest.number(0, "status", "replicas"));
    put("readyReplicas", sum(sets, "readyReplicas"));
    put("availableReplicas", available);
    put("unavailableReplicas", Math.max(0, total - available));
    status.put("terminatingReplicas", sum(sets, "terminatingReplicas"));
    availability(available >= replicas - maxUnavailable);
    if (progressTracked) {
      progress(newest);
      replicaFailure(sets, newest);
    }
    var changed = Tree.ofMap(deployment.fields()).put("status", status);
    if (revision != null && !revision.equals(Meta.annotation(deployment, Rollout.REVISION))) {
      changed.put("metadata", deployment.treeOrEmpty("metadata").copy());
      changed.child("metadata").child("annotations").put(Rollout.REVISION, revision);
    }
    return changed;
  }

  private void availability(boolean enough) {
    set(
        enough
            ? Conditions.of(
                "Available",
                "True",
                "MinimumReplicasAvailable",
                "Deployment has minimum availability.")
            : Conditions.of(
                "Available",
                "False",
                "MinimumReplicasUnavailable",
                "Deployment does not have minimum availability."));
  }

  private void progress(@Nullable Tree newest) {
    if (!hasDeadline()) {
      Conditions.remove(status, "Progressing");
      return;
    }
    var known = condition(before, "Progressing");
    var done =
        known != null
            && known.textOrEmpty("reason").equals("NewReplicaSetAvailable")
            && "NewReplicaSetAvailable".equals(reason())
            && status.number(0, "replicas") == status.number(0, "updatedReplicas");
    if (done) {
      return;
    }
    var who =
        newest == null
            ? "Deployment \"%s\"".formatted(Meta.name(deployment))
            : "ReplicaSet \"%s\"".formatted(Meta.name(newest));
    if (isComplete(status)) {
      progressing("True", "NewReplicaSetAvailable", who + " has successfully progressed.");
    } else if (hasProgressed()) {
      advanced(who + " is progressing.");
    } else if (isTimedOut()) {
      progressing("False", "ProgressDeadlineExceeded", who + " has timed out progressing.");
    }
  }

  /// Renews the time of the last update, from which the deadline is counted.
  private void advanced(String message) {
    var known = condition(status, "Progressing");
    var changed = Conditions.of("Progressing", "True", "ReplicaSetUpdated", message);
    changed.put("lastUpdateTime", Meta.time(now));
    if (known != null && known.textOrEmpty("status").equals("True")) {
      changed.put("lastTransitionTime", known.text("lastTransitionTime"));
    }
    Conditions.remove(status, "Progressing");
    Conditions.set(status, changed, Meta.time(now));
  }

  private boolean hasProgressed() {
    var old = before.number(0, "replicas") - before.number(0, "updatedReplicas");
    var oldNow = status.number(0, "replicas") - status.number(0, "updatedReplicas");
    return more("updatedReplicas")
        || oldNow < old
        || more("readyReplicas")
        || more("availableReplicas");
  }

  private boolean more(String field) {
    return status.number(0, field) > before.number(0, field);
  }

  private boolean isTimedOut() {
    var known = condition(status, "Progressing");
    if (known == null || known.textOrEmpty("reason").equals("NewReplicaSetAvailable")) {
      return false;
    }
    if (known.textOrEmpty("reason").equals("ProgressDeadlineExceeded")) {
      return true;
    }
    var since = Meta.instant(known, now, "lastUpdateTime");
    return since.plusSeconds(deadlineSeconds).isBefore(now);
  }

  private void replicaFailure(List<Tree> sets, @Nullable Tree newest) {
    var failure = newest == null ? null : Conditions.find(newest, "ReplicaFailure");
    for (var set : sets) {
      failure = failure == null ? Conditions.find(set, "ReplicaFailure") : failure;
    }
    if (failure == null) {
      Conditions.remove(status, "ReplicaFailure");
    } else {
      set(
          Conditions.of(
              "ReplicaFailure",
              failure.textOrEmpty("status"),
              failure.textOrEmpty("reason"),
              failure.textOrEmpty("message")));
    }
  }

  private boolean isComplete(Tree of) {
    var replicas = deployment.number(1, "spec", "replicas");
    return of.number(0, "updatedReplicas") == replicas
        && of.number(0, "replicas") == replicas
        && of.number(0, "availableReplicas") == replicas
        && of.number(0, "observedGeneration") >= Meta.generation(deployment);
  }

  private void progressing(String value, String reason, String message) {
    set(Conditions.of("Progressing", value, reason, message));
  }

  /// As in Kubernetes, a condition with the same status and reason is left as it is, and one that
  /// changes becomes the last.
  private void set(Tree condition) {
    var known = condition(status, condition.textOrEmpty("type"));
    if (known != null && Objects.equals(known.text("status"), condition.text("status"))) {
      if (Objects.equals(known.text("reason"), condition.text("reason"))) {
        return;
      }
      condition.put("lastTransitionTime", known.text("lastTransitionTime"));
    }
    condition.put("lastUpdateTime", Meta.time(now));
    Conditions.remove(status, condition.textOrEmpty("type"));
    Conditions.set(status, condition, Meta.time(now));
  }

  private void put(String field, long count) {
    if (count == 0) {
      status.remove(field);
    } else {
      status.put(field, count);
    }
  }

  private @Nullable String reason() {
    var condition = condition(status, "Progressing");
    return condition == null ? null : condition.textOrEmpty("reason");
  }

  private static @Nullable Tree condition(Tree status, String type) {
    for (var condition : status.trees("conditions")) {
      if (condition.textOrEmpty("type").equals(type)) {
        return condition;
      }
    }
    return null;
  }

  private boolean hasDeadline() {
    return deadlineSeconds < NO_DEADLINE;
  }

  private static long sum(List<Tree> sets, String field) {
    long sum = 0;
    for (var set : sets) {
      sum += set.number(0, "status", field);
    }
    return sum;
  }
}
