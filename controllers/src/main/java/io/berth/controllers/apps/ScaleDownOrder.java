package io.berth.controllers.apps;

import io.berth.api.PodPhase;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Which pods go first when there are too many. As in Kubernetes: unassigned, Pending, Unknown; not
/// ready; cheaper by annotation; more siblings on the node; ready for a shorter time; more
/// restarts; newer.
///
/// Where siblings count, times are compared by powers of two, and pods of about the same age by
/// uid: some chance keeps the oldest from always being spared. That is no total order, so victims
/// are taken from a heap: sorting may refuse it.
public final class ScaleDownOrder implements Comparator<Tree> {

  private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final Map<String, Integer> PHASES =
      Map.of("Pending", 0, "Unknown", 1, "Running", 2);

  private final Map<String, Integer> onNode = new HashMap<>();
  private final @Nullable Instant now;

  private ScaleDownOrder(List<Tree> siblings, @Nullable Instant now) {
    for (var pod : siblings) {
      if (Pods.isActive(pod)) {
        onNode.merge(Pods.node(pod), 1, Integer::sum);
      }
    }
    this.now = now;
  }

  /// Neither costs nor siblings count, and times are compared as they are.
  public static ScaleDownOrder plain() {
    return new ScaleDownOrder(List.of(), null);
  }

  static ScaleDownOrder among(List<Tree> siblings, Instant now) {
    return new ScaleDownOrder(siblings, now);
  }

  /// The `count` pods that go first.
  public List<Tree> first(List<Tree> pods, int count) {
    if (count >= pods.size()) {
      return List.copyOf(pods);
    }
    var heap = new PriorityQueue<>(this);
    heap.addAll(pods);
    var first = new Tree[count];
    for (int i = 0; i < count; i++) {
      first[i] = heap.remove();
    }
    return List.of(first);
  }

  @Override
  public int compare(Tree one, Tree other) {
    var byState =
        Comparator.<Tree>comparingInt(pod -> Pods.node(pod).isEmpty() ? 0 : 1)
            .thenComparingInt(pod -> PHASES.getOrDefault(PodPhase.of(pod), 0))
            .thenComparingInt(pod -> Pods.isReady(pod) ? 1 : 0)
            .thenComparingLong(this::cost)
            .thenComparingInt(pod -> -onNode.getOrDefault(Pods.node(pod), 0))
            .compare(one, other);
    if (byState != 0) {
      return byState;
    }
    if (Pods.isReady(one) && !readySince(one).equals(readySince(other))) {
      return younger(one, readySince(one), other, readySince(other));
    }
    var byRestarts =
        Comparator.<Tree>comparingLong(pod -> -restarts(pod, "containerStatuses"))
            .thenComparingLong(pod -> -restarts(pod, "initContainerStatuses"))
            .compare(one, other);
    return byRestarts != 0
        ? byRestarts
        : younger(one, Meta.created(one), other, Meta.created(other));
  }

  private int younger(Tree one, Instant since, Tree other, Instant otherSince) {
    if (since.equals(otherSince)) {
      return Meta.uid(one).compareTo(Meta.uid(other));
    }
    if (now == null || since.equals(Instant.EPOCH) || otherSince.equals(Instant.EPOCH)) {
      return since.equals(Instant.EPOCH) ? -1 : otherSince.compareTo(since);
    }
    var byAge = Integer.compare(magnitude(since, now), magnitude(otherSince, now));
    return byAge != 0 ? byAge : Meta.uid(one).compareTo(Meta.uid(other));
  }

  private static int magnitude(Instant since, Instant now) {
    var nanos = Duration.between(since, now).toNanos();
    return nanos <= 0 ? -1 : 63 - Long.numberOfLeadingZeros(nanos);
  }

  private long cost(Tree pod) {
    var text = now == null ? null : Meta.annotation(pod, COST);
    if (text == null || !text.matches("-?(0|[1-9]\\d{0,9})")) {
      return 0;
    }
    return Long.parseLong(text);
  }

  private static Instant readySince(Tree pod) {
    var ready = Conditions.find(pod, "Ready");
    return ready == null ? Instant.EPOCH : Meta.instant(ready, Instant.EPOCH, "lastTransitionTime");
  }

  // Of the initial containers only those count that run on beside the others.
  private static long restarts(Tree pod, String statuses) {
    long restarts = 0;
    for (var status : pod.trees("status", statuses)) {
      if (statuses.equals("containerStatuses") || isSidecar(pod, status.textOrEmpty("name"))) {
        restarts = Math.max(restarts, status.number(0, "restartCount"));
      }
    }
    return restarts;
  }

  private static boolean isSidecar(Tree pod, String name) {
    return pod.trees("spec", "initContainers").stream()
        .anyMatch(container ->
            container.textOrEmpty("name").equals(name)
                && container.textOrEmpty("restartPolicy").equals("Always"));
  }
}
