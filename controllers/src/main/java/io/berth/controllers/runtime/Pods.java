package io.berth.controllers.runtime;

import io.berth.api.PodPhase;
import io.berth.api.Tree;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Questions about pods that several controllers ask.
public final class Pods {

  private Pods() {}

  /// Neither finished nor on its way out.
  public static boolean isActive(Tree pod) {
    return !PodPhase.isTerminal(pod) && !Meta.isDeleting(pod);
  }

  public static boolean isReady(Tree pod) {
    return Conditions.isTrue(pod, "Ready");
  }

  /// How long until the pod counts as available if it stays ready; `null` when it is not ready.
  public static @Nullable Duration untilAvailable(Tree pod, long minReadySeconds, Instant now) {
    var ready = Conditions.find(pod, "Ready");
    if (ready == null || !ready.textOrEmpty("status").equals("True")) {
      return null;
    }
    if (minReadySeconds <= 0) {
      return Duration.ZERO;
    }
    var since = Meta.instant(ready, now, "lastTransitionTime");
    var wait = Duration.between(now, since.plusSeconds(minReadySeconds));
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  public static String node(Tree pod) {
    return pod.textOrEmpty("spec", "nodeName");
  }
}
