package io.berth.controllers.apps;

import static io.berth.controllers.apps.ReplicaSetSizes.active;
import static io.berth.controllers.apps.ReplicaSetSizes.actual;
import static io.berth.controllers.apps.ReplicaSetSizes.annotated;
import static io.berth.controllers.apps.ReplicaSetSizes.available;
import static io.berth.controllers.apps.ReplicaSetSizes.availableOf;
import static io.berth.controllers.apps.ReplicaSetSizes.size;
import static io.berth.controllers.apps.ReplicaSetSizes.total;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.IntOrPercent;
import io.berth.controllers.runtime.IntOrPercent.Fenceposts;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One look at a Deployment: what its ReplicaSets should be now, and what its status says.
///
/// Never more pods than replicas + surge, and never fewer available than replicas − unavailable
/// once there were that many: both follow from the sizes written here, whatever fails in between.
final class Rollout {

  static final String REVISION = "deployment.kubernetes.io/revision";
  static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
  static final String MAX = "deployment.kubernetes.io/max-replicas";
  static final String HASH = "pod-template-hash";
  static final Comparator<Tree> OLDEST =
      Comparator.comparing(Meta::created).thenComparing(Meta::name);

  private final Environment environment;
  private final Events.Source events;
  private final Tree deployment;
  private final SizesInForce inForce;
  private final Consumer<Tree> written;
  private final PodsLeft oldPodsRun;
  private final List<Tree> sets;
  private final DeploymentStatus status;
  private final Version version;
  private final long replicas;
  private final Fenceposts fenceposts;
  private @Nullable Tree newest;
  private boolean refreshed;

  Rollout(
      Environment environment,
      Events.Source events,
      Tree deployment,
      List<Tree> sets,
      SizesInForce inForce,
      Consumer<Tree> written,
      PodsLeft oldPodsRun) {
    this.environment = environment;
    this.events = events;
    this.deployment = deployment;
    this.inForce = inForce;
    this.written = written;
    this.oldPodsRun = oldPodsRun;
    this.sets = new ArrayList<>(sets);
    this.sets.sort(OLDEST);
    this.replicas = deployment.number(1, "spec", "replicas");
    this.fenceposts =
        recreates()
            ? new Fenceposts(0, 0)
            : IntOrPercent.fenceposts(
                deployment.treeOrEmpty("spec", "strategy", "rollingUpdate"), replicas);
    this.status = new DeploymentStatus(deployment, environment.now());
    this.version = new Version(deployment, replicas, fenceposts.surge());
    this.newest = matching();
  }

  /// Takes the next step and writes the status; when to look again, or `null`.
  @Nullable Duration advance() {
    try {
      step();
    } finally {
      writeStatus();
    }
    return status.untilTimeout();
  }

  private void step() {
    if (Meta.isDeleting(deployment)) {
      return;
    }
    status.paused(deployment.flag("spec", "paused"));
    adoptNewest(false);
    if (deployment.flag("spec", "paused")) {
      scale();
      cleanUp();
    } else if (isScaling()) {
      scale();
    } else if (recreates()) {
      recreate();
    } else {
      roll();
    }
  }

  private boolean recreates() {
    return deployment.textOrEmpty("spec", "strategy", "type").equals("Recreate");
  }

  // ---- strategies ----------------------------------------------------------------------------

  private void roll() {
    adoptNewest(true);
    status.tracksProgress();
    if (newest == null || growNewest() || shrinkOld()) {
      return;
    }
    if (status.isComplete()) {
      cleanUp();
    }
  }

  private boolean growNewest() {
    var set = newest();
    if (size(set) == replicas) {
      return false;
    }
    return resize(set, size(set) > replicas ? replicas : newestSize(set), false);
  }

  private boolean shrinkOld() {
    var old = active(old());
    if (total(old) == 0) {
      return false;
    }
    var minAvailable = replicas - fenceposts.unavailable();
    var newUnavailable = size(newest()) - available(newest());
    var most = total(sets) - minAvailable - newUnavailable;
    if (most <= 0) {
      return false;
    }
    var unhealthy = dropUnhealthy(old, most);
    return dropAvailable(active(old()), minAvailable) + unhealthy > 0;
  }

  /// Pods of old versions that serve nobody go first.
  private long dropUnhealthy(List<Tree> old, long most) {
    long dropped = 0;
    for (var set : old) {
      var count = Math.min(most - dropped, size(set) - available(set));
      if (count > 0) {
        resize(set, size(set) - count, false);
        dropped += count;
      }
    }
    return dropped;
  }

  private long dropAvailable(List<Tree> old, long minAvailable) {
    long spare = availableOf(sets) - minAvailable;
    long dropped = 0;
    for (var set : old) {
      var count = Math.min(size(set), spare - dropped);
      if (count > 0) {
        resize(set, size(set) - count, false);
        dropped += count;
      }
    }
    return dropped;
  }

  private void recreate() {
    status.tracksProgress();
    var scaled = false;
    for (var set : active(old())) {
      scaled |= resize(set, 0, false);
    }
    if (scaled || actual(old()) > 0 || oldPodsRun.exceptOf(newest)) {
      return;
    }
    adoptNewest(true);
    if (newest != null) {
      resize(newest, replicas, false);
    }
    if (status.isComplete()) {
      cleanUp();
    }
  }

  /// Sizes follow the Deployment's without a rollout: the one ReplicaSet there is, or each of
  /// several by its share.
  private void scale() {
    var active = active(sets);
    if (active.size() <= 1) {
      var only = active.isEmpty() ? latest() : active.getFirst();
      if (only != null) {
        resize(only, replicas, false);
      }
      return;
    }
    if (isSaturated()) {
      active(old()).forEach(set -> resize(set, 0, false));
      return;
    }
    if (!recreates()) {
      new Shares(replicas, fenceposts.surge(), status.replicasBefore())
          .of(active)
          .forEach((set, size) -> resize(set, size, true));
    }
  }

  private boolean isScaling() {
    for (var set : active(sets)) {
      var desired = annotated(set, DESIRED);
      if (desired != null && desired != replicas) {
        return true;
      }
    }
    return false;
  }

  private boolean isSaturated() {
    var set = newest;
    if (set == null) {
      return false;
    }
    var desired = annotated(set, DESIRED);
    return desired != null
        && size(set) == replicas
        && desired == replicas
        && available(set) == replicas;
  }

  private void cleanUp() {
    var limit = deployment.number(10, "spec", "revisionHistoryLimit");
    var old = new ArrayList<>(old());
    old.removeIf(Meta::isDeleting);
    old.sort(Comparator.comparingLong(ReplicaSetSizes::revision).thenComparing(OLDEST));
    var surplus = old.size() - limit;
    for (int i = 0; i < surplus; i++) {
      var set = old.get(i);
      var settled = Meta.generation(set) <= set.number(0, "status", "observedGeneration");
      if (size(set) == 0 && set.number(0, "status", "replicas") == 0 && settled) {
        delete(set);
      }
    }
  }

  // ---- the newest ReplicaSet -----------------------------------------------------------------

  private @Nullable Tree matching() {
    for (var set : sets) {
      if (version.isOf(set)) {
        return set;
      }
    }
    return null;
  }

  /// Brings the ReplicaSet of the current template up to date, or creates it.
  private void adoptNewest(boolean create) {
    var revision = 1 + old().stream().mapToLong(ReplicaSetSizes::revision).max().orElse(0);
    if (newest != null) {
      // One that had to be changed is told of when the change comes back.
      refreshed |= refresh(newest, revision);
      if (!refreshed) {
        status.found(Meta.name(newest()), Meta.annotation(newest(), REVISION));
      }
    } else if (create) {
      createNewest(revision);
    }
  }

  /// Tells whether the ReplicaSet had to be changed.
  private boolean refresh(Tree set, long revision) {
    var changed = version.refreshed(set, Math.max(revision, ReplicaSetSizes.revision(set)));
    if (Trees.equivalent(changed.get("metadata"), set.get("metadata"))
        && changed.number(0, "spec", "minReadySeconds")
            == set.number(0, "spec", "minReadySeconds")) {
      return false;
    }
    replace(set, environment.cluster().update(Resource.REPLICA_SETS, null, changed));
    return true;
  }

  private void createNewest(long revision) {
    var size = recreates() ? replicas : newestSize(null);
    var set = version.create(revision, size);
    try {
      newest = environment.cluster().create(Resource.REPLICA_SETS, set);
      written.accept(newest);
      inForce.resized(0, newest);
    } catch (ApiException e) {
      createFailed(Meta.name(set), e);
      return;
    }
    sets.add(newest);
    if (size > 0) {
      scaled(Meta.name(set), 0, size);
    }
    status.created(Meta.name(set), Long.toString(revision));
  }

  private void createFailed(String name, ApiException e) {
    if (e.is("AlreadyExists")) {
      var taken =
          environment.cluster().fetch(Resource.REPLICA_SETS, Meta.namespace(deployment), name);
      if (!Meta.isControlledBy(taken, deployment) || !version.isOf(taken)) {
        status.collided();
      }
      throw e; // Again, with the cache caught up or with another hash.
    }
    if (PodControl.isNamespaceEnding(e)) {
      throw e; // All of it goes; there is nothing to tell.
    }
    var message = "Failed to create new replica set \"%s\": %s".formatted(name, e.getMessage());
    status.failed(message);
    events.warning(Resource.DEPLOYMENTS, deployment, "ReplicaSetCreateError", message);
    throw e;
  }

  /// How large the newest ReplicaSet may be now.
  private long newestSize(@Nullable Tree set) {
    var current = set == null ? 0 : size(set);
    return current + Math.min(room(), replicas - current);
  }

  /// How many pods may be added. A ReplicaSet that was made smaller counts with its old size until
  /// its pods are gone: sizes alone would let both exist at once.
  private long room() {
    var taken = 0L;
    for (var set : sets) {
      taken += inForce.most(set);
    }
    return Math.max(0, replicas + fenceposts.surge() - taken);
  }

  private Tree newest() {
    if (newest == null) {
      throw new IllegalStateException("there is no ReplicaSet of the current template");
    }
    return newest;
  }

  // ---- writes --------------------------------------------------------------------------------

  /// Tells whether the size changed. `annotate` writes the annotations even when it does not.
  private boolean resize(Tree set, long wanted, boolean annotate) {
    var from = size(set);
    var size = wanted > from ? Math.min(wanted, from + room()) : wanted;
    if (from == size && !annotate) {
      return false;
    }
    var changed = version.resized(set, size);
    if (!Trees.equivalent(changed, set)) {
      var updated = environment.cluster().update(Resource.REPLICA_SETS, null, changed);
      replace(set, updated);
      inForce.resized(from, updated);
    }
    if (from != size) {
      scaled(Meta.name(set), from, size);
    }
    return from != size;
  }

  private void replace(Tree old, Tree changed) {
    written.accept(changed);
    var uid = Meta.uid(old);
    sets.replaceAll(set -> Meta.uid(set).equals(uid) ? changed : set);
    if (newest != null && Meta.uid(newest).equals(uid)) {
      newest = changed;
    }
  }

  private void delete(Tree set) {
    try {
      environment
          .cluster()
          .delete(
              Resource.REPLICA_SETS,
              Meta.namespace(set),
              Meta.name(set),
              DeleteOptions.background(Meta.uid(set)));
    } catch (ApiException e) {
      if (!e.is("NotFound") && !e.is("Conflict")) {
        throw e;
      }
    }
  }

  private void scaled(String name, long from, long to) {
    events.normal(
        Resource.DEPLOYMENTS,
        deployment,
        "ScalingReplicaSet",
        "Scaled %s replica set %s from %d to %d"
            .formatted(from < to ? "up" : "down", name, from, to));
  }

  private void writeStatus() {
    var changed = status.of(sets, newest, fenceposts.unavailable());
    if (!Trees.equivalent(changed.get("status"), deployment.get("status"))
        || !Trees.equivalent(changed.get("metadata"), deployment.get("metadata"))) {
      environment.cluster().update(Resource.DEPLOYMENTS, "status", changed);
    }
  }

  // ---- counting ------------------------------------------------------------------------------

  private List<Tree> old() {
    var old = new ArrayList<>(sets);
    old.removeIf(set -> newest != null && Meta.uid(set).equals(Meta.uid(newest)));
    return old;
  }

  private @Nullable Tree latest() {
    if (newest != null) {
      return newest;
    }
    var old = old();
    return old.isEmpty() ? null : old.getLast();
  }

  /// Whether pods run that belong to another ReplicaSet than this one.
  interface PodsLeft {
    boolean exceptOf(@Nullable Tree newest);
  }
}
