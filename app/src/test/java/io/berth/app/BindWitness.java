package io.berth.app;

import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.store.Change;
import io.berth.store.Range;
import io.berth.store.Store;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads the history of pods in the store, revision by revision, knows nothing of any scheduler,
/// and complains: a pod on two nodes, a node with more CPU given away than it has, a bind that
/// breaks a required rule at the revision at which it happened.
///
/// Binds under way overtake each other, so a rule that needs company may be fulfilled by a pod
/// whose own bind arrives a moment later: such a bind is noted, and [#settled()] complains when the
/// company never came. Rules that forbid company, and room, are never broken, not even for a
/// moment.
///
/// Nodes are taken as they are at the beginning. What is on an `outside` node was put there by
/// somebody who follows no rules.
final class BindWitness implements Store.Listener, AutoCloseable {

  private static final long MOMENT_MILLIS = 100;

  private final Map<String, Tree> nodes = new HashMap<>();
  private final String outside;
  private final Map<String, Tree> pods = new HashMap<>();
  private final Map<String, Tree> placed = new HashMap<>();
  private final List<String> complaints = new ArrayList<>();
  private final List<Early> early = new ArrayList<>();
  private final Store.Subscription subscription;
  private int binds;
  private long changes;
  private long boundAtNanos;
  private long longestPauseNanos;

  BindWitness(Store store, List<Tree> nodes, String outside) {
    nodes.forEach(node -> this.nodes.put(name(node), node));
    this.outside = outside;
    this.subscription =
        store.watch(
            Range.of(Resource.PODS.group(), Resource.PODS.plural()), store.revision(), this);
  }

  @Override
  public synchronized void changed(Change change) {
    var pod = change.entry().object();
    if (change.type() == Change.Type.DELETED) {
      pods.remove(uid(pod));
      placed.remove(uid(pod));
    } else {
      pods.put(uid(pod), pod);
      seen(pod, change.revision());
    }
    changes++;
    notifyAll();
  }

  private void seen(Tree pod, long revision) {
    var before = placed.get(uid(pod));
    if (before == null && !nodeOf(pod).isEmpty()) {
      var objection = nodeOf(pod).equals(outside) ? "" : objection(pod);
      if (!objection.isEmpty()) {
        complaints.add("%s at revision %d: %s".formatted(name(pod), revision, objection));
      }
      placed.put(uid(pod), pod);
      binds++;
      long now = System.nanoTime();
      longestPauseNanos = Math.max(longestPauseNanos, now - boundAtNanos);
      boundAtNanos = now;
    } else if (before != null && !nodeOf(before).equals(nodeOf(pod))) {
      complaints.add(
          "%s was on %s, at revision %d on '%s'"
              .formatted(name(pod), nodeOf(before), revision, nodeOf(pod)));
    }
  }

  /// What speaks against the pod on its node, or nothing.
  private String objection(Tree pod) {
    var node = nodes.getOrDefault(nodeOf(pod), new Tree());
    var used = cpu(pod);
    for (var other : placed.values()) {
      if (nodeOf(other).equals(nodeOf(pod))) {
        used = used.add(cpu(other));
      }
    }
    if (used.compareTo(Quantity.parse(node.textOrEmpty("status", "allocatable", "cpu")).amount())
        > 0) {
      return "%s has %s CPUs in use".formatted(nodeOf(pod), used);
    }
    var labels = node.texts("metadata", "labels");
    if (!labels.entrySet().containsAll(pod.texts("spec", "nodeSelector").entrySet())) {
      return nodeOf(pod) + " is not what the node selector asks for";
    }
    noteMissingCompany(pod);
    return companyObjection(pod);
  }

  private String companyObjection(Tree pod) {
    for (var term : required(pod, "podAntiAffinity")) {
      if (!matching(term, pod, true).isEmpty()) {
        return "its anti-affinity forbids " + nodeOf(pod);
      }
    }
    for (var other : placed.values()) {
      for (var term : required(other, "podAntiAffinity")) {
        if (selects(term, pod) && sameDomain(key(term), pod, other)) {
          return "the anti-affinity of %s forbids %s".formatted(name(other), nodeOf(pod));
        }
      }
    }
    return "";
  }

  private void noteMissingCompany(Tree pod) {
    for (var term : required(pod, "podAffinity")) {
      boolean first = matching(term, pod, false).isEmpty() && selects(term, pod);
      if (!first && matching(term, pod, true).isEmpty()) {
        early.add(new Early(pod, term, 0));
      }
    }
    for (var constraint : pod.trees("spec", "topologySpreadConstraints")) {
      var counts = counts(constraint);
      long here = counts.getOrDefault(domain(key(constraint), nodeOf(pod)), 0L) + 1;
      if (here - Collections.min(counts.values()) > constraint.number(1, "maxSkew")) {
        early.add(new Early(pod, constraint, here));
      }
    }
  }

  /// To be called when all pods are bound: what was missing has come.
  synchronized void settled() {
    for (var bind : early) {
      var rule = bind.rule();
      boolean kept =
          bind.count() == 0
              ? matching(rule, bind.pod(), true).size() > 1
              : bind.count() - Collections.min(counts(rule).values()) <= rule.number(1, "maxSkew");
      if (!kept) {
        complaints.add("%s on %s without company".formatted(name(bind.pod()), nodeOf(bind.pod())));
      }
    }
    early.clear();
    for (var pod : placed.values()) {
      for (var constraint : pod.trees("spec", "topologySpreadConstraints")) {
        var counts = counts(constraint).values();
        if (Collections.max(counts) - Collections.min(counts) > constraint.number(1, "maxSkew")) {
          complaints.add("%s is spread as %s".formatted(name(pod), counts));
        }
      }
    }
  }

  /// A bind that came before the company it needs; `count` are the pods of its domain then, for
  /// constraints that count.
  private record Early(Tree pod, Tree rule, long count) {}

  private static List<Tree> required(Tree pod, String kind) {
    return pod.trees("spec", "affinity", kind, "requiredDuringSchedulingIgnoredDuringExecution");
  }

  private List<Tree> matching(Tree term, Tree pod, boolean inItsDomain) {
    var key = key(term);
    return placed.values().stream()
        .filter(other -> selects(term, other) && (!inItsDomain || sameDomain(key, pod, other)))
        .toList();
  }

  private static boolean selects(Tree term, Tree pod) {
    var wanted = term.texts("labelSelector", "matchLabels").entrySet();
    return pod.texts("metadata", "labels").entrySet().containsAll(wanted);
  }

  private boolean sameDomain(String key, Tree one, Tree other) {
    return domain(key, nodeOf(one)).equals(domain(key, nodeOf(other)));
  }

  private String domain(String key, String node) {
    return nodes
        .getOrDefault(node, new Tree())
        .texts("metadata", "labels")
        .getOrDefault(key, "none of " + node);
  }

  private Map<String, Long> counts(Tree constraint) {
    var key = key(constraint);
    var counts = new HashMap<String, Long>();
    nodes.values().stream()
        .filter(node -> node.texts("metadata", "labels").containsKey(key))
        .forEach(node -> counts.put(domain(key, name(node)), 0L));
    for (var other : placed.values()) {
      if (selects(constraint, other)) {
        counts.computeIfPresent(domain(key, nodeOf(other)), (_, count) -> count + 1);
      }
    }
    return counts;
  }

  private static String key(Tree rule) {
    return rule.textOrEmpty("topologyKey");
  }

  private static BigDecimal cpu(Tree pod) {
    return pod.trees("spec", "containers").stream()
        .map(c -> Quantity.parse(c.textOrEmpty("resources", "requests", "cpu")).amount())
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  @Override
  public void progressed(long revision) {}

  @Override
  public synchronized void ended(RuntimeException cause) {
    complaints.add("the witness saw no more: " + cause);
    notifyAll();
  }

  synchronized List<String> complaints() {
    return List.copyOf(complaints);
  }

  /// Binds ever seen.
  synchronized int binds() {
    return binds;
  }

  /// When the last bind was seen, on the clock of [System#nanoTime()].
  synchronized long boundAtNanos() {
    return boundAtNanos;
  }

  /// Forgets how far apart binds have been until now.
  synchronized void measurePauses() {
    longestPauseNanos = 0;
  }

  /// The longest time between a bind and the one before it, of those since [#measurePauses()].
  synchronized long longestPauseNanos() {
    return longestPauseNanos;
  }

  synchronized int pending() {
    return pods.size() - placed.size();
  }

  synchronized int present() {
    return pods.size();
  }

  /// Waits for the next change, for a moment at most.
  synchronized void awaitChange() throws InterruptedException {
    long seen = changes;
    long end = System.nanoTime() + 1_000_000 * MOMENT_MILLIS;
    for (long left = MOMENT_MILLIS; left > 0 && changes == seen; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
  }

  private static String name(Tree object) {
    return object.textOrEmpty("metadata", "name");
  }

  private static String uid(Tree object) {
    return object.textOrEmpty("metadata", "uid");
  }

  private static String nodeOf(Tree pod) {
    return pod.textOrEmpty("spec", "nodeName");
  }

  @Override
  public void close() {
    subscription.close();
  }
}
