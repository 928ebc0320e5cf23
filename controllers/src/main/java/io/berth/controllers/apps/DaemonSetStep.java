package io.berth.controllers.apps;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.Expectations;
import io.berth.controllers.runtime.IntOrPercent;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.NodeSelectors;
import io.berth.controllers.runtime.PodControl;
import io.berth.controllers.runtime.Pods;
import io.berth.controllers.runtime.SlowStart;
import io.berth.controllers.runtime.Taints;
import io.berth.controllers.runtime.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One look at a DaemonSet: which nodes lack their pod, which pods are in the wrong place, which
/// are to be replaced by the newest revision.
final class DaemonSetStep {

  private static final int BURST = 250;
  private static final String GENERATION = "deprecated.daemonset.template.generation";

  private final Environment environment;
  private final Events.Source events;
  private final PodControl podControl;
  private final Expectations expectations;
  private final Tree set;
  private final List<Tree> nodes;
  private final String hash;
  private final Tree template;
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
    this.template = template(set, hash);
    this.now = environment.now();
    this.minReady = set.number(0, "spec", "minReadySeconds");
    for (var pod : pods) {
      byNode.computeIfAbsent(target(pod), _ -> new ArrayList<>()).add(pod);
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
    if (shouldRun(node)) {
      here.removeIf(this::replacesFailed);
      here.removeIf(Meta::isDeleting);
      var terminating = byNode.getOrDefault(name, List.of()).stream().anyMatch(Meta::isDeleting);
      if (here.isEmpty() && !terminating) {
        toCreate.add(name);
      }
      keepOne(here);
    } else if (!shouldStay(node)) {
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
              .formatted(Meta.namespace(pod), Meta.name(pod), target(pod)));
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

  private boolean shouldRun(Tree node) {
    return fits(node)
        && !Taints.repel(
            node,
            template.trees("spec", "tolerations"),
            taint -> !taint.textOrEmpty("effect").equals("PreferNoSchedule"));
  }

  private boolean shouldStay(Tree node) {
    return fits(node)
        && !Taints.repel(node, template.trees("spec", "tolerations"), Taints::isNoExecute);
  }

  private boolean fits(Tree node) {
    var spec = set.treeOrEmpty("spec", "template", "spec");
    var named = spec.textOrEmpty("nodeName");
    return (named.isEmpty() || named.equals(Meta.name(node))) && NodeSelectors.allow(spec, node);
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
      if (!shouldRun(node)) {
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

  private void rollBySurge() {
    long surging = 0;
    var outdated = new ArrayList<String>();
    for (var node : nodes) {
      if (!shouldRun(node)) {
        continue;
      }
      var here = byNode.getOrDefault(Meta.name(node), List.of());
      var hasNew = here.stream().anyMatch(this::isNewest);
      var hasOld = here.stream().anyMatch(pod -> !isNewest(pod));
      if (hasNew && hasOld) {
        surging++;
      } else if (hasOld) {
        outdated.add(Meta.name(node));
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
    return nodes.stream().filter(this::shouldRun).count();
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
                podControl.create(set, pod(toCreate.get(i)));
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
              podControl.delete(set, victims.get(i));
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

  private Tree pod(String node) {
    var pod = podControl.fromTemplate(set, template);
    var required =
        Tree.of(
            "nodeSelectorTerms",
            List.of(
                Tree.of(
                    "matchFields",
                    List.of(
                        Tree.of("key", "metadata.name", "operator", "In")
                            .put("values", List.of(node))))));
    pod.child("spec")
        .child("affinity")
        .child("nodeAffinity")
        .put("requiredDuringSchedulingIgnoredDuringExecution", required);
    return pod;
  }

  /// The template as daemon pods get it: the revision's labels, and tolerations for what must not
  /// keep a daemon away.
  private static Tree template(Tree set, String hash) {
    var template = set.treeOrEmpty("spec", "template").copy();
    var labels = template.child("metadata").child("labels");
    labels.put(Revisions.HASH, hash);
    var generation = Meta.annotation(set, GENERATION);
    if (generation != null) {
      labels.put("pod-template-generation", generation);
    }
    var spec = template.child("spec");
    var tolerations = new ArrayList<>(spec.trees("tolerations"));
    tolerate(tolerations, Taints.NOT_READY, "NoExecute");
    tolerate(tolerations, Taints.UNREACHABLE, "NoExecute");
    tolerate(tolerations, Taints.DISK_PRESSURE, "NoSchedule");
    tolerate(tolerations, Taints.MEMORY_PRESSURE, "NoSchedule");
    tolerate(tolerations, Taints.PID_PRESSURE, "NoSchedule");
    tolerate(tolerations, Taints.UNSCHEDULABLE, "NoSchedule");
    if (spec.flag("hostNetwork")) {
      tolerate(tolerations, Taints.NETWORK_UNAVAILABLE, "NoSchedule");
    }
    spec.put("tolerations", tolerations);
    return template;
  }

  private static void tolerate(List<Tree> tolerations, String key, String effect) {
    var wanted = Tree.of("key", key, "operator", "Exists", "effect", effect);
    tolerations.removeIf(
        t -> t.textOrEmpty("key").equals(key) && t.textOrEmpty("effect").equals(effect));
    tolerations.add(wanted);
  }

  // ---- status --------------------------------------------------------------------------------

  private void writeStatus() {
    var counts = new HashMap<String, Long>();
    for (var node : nodes) {
      var pod = podOn(node);
      if (shouldRun(node)) {
        count(counts, "desiredNumberScheduled");
        if (pod != null) {
          countScheduled(counts, pod);
        }
      } else if (pod != null) {
        count(counts, "numberMisscheduled");
      }
    }
    var desired = counts.getOrDefault("desiredNumberScheduled", 0L);
    var available = counts.getOrDefault("numberAvailable", 0L);
    var status = set.treeOrEmpty("status").copy();
    for (var always :
        List.of(
            "currentNumberScheduled",
            "numberMisscheduled",
            "desiredNumberScheduled",
            "numberReady")) {
      status.put(always, counts.getOrDefault(always, 0L));
    }
    status.put("observedGeneration", Meta.generation(set));
    put(status, "updatedNumberScheduled", counts.getOrDefault("updatedNumberScheduled", 0L));
    put(status, "numberAvailable", available);
    put(status, "numberUnavailable", desired - available);
    if (!Trees.equivalent(status, set.get("status"))) {
      environment
          .cluster()
          .update(Resource.DAEMON_SETS, "status", Tree.ofMap(set.fields()).put("status", status));
    }
  }

  private void countScheduled(Map<String, Long> counts, Tree pod) {
    count(counts, "currentNumberScheduled");
    if (Pods.isReady(pod)) {
      count(counts, "numberReady");
      if (isAvailable(pod)) {
        count(counts, "numberAvailable");
      }
    }
    if (isNewest(pod)) {
      count(counts, "updatedNumberScheduled");
    }
  }

  private static void count(Map<String, Long> counts, String field) {
    counts.merge(field, 1L, Long::sum);
  }

  private static void put(Tree status, String field, long count) {
    if (count == 0) {
      status.remove(field);
    } else {
      status.put(field, count);
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

  /// The node a pod is bound to or pinned to.
  private static String target(Tree pod) {
    var node = Pods.node(pod);
    if (!node.isEmpty()) {
      return node;
    }
    var terms =
        pod.trees(
            "spec",
            "affinity",
            "nodeAffinity",
            "requiredDuringSchedulingIgnoredDuringExecution",
            "nodeSelectorTerms");
    for (var term : terms) {
      for (var field : term.trees("matchFields")) {
        if (field.textOrEmpty("key").equals("metadata.name") && !field.list("values").isEmpty()) {
          return String.valueOf(field.list("values").getFirst());
        }
      }
    }
    return "";
  }

  private void lookAgain(Duration wait) {
    again = again == null || wait.compareTo(again) < 0 ? wait : again;
  }
}
