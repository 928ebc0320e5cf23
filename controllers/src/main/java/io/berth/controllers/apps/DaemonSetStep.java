package io.berth.controllers.apps;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Expectations;
import io.berth.controllers.runtime.IntOrPercent;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.SlowStart;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One look at a DaemonSet: which nodes lack their pod, which pods are in the wrong place, which
/// are to be replaced by the newest revision.
final class DaemonSetStep {

  private static final int BURST = 250;
  private static final Comparator<Tree> OLDEST =
      Comparator.<Tree>comparingInt(pod -> Pods.node(pod).isEmpty() ? 1 : 0)
          .thenComparing(Meta::created)
          .thenComparing(Meta::name);

  private final Environment environment;
  private final Events.Source events;
  private final PodControl podControl;
  private final Expectations expectations;
  private final FailedPodBackoff backoff;
  private final Tree set;
  private final List<Tree> nodes;
  private final String hash;
  private final DaemonPods daemonPods;
  private final Map<String, List<Tree>> byNode = new LinkedHashMap<>();
  private final List<String> toCreate = new ArrayList<>();
  private final Map<String, Tree> toDelete = new LinkedHashMap<>();
  private final Instant now;
  private final long minReady;
  private @Nullable Duration again;

  DaemonSetStep(
      Environment environment,
      Events.Source events,
      PodControl podControl,
      Expectations expectations,
      FailedPodBackoff backoff,
      Tree set,
      List<Tree> pods,
      List<Tree> nodes,
      String hash) {
    this.environment = environment;
    this.events = events;
    this.podControl = podControl;
    this.expectations = expectations;
    this.backoff = backoff;
    this.set = set;
    this.nodes = nodes;
    this.hash = hash;
    this.daemonPods = new DaemonPods(podControl, set, hash);
    this.now = environment.now();
    this.minReady = set.number(0, "spec", "minReadySeconds");
    for (var pod : pods) {
      // One that has ended and is deleted only waits for a finalizer.
      if (!PodPhase.isTerminal(pod) || !Meta.isDeleting(pod)) {
        byNode.computeIfAbsent(DaemonPods.target(pod), _ -> new ArrayList<>()).add(pod);
      }
    }
    byNode.values().forEach(here -> here.sort(OLDEST));
  }

  /// Takes the step; when to look again, or `null`.
  @Nullable Duration take(boolean settled) {
    RuntimeException failure = null;
    if (Meta.isDeleting(set)) {
      return null;
    }
    if (settled) {
      nodes.forEach(this::place);
      removeFromVanished();
      if (!set.textOrEmpty("spec", "updateStrategy", "type").equals("OnDelete")
          && toCreate.isEmpty()
          && toDelete.isEmpty()) {
        roll();
      }
      failure = write();
    }
    writeStatus(settled);
    if (failure != null) {
      throw failure;
    }
    return again;
  }

  // ---- placement -----------------------------------------------------------------------------

  private void place(Tree node) {
    var name = Meta.name(node);
    var here = byNode.getOrDefault(name, List.of());
    var shouldRun = daemonPods.shouldRun(node);
    if (shouldRun && here.isEmpty()) {
      toCreate.add(name);
    } else if (daemonPods.shouldStay(node)) {
      var running = new ArrayList<>(here);
      running.removeIf(pod -> Meta.isDeleting(pod) || isReplaced(pod));
      if (!surges()) {
        running.stream().skip(1).forEach(this::delete);
      } else if (running.isEmpty() && shouldRun) {
        toCreate.add(name);
      } else {
        keepOneOfEach(running);
      }
    } else {
      here.forEach(this::delete);
    }
  }

  /// Whether a pod has ended; it goes, now or later.
  private boolean isReplaced(Tree pod) {
    if (!PodPhase.isTerminal(pod)) {
      return false;
    }
    var where =
        "daemon pod %s/%s on node %s"
            .formatted(Meta.namespace(pod), Meta.name(pod), DaemonPods.target(pod));
    if (PodPhase.of(pod).equals(PodPhase.SUCCEEDED)) {
      var message = "Found succeeded %s, will try to delete it".formatted(where);
      events.normal(Resource.DAEMON_SETS, set, "SucceededDaemonPod", message);
      delete(pod);
      return true;
    }
    var wait = backoff.take(Meta.uid(set), DaemonPods.target(pod), now);
    if (wait.isZero()) {
      var message = "Found failed %s, will try to kill it".formatted(where);
      events.warning(Resource.DAEMON_SETS, set, "FailedDaemonPod", message);
      delete(pod);
    } else {
      lookAgain(wait);
    }
    return true;
  }

  /// With surge two pods may be on a node: an old one that is ready, until the new one is
  /// available.
  private void keepOneOfEach(List<Tree> running) {
    Tree newest = null;
    Tree old = null;
    for (var pod : running) {
      if (isNewest(pod) && newest == null) {
        newest = pod;
      } else if (!isNewest(pod) && old == null) {
        old = pod;
      } else {
        delete(pod);
      }
    }
    if (newest != null && old != null && (!Pods.isReady(old) || isAvailable(newest))) {
      delete(old);
    }
  }

  private void removeFromVanished() {
    var names = new HashSet<String>();
    nodes.forEach(node -> names.add(Meta.name(node)));
    byNode.forEach((node, pods) -> {
      if (!names.contains(node)) {
        pods.stream()
            .filter(pod -> Pods.node(pod).isEmpty() && !Meta.isDeleting(pod))
            .forEach(this::delete);
      }
    });
  }

  // ---- rolling update ------------------------------------------------------------------------

  private void roll() {
    if (maxSurge() > 0) {
      rollBySurge();
      return;
    }
    long unavailable = 0;
    var outdated = new ArrayList<Tree>();
    for (var node : nodes) {
      if (!concerns(node)) {
        continue;
      }
      var here = living(node);
      var pod = here.size() == 1 ? here.getFirst() : null;
      if (pod == null) {
        unavailable++;
      } else if (isNewest(pod)) {
        unavailable += isAvailable(pod) ? 0 : 1;
      } else if (!isAvailable(pod)) {
        unavailable++;
        delete(pod); // It serves nobody, so replacing it costs nothing.
      } else {
        outdated.add(pod);
      }
    }
    var room = maxUnavailable() - unavailable;
    for (int i = 0; i < outdated.size() && i < room; i++) {
      delete(outdated.get(i));
    }
  }

  /// New pods come beside the old ones, at most so many before they are available. An old pod that
  /// serves nobody is no reason to wait; one that is to leave its node stays while it is needed.
  private void rollBySurge() {
    long surging = 0;
    long available = 0;
    var outdated = new ArrayList<String>();
    var leaving = new ArrayList<Tree>();
    for (var node : nodes) {
      var here = living(node);
      var newest = here.stream().filter(this::isNewest).findFirst().orElse(null);
      var old = here.stream().filter(pod -> !isNewest(pod)).findFirst().orElse(null);
      if (here.size() > (newest == null ? 0 : 1) + (old == null ? 0 : 1)) {
        surging++;
        continue;
      }
      var standing = old == null ? newest : old;
      available += standing != null && isAvailable(standing) ? 1 : 0;
      if (old == null) {
        continue;
      }
      var shouldRun = daemonPods.shouldRun(node);
      if (newest != null && !isAvailable(newest)) {
        surging++;
      } else if (newest != null || (!isAvailable(old) && !shouldRun)) {
        delete(old);
      } else if (!shouldRun) {
        leaving.add(old);
      } else if (isAvailable(old)) {
        outdated.add(Meta.name(node));
      } else {
        toCreate.add(Meta.name(node));
      }
    }
    leaving.stream().limit(Math.max(0, available - desired())).forEach(this::delete);
    outdated.stream().limit(Math.max(0, maxSurge() - surging)).forEach(toCreate::add);
  }

  private boolean concerns(Tree node) {
    return byNode.containsKey(Meta.name(node)) || daemonPods.shouldRun(node);
  }

  private List<Tree> living(Tree node) {
    var living = new ArrayList<>(byNode.getOrDefault(Meta.name(node), List.of()));
    living.removeIf(Meta::isDeleting);
    return living;
  }

  private boolean surges() {
    return IntOrPercent.of(rolling().get("maxSurge"), 0, 1, true) > 0;
  }

  private long maxSurge() {
    return IntOrPercent.of(rolling().get("maxSurge"), 0, desired(), true);
  }

  private long maxUnavailable() {
    var count = IntOrPercent.of(rolling().get("maxUnavailable"), 1, desired(), true);
    return maxSurge() == 0 ? Math.max(1, count) : count;
  }

  private Tree rolling() {
    return set.treeOrEmpty("spec", "updateStrategy", "rollingUpdate");
  }

  private long desired() {
    return nodes.stream().filter(daemonPods::shouldRun).count();
  }

  // ---- writes --------------------------------------------------------------------------------

  private @Nullable RuntimeException write() {
    var uid = Meta.uid(set);
    var creations = Math.min(toCreate.size(), BURST);
    var victims = toDelete.values().stream().limit(BURST).toList();
    var uids = new HashSet<String>();
    victims.forEach(pod -> uids.add(Meta.uid(pod)));
    expectations.expectDeletions(uid, uids);
    expectations.expectCreations(uid, creations);
    var outcome =
        SlowStart.run(
            environment.crew(),
            creations,
            i -> {
              try {
                podControl.create(set, daemonPods.pod(toCreate.get(i)));
              } catch (RuntimeException e) {
                expectations.notCreated(uid, 1);
                throw e;
              }
            });
    expectations.notCreated(uid, outcome.skipped());
    try {
      SlowStart.all(
          environment.crew(),
          victims.size(),
          i -> {
            try {
              if (!podControl.delete(set, victims.get(i))) {
                expectations.deleted(uid, Meta.uid(victims.get(i)));
              }
            } catch (RuntimeException e) {
              expectations.deleted(uid, Meta.uid(victims.get(i)));
              throw e;
            }
          });
    } catch (RuntimeException e) {
      return e;
    }
    var failure = outcome.failure();
    return failure instanceof ApiException e && PodControl.isNamespaceEnding(e) ? null : failure;
  }

  private void delete(Tree pod) {
    if (!Meta.isDeleting(pod)) {
      toDelete.put(Meta.uid(pod), pod);
    }
  }

  // ---- status --------------------------------------------------------------------------------

  private void writeStatus(boolean settled) {
    var counted = new DaemonSetStatus();
    for (var node : nodes) {
      var here = byNode.getOrDefault(Meta.name(node), List.of());
      var pod = here.isEmpty() ? null : here.getFirst();
      if (!daemonPods.shouldRun(node)) {
        if (pod != null) {
          counted.misscheduled();
        }
        continue;
      }
      counted.desired();
      if (pod != null) {
        var ready = Pods.isReady(pod);
        counted.scheduled(ready, ready && isAvailable(pod), isNewest(pod));
      }
    }
    var status = counted.of(set, settled);
    if (!Trees.equivalent(status, set.get("status"))) {
      environment
          .cluster()
          .update(Resource.DAEMON_SETS, "status", Tree.ofMap(set.fields()).put("status", status));
    }
  }

  private boolean isNewest(Tree pod) {
    return hash.equals(Meta.label(pod, Revisions.HASH));
  }

  private boolean isAvailable(Tree pod) {
    var wait = Pods.untilAvailable(pod, minReady, now);
    if (wait != null && !wait.isZero()) {
      lookAgain(wait);
    }
    return wait != null && wait.isZero();
  }

  private void lookAgain(Duration wait) {
    again = again == null || wait.compareTo(again) < 0 ? wait : again;
  }
}
