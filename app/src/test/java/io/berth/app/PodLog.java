package io.berth.app;

import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Reads the history of pods as the API tells it, knows nothing of any scheduler, and complains: a
/// pod on two nodes, a node with more CPU given away than it has, a bind that came undone.
final class PodLog implements Cluster.Watcher, AutoCloseable {

  // Only a test that hangs waits this long.
  private static final long PATIENCE_NANOS = Duration.ofMinutes(5).toNanos();

  private final BigDecimal cpuOfNode;
  private final Map<String, String> nodeOfUid = new HashMap<>();
  private final Map<String, Tree> pods = new HashMap<>();
  private final Map<String, BigDecimal> used = new HashMap<>();
  private final Set<String> counted = new HashSet<>();
  private final List<String> complaints = new ArrayList<>();
  private final Cluster.Watch watch;
  private boolean over;

  /// `cpuOfNode` is what every node has.
  PodLog(Cluster cluster, String cpuOfNode) {
    this.cpuOfNode = Quantity.parse(cpuOfNode).amount();
    var page = cluster.list(Resource.PODS, "", Selection.ALL);
    page.items().forEach(this::added);
    this.watch = cluster.watch(Resource.PODS, "", Selection.ALL, page.revision(), this);
  }

  @Override
  public synchronized void added(Tree pod) {
    var uid = pod.textOrEmpty("metadata", "uid");
    var node = pod.textOrEmpty("spec", "nodeName");
    var before = nodeOfUid.getOrDefault(uid, "");
    if (!before.isEmpty() && !before.equals(node)) {
      complaints.add("%s was on %s, now on '%s'".formatted(name(pod), before, node));
    }
    if (!node.isEmpty()) {
      nodeOfUid.put(uid, node);
      if (counted.add(uid)) {
        take(pod, node);
      }
    }
    pods.put(name(pod), pod);
    notifyAll();
  }

  private void take(Tree pod, String node) {
    for (var container : pod.trees("spec", "containers")) {
      var asked = container.textOrEmpty("resources", "requests", "cpu");
      var cpu = asked.isEmpty() ? BigDecimal.ZERO : Quantity.parse(asked).amount();
      var sum = used.merge(node, cpu, BigDecimal::add);
      if (sum.compareTo(cpuOfNode) > 0) {
        complaints.add("%s has %s CPUs in use with %s".formatted(node, sum, name(pod)));
      }
    }
  }

  @Override
  public synchronized void modified(Tree pod) {
    added(pod);
  }

  @Override
  public synchronized void deleted(Tree pod) {
    pods.remove(name(pod));
    notifyAll();
  }

  @Override
  public synchronized void ended(boolean expired) {
    complaints.add("the checker's own watch ended");
    over = true;
    notifyAll();
  }

  synchronized List<String> complaints() {
    return List.copyOf(complaints);
  }

  /// Waits until the pods are as wanted.
  synchronized void await(String what, Predicate<Map<String, Tree>> wanted)
      throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!wanted.test(pods)) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0 || over) {
        throw new AssertionError("%s did not happen; complaints: %s".formatted(what, complaints));
      }
      wait(left);
    }
  }

  synchronized boolean isBound(String name) {
    return isBound(pods, name);
  }

  static boolean isBound(Map<String, Tree> pods, String name) {
    var pod = pods.get(name);
    return pod != null && pod.text("spec", "nodeName") != null;
  }

  private static String name(Tree pod) {
    return pod.textOrEmpty("metadata", "name");
  }

  @Override
  public void close() {
    watch.close();
  }
}
