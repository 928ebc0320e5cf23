package io.berth.engine.rule;

import io.berth.engine.Blame;
import io.berth.engine.model.RunningPod;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Who is blamed first: pods of low priority, then those that started late.
public final class Importance {

  public static final Comparator<RunningPod> LEAST_FIRST =
      Comparator.comparingInt(RunningPod::priority)
          .thenComparing(Comparator.comparingLong(RunningPod::startNanos).reversed())
          .thenComparing(RunningPod::namespace)
          .thenComparing(RunningPod::name);

  private Importance() {}

  /// Blames these pods, if there are any.
  public static @Nullable Blame blame(List<RunningPod> pods) {
    return pods.isEmpty() ? null : new Blame(List.of(pods));
  }

  /// So many of the pods, the least important ones.
  public static List<RunningPod> least(List<RunningPod> pods, int count) {
    var least = new PriorityQueue<>(LEAST_FIRST.reversed());
    for (var pod : pods) {
      least.add(pod);
      if (least.size() > count) {
        least.poll();
      }
    }
    return List.copyOf(least);
  }
}
