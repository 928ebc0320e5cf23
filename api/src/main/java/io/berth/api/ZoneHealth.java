package io.berth.api;

import java.util.HashMap;
import java.util.Map;

/// How disturbed each zone is, and how fast nodes in it may be given up. As in Kubernetes.
public final class ZoneHealth {

  private static final double NORMAL_PER_SECOND = 0.1;
  private static final double PARTIAL_PER_SECOND = 0.01;
  private static final double UNHEALTHY_SHARE = 0.55;
  private static final int LARGE = 50;

  private final Map<String, Count> counts = new HashMap<>();

  public void count(String zone, boolean ready) {
    var count = counts.computeIfAbsent(zone, _ -> new Count());
    if (ready) {
      count.ready++;
    } else {
      count.unready++;
    }
  }

  /// Everything is silent: that is more likely our own fault than everybody's.
  public boolean allDown() {
    return !counts.isEmpty()
        && counts.values().stream().allMatch(count -> count.state() == State.FULL);
  }

  /// How many nodes of the zone may be given up per second; 0 for none.
  public double perSecond(String zone) {
    var count = counts.get(zone);
    if (count == null || allDown()) {
      return 0;
    }
    return switch (count.state()) {
      case NORMAL, FULL -> NORMAL_PER_SECOND;
      case PARTIAL -> count.ready + count.unready > LARGE ? PARTIAL_PER_SECOND : 0;
    };
  }

  private enum State {
    NORMAL,
    PARTIAL,
    FULL
  }

  private static final class Count {
    private int ready;
    private int unready;

    State state() {
      if (ready == 0 && unready > 0) {
        return State.FULL;
      }
      var share = (double) unready / Math.max(1, ready + unready);
      return unready > 2 && share >= UNHEALTHY_SHARE ? State.PARTIAL : State.NORMAL;
    }
  }
}
