package io.berth.controllers.apps;

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

  private final Environment environment;
  private final Events.Source events;
  private final PodControl podControl;
  private final Expectations expectations;
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
      Tree set,
      List<Tree> pods,
      List<Tree> nodes,
      String hash) {
    this.environment = environment;
    this.events = events;
    this.podControl = podControl;
    this.expectations = expectations;
    this.set = set;
    this.nodes = nodes;
    this.hash = hash;
    this.daemonPods = new DaemonPods(podControl, set, hash);
    this.now = environment.now();
    this.minReady = set.number(0, "spec", "minReadySeconds");
    for (var pod : pods) {
      byNode.computeIfAbsent(DaemonPods.target(pod), _ -> new ArrayList<>()).add(pod);
    }
  }

  /// Takes the step; when to look again, or `null`.
  @Nullable Duration take(boolean settled) {
    RuntimeException failure = null;
    if (settled && !Meta.isDeleting(set)) {
      nodes.forEach(this::place);
      removeFromVanished();
      if (!set.textOrEmpty("spec", "updateStrategy", "type").equals("OnDelete")
          && toCreate.isEmpty()
          && toDelete.isEmpty()) {
        roll();
      }
      failure = write();
    }
    writeStatus();
    if (failure != null) {
      throw failure;
    }
    return again;
  }

  // ---- placement -----------------------------------------------------------------------------

  private void place(Tree node) {
    var name = Meta.name(node);
    var here = new ArrayList<>(byNode.getOrDefault(name, List.of()));
    if (daemonPods.shouldRun(node)) {
      here.removeIf(this::replacesFailed);
      here.removeIf(Meta::isDeleting);
      var terminating = byNode.getOrDefault(name, List.of()).stream().anyMatch(Meta::isDeleting);
      if (here.isEmpty() && !terminating) {
        toCreate.add(name);
      }
      keepOne(here);
    } else if (!daemonPods.shouldStay(node)) {
      here.forEach(this::delete);
    }
  }

  private boolean replacesFailed(Tree pod) {
    if (!Pods.isTerminal(pod)) {
      return false;
    }
    if (!Meta.isDeleting(pod)) {
      // A pod that fails at once would otherwise be made again as fast as the loop turns.
      var due = Meta.created(pod).plusSeconds(1);
      if (due.isAfter(now)) {
        lookAgain(Duration.between(now, due));
        return false;
      }
      events.warning(
          Resource.DAEMON_SETS,
          set,
          "FailedDaemonPod",
          "Found failed daemon pod %s/%s on node %s, will try to kill it"
              .formatted(Meta.namespace(pod), Meta.name(pod), DaemonPods.target(pod)));
      delete(pod);
    }
    return true;
  }

  /// Of several pods on a node the oldest stays; with surge, also the newest revision's.
  private void keepOne(List<Tree> here) {
    if (here.size() < 2) {
      return;
    }
    if (maxSurge() > 0) {
      surge(here);
      return;
    }
    here.sort(
        Comparator.<Tree>comparingInt(pod -> Pods.node(pod).isEmpty() ? 1 : 0)
            .thenComparing(Meta::created)
            .thenComparing(Meta::name));
    here.subList(1, here.size()).forEach(this::delete);
  }

  private void surge(List<Tree> here) {
    Tree newest = null;
    Tree old = null;
    for (var pod : here) {
      if (isNewest(pod)) {
        newest = pod;
      } else {
        old = pod;
      }
    }
    if (newest != null && old != null && isAvailable(newest)) {
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
      if (!daemonPods.shouldRun(node)) {
        continue;
      }
      var pod = podOn(node);
      if (pod == null || Meta.isDeleting(pod)) {
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
  /// serves nobody is no reason to wait.
  private void rollBySurge() {
    long surging = 0;
    var outdated = new ArrayList<String>();
    for (var node : nodes) {
      if (!daemonPods.shouldRun(node)) {
        continue;
      }
      var old = new ArrayList<>(byNode.getOrDefault(Meta.name(node), List.of()));
      var fresh = new ArrayList<>(old);
      old.removeIf(this::isNewest);
      fresh.removeAll(old);
      if (!fresh.isEmpty()) {
        surging += old.isEmpty() || fresh.stream().anyMatch(this::isAvailable) ? 0 : 1;
      } else if (old.stream().anyMatch(this::isAvailable)) {
        outdated.add(Meta.name(node));
      } else {
        toCreate.add(Meta.name(node));
      }
    }
    for (int i = 0; i < outdated.size() && i < maxSurge() - surging; i++) {
      toCreate.add(outdated.get(i));
    }
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
    var victims = List.copyOf(toDelete.values());
    expectations.expectDeletions(uid, new HashSet<>(toDelete.keySet()));
    expectations.expectCreations(uid, creations);
    var outcome =
        SlowStart.run(
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
    return outcome.failure();
  }

  private void delete(Tree pod) {
    if (!Meta.isDeleting(pod)) {
      toDelete.put(Meta.uid(pod), pod);
    }
  }

  // ---- status --------------------------------------------------------------------------------

  private void writeStatus() {
    var counted = new DaemonSetStatus();
    for (var node : nodes) {
      var pod = podOn(node);
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
    var status = counted.of(set);
    if (!Trees.equivalent(status, set.get("status"))) {
      environment
          .cluster()
          .update(Resource.DAEMON_SETS, "status", Tree.ofMap(set.fields()).put("status", status));
    }
  }

  /// The pod that stands for a node: the oldest one, but of the newest revision if it is ready.
  private @Nullable Tree podOn(Tree node) {
    Tree best = null;
    for (var pod : byNode.getOrDefault(Meta.name(node), List.of())) {
      if (best == null
          || (Meta.isDeleting(best) && !Meta.isDeleting(pod))
          || (isNewest(pod) && Pods.isReady(pod) && !isNewest(best))) {
        best = pod;
      }
    }
    return best;
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
