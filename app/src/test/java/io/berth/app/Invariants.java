package io.berth.app;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.store.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What must hold at every revision of a living cluster, checked from the log of changes alone.
///
/// It knows nothing of how controllers work, only what they promise. Two allowances keep it just: a
/// bound counts with the largest (or smallest) size since the owner last had exactly what it asks
/// for, because a controller may act on the size of a moment ago; and what depends on the health of
/// other pods is not judged within [#CALM] revisions of a pod that others disturbed.
final class Invariants {

  private static final long CALM = 400;

  private final List<String> violations = new ArrayList<>();
  private final Map<String, Tree> pods = new HashMap<>();
  private final Map<String, Set<String>> podsOf = new HashMap<>();
  private final Map<String, Tree> owners = new HashMap<>();
  private final Map<String, String> kinds = new HashMap<>();
  private final Map<String, Sizes> sizes = new HashMap<>();
  private final Map<String, Long> disturbed = new HashMap<>();
  private final Map<String, List<Long>> taken = new HashMap<>();
  private final Map<String, Tree> nodes = new HashMap<>();
  private final Map<String, Usage> used = new HashMap<>();
  private final Map<String, Tree> budgets = new HashMap<>();
  private final Map<String, Set<String>> succeeded = new HashMap<>();
  private final Set<String> succeededTooLate = new HashSet<>();
  private final Map<String, String> boundTo = new HashMap<>();
  private final Set<String> deletedByClients = new HashSet<>();
  private long revision;
  private long changes;

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  synchronized long changes() {
    return changes;
  }

  /// The client itself is about to delete this pod; no controller is to blame.
  synchronized void deletes(String uid) {
    deletedByClients.add(uid);
  }

  synchronized void read(Change change) {
    changes++;
    if (change.revision() <= revision) {
      violate("revision %d comes after %d".formatted(change.revision(), revision));
    }
    revision = change.revision();
    var object = change.entry().object();
    var gone = change.type() == Change.Type.DELETED;
    switch (change.entry().key().resource()) {
      case "pods" -> pod(object, gone);
      case "nodes" -> put(nodes, name(object), object, gone);
      case "poddisruptionbudgets" -> put(budgets, uid(object), object, gone);
      default -> owner(change.entry().key().resource(), object, gone);
    }
  }

  private void owner(String resource, Tree owner, boolean gone) {
    var before = owners.get(uid(owner));
    put(owners, uid(owner), owner, gone);
    kinds.put(uid(owner), resource);
    if (gone) {
      return;
    }
    if (resource.equals("jobs")) {
      job(owner);
      return;
    }
    sizes.computeIfAbsent(uid(owner), _ -> new Sizes()).note(replicas(owner));
    if (resource.equals("replicasets")) {
      tell(owner, before);
    }
    settle(top(uid(owner)));
  }

  /// How many available pods the statuses of its ReplicaSets have told a Deployment of: it keeps as
  /// many of those as it must. Like Kubernetes it does not know of pods that became ready since and
  /// may take these for unavailable ones, which old versions lose first; and when it is scaled in
  /// the middle of a rollout, each set shrinks by its share, whatever runs in it.
  private void tell(Tree set, @Nullable Tree before) {
    var deployment = top(uid(set));
    if (deployment == null) {
      return;
    }
    var size = sizes.get(uid(deployment));
    if (size == null || !isCalm(deployment)) {
      return;
    }
    long told = 0;
    for (var each : owners.values()) {
      if (uid(deployment).equals(controller(each))) {
        told += Math.min(replicas(each), each.number(0, "status", "availableReplicas"));
      }
    }
    var scaled = before != null && !desired(before).equals(desired(set));
    size.told = scaled ? told : Math.max(size.told, told);
  }

  private void pod(Tree pod, boolean gone) {
    var uid = uid(pod);
    var before = pods.get(uid);
    put(pods, uid, pod, gone);
    var owner = top(controller(pod));
    binding(pod, before);
    occupancy(pod, gone);
    if (owner == null) {
      return;
    }
    var ownerUid = uid(owner);
    if (before == null && !gone) {
      podsOf.computeIfAbsent(ownerUid, _ -> new HashSet<>()).add(uid);
      created(owner, pod);
    }
    if (phase(pod).equals("Succeeded")
        && succeeded.computeIfAbsent(ownerUid, _ -> new HashSet<>()).add(uid)
        && isLeaving(pod)) {
      succeededTooLate.add(uid);
    }
    if (before != null && !isLeaving(before)) {
      if (gone || isLeaving(pod)) {
        left(owner, before, pod);
      } else if (isReady(before) && !isReady(pod)) {
        disturb(owner);
      }
    }
    if (gone) {
      podsOf.getOrDefault(ownerUid, new HashSet<>()).remove(uid);
    }
    settle(owner);
  }

  private void binding(Tree pod, @Nullable Tree before) {
    var node = pod.textOrEmpty("spec", "nodeName");
    var known = boundTo.get(uid(pod));
    if (known != null && !known.equals(node)) {
      violate("pod %s was on %s and is on %s".formatted(name(pod), known, node));
    }
    if (!node.isEmpty()) {
      boundTo.put(uid(pod), node);
    }
    if (before != null && !name(before).equals(name(pod))) {
      violate("pod %s changed its name to %s".formatted(name(before), name(pod)));
    }
  }

  /// No node holds more than it has.
  private void occupancy(Tree pod, boolean gone) {
    var node = pod.textOrEmpty("spec", "nodeName");
    if (node.isEmpty()) {
      return;
    }
    var usage = used.computeIfAbsent(node, _ -> new Usage());
    var holds = !gone && !isTerminal(pod);
    if (!usage.set(uid(pod), holds ? pod : null) || !nodes.containsKey(node)) {
      return;
    }
    var allocatable = nodes.get(node).treeOrEmpty("status", "allocatable");
    var cpu = Quantity.parse(text(allocatable, "cpu")).milliValue();
    var memory = Quantity.parse(text(allocatable, "memory")).value();
    var count = Quantity.parse(text(allocatable, "pods")).value();
    if (usage.cpuMillis > cpu || usage.memoryBytes > memory || usage.pods.size() > count) {
      violate(
          "node %s holds %dm of %dm CPU, %d of %d bytes, %d of %d pods"
              .formatted(
                  node, usage.cpuMillis, cpu, usage.memoryBytes, memory, usage.pods.size(), count));
    }
  }

  private void created(Tree owner, Tree pod) {
    var size = sizes.getOrDefault(uid(owner), new Sizes());
    switch (kind(owner)) {
      case "deployments" -> {
        var most = size.most + roundedUp(size.most);
        if (active(owner).size() > most) {
          violate(
              "Deployment %s has %d pods, %d are allowed"
                  .formatted(name(owner), active(owner).size(), most));
        }
      }
      case "statefulsets" -> member(owner, pod, size);
      default -> {}
    }
  }

  /// Members have their own names, and come one after the other.
  private void member(Tree owner, Tree pod, Sizes size) {
    var prefix = name(owner) + "-";
    var ordinal = Integer.parseInt(name(pod).substring(prefix.length()));
    if (ordinal >= size.most) {
      violate("StatefulSet %s of %d has a member %s".formatted(name(owner), size.most, name(pod)));
    }
    if (!isCalm(owner)) {
      return;
    }
    for (var lower = 0; lower < ordinal; lower++) {
      var wanted = prefix + lower;
      if (active(owner).stream().noneMatch(each -> name(each).equals(wanted) && isReady(each))) {
        violate("%s was created before %s was ready".formatted(name(pod), wanted));
      }
    }
  }

  /// A pod is on its way out: by a controller, an eviction, or somebody who may do as they like.
  private void left(Tree owner, Tree before, Tree pod) {
    var reason = disruption(pod);
    if (reason.equals("EvictionByEvictionAPI")) {
      eviction(before);
    }
    if (!reason.isEmpty() || deletedByClients.remove(uid(pod))) {
      disturb(owner);
      return;
    }
    if (isReady(before)) {
      taken.computeIfAbsent(uid(owner), _ -> new ArrayList<>()).add(revision);
    }
    if (!kind(owner).equals("deployments") || isLeaving(owner) || !isReady(before)) {
      return;
    }
    var size = sizes.getOrDefault(uid(owner), new Sizes());
    var ready = active(owner).stream().filter(Invariants::isReady).count();
    var least = Math.min(size.told, size.least - size.least / 4);
    if (isCalm(owner) && ready < least) {
      violate(
          "Deployment %s took %s away and has %d ready pods; %d are required"
              .formatted(name(owner), name(pod), ready, least));
    }
  }

  /// Evictions leave what a budget wants. As in Kubernetes they go by its status, which may not
  /// know yet of pods that their own controller has taken away.
  private void eviction(Tree before) {
    if (!isReady(before)) {
      return;
    }
    for (var budget : budgets.values()) {
      var labels = budget.texts("spec", "selector", "matchLabels");
      if (!matches(labels, before)) {
        continue;
      }
      var owner = top(controller(before));
      var healthy =
          pods.values().stream()
              .filter(each -> matches(labels, each) && isReady(each) && !isLeaving(each))
              .count();
      var wanted = budget.number(0, "spec", "minAvailable");
      if (healthy + justTaken(owner) < wanted && (owner == null || isCalm(owner))) {
        violate(
            "the eviction of %s left %d healthy pods; %s wants %d"
                .formatted(name(before), healthy, name(budget), wanted));
      }
    }
  }

  private long justTaken(@Nullable Tree owner) {
    var revisions = owner == null ? null : taken.get(uid(owner));
    if (revisions == null) {
      return 0;
    }
    revisions.removeIf(at -> revision - at >= CALM);
    return revisions.size();
  }

  /// A Job counts no pod twice, and is complete with exactly what it asked for. As in Kubernetes a
  /// pod that is deleted has failed at once: one that succeeds after that counts as either.
  private void job(Tree job) {
    var counted = job.number(0, "status", "succeeded");
    var pods = succeeded.getOrDefault(uid(job), Set.of());
    var seen = pods.size();
    if (counted > seen) {
      violate("Job %s counts %d pods, %d have succeeded".formatted(name(job), counted, seen));
    }
    var tooLate = pods.stream().filter(succeededTooLate::contains).count();
    for (var condition : job.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("Complete")
          && condition.textOrEmpty("status").equals("True")
          && (counted != job.number(1, "spec", "completions") || seen - tooLate > counted)) {
        violate(
            "Job %s is complete with %d of %d, %d have succeeded"
                .formatted(name(job), counted, job.number(1, "spec", "completions"), seen));
      }
    }
  }

  /// Sizes count from now on when the owner has exactly what it asks for.
  private void settle(@Nullable Tree owner) {
    var size = owner == null ? null : sizes.get(uid(owner));
    if (owner == null || size == null) {
      return;
    }
    var active = active(owner);
    if (active.size() == replicas(owner)
        && isObserved(owner)
        && owners.values().stream()
            .filter(each -> uid(owner).equals(controller(each)))
            .allMatch(Invariants::isObserved)) {
      size.reset(replicas(owner));
    }
  }

  private List<Tree> active(Tree owner) {
    var active = new ArrayList<Tree>();
    for (var uid : podsOf.getOrDefault(uid(owner), Set.of())) {
      var pod = pods.get(uid);
      if (pod != null && !isLeaving(pod) && !isTerminal(pod)) {
        active.add(pod);
      }
    }
    return active;
  }

  /// Others took a pod, or its readiness: what was told before is not so any more.
  private void disturb(Tree owner) {
    disturbed.put(uid(owner), revision);
    var size = sizes.get(uid(owner));
    if (size != null) {
      size.told = 0;
    }
  }

  private boolean isCalm(Tree owner) {
    return revision - disturbed.getOrDefault(uid(owner), -CALM) >= CALM;
  }

  /// The Deployment of a ReplicaSet; otherwise the owner itself.
  private @Nullable Tree top(@Nullable String uid) {
    var owner = uid == null ? null : owners.get(uid);
    var above = owner == null ? null : controller(owner);
    return above != null && owners.containsKey(above) ? owners.get(above) : owner;
  }

  private String kind(Tree owner) {
    return kinds.getOrDefault(uid(owner), "");
  }

  private void violate(String text) {
    violations.add("at revision %d: %s".formatted(revision, text));
  }

  private static void put(Map<String, Tree> map, String key, Tree object, boolean gone) {
    if (gone) {
      map.remove(key);
    } else {
      map.put(key, object);
    }
  }

  private static boolean matches(Map<String, String> labels, Tree pod) {
    var own = pod.texts("metadata", "labels");
    return labels.entrySet().stream()
        .allMatch(each -> each.getValue().equals(own.get(each.getKey())));
  }

  private static boolean isObserved(Tree owner) {
    return owner.number(0, "metadata", "generation")
        == owner.number(0, "status", "observedGeneration");
  }

  private static boolean isLeaving(Tree object) {
    return object.text("metadata", "deletionTimestamp") != null;
  }

  private static boolean isTerminal(Tree pod) {
    return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
  }

  static boolean isReady(Tree pod) {
    return pod.trees("status", "conditions").stream()
        .anyMatch(each ->
            each.textOrEmpty("type").equals("Ready") && each.textOrEmpty("status").equals("True"));
  }

  private static String disruption(Tree pod) {
    for (var condition : pod.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("DisruptionTarget")) {
        return condition.textOrEmpty("reason");
      }
    }
    return "";
  }

  private static @Nullable String controller(Tree object) {
    for (var reference : object.trees("metadata", "ownerReferences")) {
      if (reference.flag("controller")) {
        return reference.text("uid");
      }
    }
    return null;
  }

  private static long replicas(Tree owner) {
    return owner.number(1, "spec", "replicas");
  }

  private static String desired(Tree set) {
    return set.textOrEmpty("metadata", "annotations", "deployment.kubernetes.io/desired-replicas");
  }

  private static long roundedUp(long replicas) {
    return (replicas + 3) / 4;
  }

  private static String phase(Tree pod) {
    return pod.textOrEmpty("status", "phase");
  }

  private static String name(Tree object) {
    return object.textOrEmpty("metadata", "name");
  }

  private static String uid(Tree object) {
    return object.textOrEmpty("metadata", "uid");
  }

  private static String text(Tree amounts, String name) {
    return String.valueOf(amounts.get(name));
  }

  /// Sizes an owner has asked for since it last had what it asks for.
  private static final class Sizes {

    private long most;
    private long least = Long.MAX_VALUE;
    private long told;

    void note(long replicas) {
      most = Math.max(most, replicas);
      least = Math.min(least, replicas);
    }

    void reset(long replicas) {
      most = replicas;
      least = replicas;
    }
  }

  /// What the pods of a node ask for.
  private static final class Usage {

    private final Map<String, long[]> pods = new HashMap<>();
    private long cpuMillis;
    private long memoryBytes;

    /// Tells whether more is used than before.
    boolean set(String uid, @Nullable Tree pod) {
      var before = pods.remove(uid);
      if (before != null) {
        cpuMillis -= before[0];
        memoryBytes -= before[1];
      }
      if (pod == null) {
        return false;
      }
      var now = new long[2];
      for (var container : pod.trees("spec", "containers")) {
        var requests = container.treeOrEmpty("resources", "requests");
        now[0] += Quantity.parse(text(requests.has("cpu") ? requests : ZERO, "cpu")).milliValue();
        now[1] += Quantity.parse(text(requests.has("memory") ? requests : ZERO, "memory")).value();
      }
      pods.put(uid, now);
      cpuMillis += now[0];
      memoryBytes += now[1];
      return before == null || before[0] < now[0] || before[1] < now[1];
    }

    private static final Tree ZERO = Tree.of("cpu", "0", "memory", "0");
  }
}
