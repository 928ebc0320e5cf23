package io.berth.controllers.apps;

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

/// Which pods go first when there are too many. As in Kubernetes: unassigned, Pending, Unknown; not
/// ready; cheaper by annotation; more siblings on the node; ready for a shorter time (by powers of
/// two); more restarts; newer.
final class ScaleDownOrder implements Comparator<Tree> {

  private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final Map<String, Integer> PHASES =
      Map.of("Pending", 0, "Unknown", 1, "Running", 2);

  private final Map<String, Integer> onNode = new HashMap<>();
  private final Instant newest;

  ScaleDownOrder(List<Tree> related) {
    var latest = Instant.EPOCH;
    for (var pod : related) {
      if (Pods.isActive(pod) && !Pods.node(pod).isEmpty()) {
        onNode.merge(Pods.node(pod), 1, Integer::sum);
      }
      var since = readySince(pod);
      latest = since.isAfter(latest) ? since : latest;
    }
    this.newest = latest;
  }

  @Override
  public int compare(Tree one, Tree other) {
    return Comparator.<Tree>comparingInt(pod -> Pods.node(pod).isEmpty() ? 0 : 1)
        .thenComparingInt(pod -> PHASES.getOrDefault(Pods.phase(pod), 2))
        .thenComparingInt(pod -> Pods.isReady(pod) ? 1 : 0)
        .thenComparingLong(ScaleDownOrder::cost)
        .thenComparingInt(pod -> -onNode.getOrDefault(Pods.node(pod), 0))
        .thenComparingInt(this::readyBucket)
        .thenComparingLong(pod -> -restarts(pod))
        .thenComparing(Meta::created, Comparator.reverseOrder())
        .thenComparing(Meta::uid)
        .compare(one, other);
  }

  private static long cost(Tree pod) {
    var text = Meta.annotation(pod, COST);
    if (text == null || !text.matches("-?(0|[1-9]\\d{0,9})")) {
      return 0;
    }
    return Long.parseLong(text);
  }

  /// Pods ready for about as long as each other are alike, so that spreading decides.
  private int readyBucket(Tree pod) {
    if (!Pods.isReady(pod)) {
      return 0;
    }
    var seconds = Duration.between(readySince(pod), newest).toSeconds();
    return 64 - Long.numberOfLeadingZeros(Math.max(0, seconds));
  }

  private static Instant readySince(Tree pod) {
    var ready = Conditions.find(pod, "Ready");
    return ready == null || !ready.textOrEmpty("status").equals("True")
        ? Instant.EPOCH
        : Meta.instant(ready, Instant.EPOCH, "lastTransitionTime");
  }

  private static long restarts(Tree pod) {
    long restarts = 0;
    for (var status : pod.trees("status", "containerStatuses")) {
      restarts = Math.max(restarts, status.number(0, "restartCount"));
    }
    return restarts;
  }
}
