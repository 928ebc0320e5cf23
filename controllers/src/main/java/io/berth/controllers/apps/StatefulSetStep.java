package io.berth.controllers.apps;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.IntOrPercent;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.OwnWrites;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One look at a StatefulSet: the next pod to create, to delete or to replace, and the status.
///
/// A pod is created only when no object of its name exists, so an identity never exists twice.
final class StatefulSetStep {

  private static final Duration SOON = Duration.ofSeconds(1);

  private final Environment environment;
  private final Events.Source events;
  private final OwnWrites writes;
  private final Cache claims;
  private final ClaimOwners owners;
  private final Tree set;
  private final Tree current;
  private final Tree update;
  private final SortedMap<Long, Tree> replicas = new TreeMap<>();
  private final TreeMap<Long, Tree> condemned = new TreeMap<>();
  private final Instant now;
  private final long first;
  private final long size;
  private final boolean ordered;
  private final long minReady;
  private @Nullable Duration again;

  StatefulSetStep(
      Environment environment,
      Events.Source events,
      OwnWrites writes,
      Cache claims,
      Tree set,
      List<Tree> pods,
      List<Tree> revisions,
      Tree newest) {
    this.environment = environment;
    this.events = events;
    this.writes = writes;
    this.claims = claims;
    this.owners = new ClaimOwners(environment, claims, set);
    this.set = set;
    this.update = newest;
    this.current = current(set, revisions, newest);
    this.now = environment.now();
    this.first = set.number(0, "spec", "ordinals", "start");
    this.size = set.number(1, "spec", "replicas");
    this.ordered = !set.textOrEmpty("spec", "podManagementPolicy").equals("Parallel");
    this.minReady = set.number(0, "spec", "minReadySeconds");
    for (var pod : pods) {
      var ordinal = Identity.ordinal(set, pod);
      if (ordinal >= first && ordinal < first + size) {
        replicas.put(ordinal, pod);
      } else if (ordinal >= 0) {
        condemned.put(ordinal, pod);
      }
    }
  }

  private static Tree current(Tree set, List<Tree> revisions, Tree newest) {
    var name = set.textOrEmpty("status", "currentRevision");
    for (var revision : revisions) {
      if (Meta.name(revision).equals(name)) {
        return revision;
      }
    }
    return newest;
  }

  /// Takes the step; when to look again, or `null`.
  @Nullable Duration take() {
    try {
      if (!Meta.isDeleting(set) && scale()) {
        update();
      }
    } finally {
      writeStatus();
    }
    return again;
  }

  /// The names of revisions that pods or the status refer to.
  Set<String> revisionsInUse() {
    var inUse = new HashSet<String>();
    inUse.add(Meta.name(current));
    inUse.add(Meta.name(update));
    for (var pods : List.of(replicas.values(), condemned.values())) {
      pods.forEach(pod -> inUse.add(revision(pod)));
    }
    return inUse;
  }

  /// Brings the number of pods closer to what it shall be; whether that is settled.
  private boolean scale() {
    var settled = true;
    for (long ordinal = first; ordinal < first + size; ordinal++) {
      settled &= stands(ordinal);
      if (ordered && !settled) {
        return false;
      }
    }
    return settled && shrink();
  }

  /// Sees to the pod of an ordinal; whether the next may follow. Where all come at once, only what
  /// cannot be done yet keeps them from going on.
  private boolean stands(long ordinal) {
    var pod = replicas.get(ordinal);
    if (pod == null) {
      if (owners.awaitDeletion(name(ordinal), claimNames(ordinal))) {
        again = SOON;
        return false;
      }
      create(ordinal);
      return !ordered;
    }
    if (PodPhase.isTerminal(pod)) {
      if (!Meta.isDeleting(pod)) {
        delete(pod);
      }
      return false;
    }
    if (PodPhase.of(pod).equals("Pending") && !Meta.isDeleting(pod)) {
      createClaims(ordinal);
    }
    if (ordered && isUnavailable(pod)) {
      return false;
    }
    owners.settle(pod, claimNames(ordinal), false);
    return true;
  }

  private boolean shrink() {
    condemned.forEach((ordinal, pod) -> owners.settle(pod, claimNames(ordinal), true));
    var lower = new ArrayList<>(condemned.values());
    var settled = true;
    for (var pod : condemned.descendingMap().values()) {
      lower.removeLast();
      if (!Meta.isDeleting(pod)) {
        if (ordered && isUnavailable(pod) && lower.stream().anyMatch(this::isUnavailable)) {
          return false; // In order: the one below is to be seen to first.
        }
        delete(pod);
        settled = false;
      }
      if (ordered) {
        return false;
      }
    }
    return settled;
  }

  /// Replaces pods of older revisions, from the highest ordinal down to the partition. Where all
  /// come at once, those that serve nobody go whatever the limit.
  private void update() {
    if (set.textOrEmpty("spec", "updateStrategy", "type").equals("OnDelete")) {
      return;
    }
    var rolling = set.treeOrEmpty("spec", "updateStrategy", "rollingUpdate");
    var outdated =
        new ArrayList<>(replicas.tailMap(first + rolling.number(0, "partition")).values());
    outdated.removeIf(pod -> Meta.isDeleting(pod) || revision(pod).equals(Meta.name(update)));
    var allowed = Math.max(1, IntOrPercent.of(rolling.get("maxUnavailable"), 1, size, false));
    var left = allowed - replicas.values().stream().filter(this::isUnavailable).count();
    if (!ordered) {
      outdated.stream().filter(this::isUnavailable).forEach(this::delete);
      outdated.removeIf(this::isUnavailable);
    }
    for (var pod : outdated.reversed()) {
      if (left-- <= 0) {
        return;
      }
      delete(pod);
    }
  }

  private void create(long ordinal) {
    var revision = revisionFor(ordinal);
    createClaims(ordinal);
    var pod = Identity.pod(set, ordinal, Revisions.template(revision), Meta.name(revision));
    try {
      var created = environment.cluster().create(Resource.PODS, pod);
      replicas.put(ordinal, created);
      writes.wrote(Key.of(set), created);
      succeeded("Create", "Create Pod %s in StatefulSet %s successful", pod);
    } catch (ApiException e) {
      if (e.is("AlreadyExists")) {
        throw e; // The cache is behind, or somebody else's pod has the name: again, later.
      }
      events.warning(
          Resource.STATEFUL_SETS,
          set,
          "FailedCreate",
          "Create Pod %s in StatefulSet %s failed error: %s"
              .formatted(Meta.name(pod), Meta.name(set), e.getMessage()));
      throw e;
    }
  }

  private String name(long ordinal) {
    return "%s-%d".formatted(Meta.name(set), ordinal);
  }

  private List<String> claimNames(long ordinal) {
    return Identity.claimNames(set, name(ordinal));
  }

  private void createClaims(long ordinal) {
    var missing = claimNames(ordinal);
    missing.removeIf(name -> claims.find(new Key(Meta.namespace(set), name)).isPresent());
    if (!missing.isEmpty()) {
      for (var claim : Identity.claims(set, ordinal)) {
        if (missing.contains(Meta.name(claim))) {
          createClaim(claim, ordinal);
        }
      }
    }
  }

  private void createClaim(Tree claim, long ordinal) {
    if (!owners.first().isEmpty()) {
      claim.child("metadata").put("ownerReferences", owners.first());
    }
    try {
      environment.cluster().create(Resource.PERSISTENT_VOLUME_CLAIMS, claim);
      events.normal(
          Resource.STATEFUL_SETS,
          set,
          "SuccessfulCreate",
          "Create Claim %s Pod %s-%d in StatefulSet %s success"
              .formatted(Meta.name(claim), Meta.name(set), ordinal, Meta.name(set)));
    } catch (ApiException e) {
      if (!e.is("AlreadyExists")) {
        throw e;
      }
    }
  }

  /// Below the partition pods stay at the revision that was current.
  private Tree revisionFor(long ordinal) {
    var rolling = set.tree("spec", "updateStrategy", "rollingUpdate");
    long kept = 0;
    if (rolling != null) {
      kept = rolling.number(0, "partition");
    } else if (set.textOrEmpty("spec", "updateStrategy", "type").equals("RollingUpdate")) {
      kept = set.number(0, "status", "currentReplicas");
    }
    return ordinal < first + kept ? current : update;
  }

  private void delete(Tree pod) {
    try {
      environment
          .cluster()
          .delete(
              Resource.PODS,
              Meta.namespace(pod),
              Meta.name(pod),
              new DeleteOptions(-1, Meta.uid(pod), null));
      writes.deleted(Key.of(set), pod);
      succeeded("Delete", "Delete Pod %s in StatefulSet %s successful", pod);
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
    }
  }

  private void succeeded(String what, String message, Tree pod) {
    events.normal(
        Resource.STATEFUL_SETS,
        set,
        "Successful" + what,
        message.formatted(Meta.name(pod), Meta.name(set)));
  }

  private boolean isUnavailable(Tree pod) {
    return Meta.isDeleting(pod) || !isAvailable(pod);
  }

  private boolean isAvailable(Tree pod) {
    if (!PodPhase.of(pod).equals("Running")) {
      return false;
    }
    var wait = Pods.untilAvailable(pod, minReady, now);
    if (wait != null && !wait.isZero()) {
      again = again == null || wait.compareTo(again) < 0 ? wait : again;
    }
    return wait != null && wait.isZero();
  }

  /// As in Kubernetes, the label of that name holds the revision's whole name, other than for
  /// DaemonSets.
  private static String revision(Tree pod) {
    var revision = Meta.label(pod, Revisions.HASH);
    return revision == null ? "" : revision;
  }

  private void writeStatus() {
    long total = 0;
    long ready = 0;
    long available = 0;
    long ofCurrent = 0;
    long ofUpdate = 0;
    for (var pods : List.of(replicas.values(), condemned.values())) {
      for (var pod : pods) {
        total++;
        var runs = PodPhase.of(pod).equals("Running") && Pods.isReady(pod);
        ready += runs ? 1 : 0;
        available += runs && isAvailable(pod) ? 1 : 0;
        if (Meta.isDeleting(pod) || PodPhase.isTerminal(pod)) {
          continue;
        }
        ofCurrent += revision(pod).equals(Meta.name(current)) ? 1 : 0;
        ofUpdate += revision(pod).equals(Meta.name(update)) ? 1 : 0;
      }
    }
    var currentName = Meta.name(current);
    var done = ofUpdate == size && total == size && ready == size;
    if (done) {
      currentName = Meta.name(update);
      ofCurrent = ofUpdate;
    }
    var status = set.treeOrEmpty("status").copy();
    status
        .put("observedGeneration", Meta.generation(set))
        .put("replicas", total)
        .put("availableReplicas", available)
        .put("currentRevision", currentName)
        .put("updateRevision", Meta.name(update))
        .putIfAbsent("collisionCount", 0);
    put(status, "readyReplicas", ready);
    put(status, "currentReplicas", ofCurrent);
    put(status, "updatedReplicas", ofUpdate);
    if (!Trees.equivalent(status, set.get("status"))) {
      environment
          .cluster()
          .update(Resource.STATEFUL_SETS, "status", Tree.ofMap(set.fields()).put("status", status));
    }
  }

  private static void put(Tree status, String field, long count) {
    if (count == 0) {
      status.remove(field);
    } else {
      status.put(field, count);
    }
  }
}
