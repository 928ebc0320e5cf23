package io.berth.engine.rule;

import io.berth.engine.Blame;
import io.berth.engine.model.RunningPod;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
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

  /// So many of the pods, the least important ones, in no order.
  public static List<RunningPod> least(List<RunningPod> pods, int count) {
    if (count >= pods.size()) {
      return List.copyOf(pods);
    }
    var all = pods.toArray(RunningPod[]::new);
    moveLeastToFront(all, count);
    return List.of(Arrays.copyOf(all, Math.max(0, count)));
  }

  /// Divides around a pod from the middle until the border falls where it is wanted.
  private static void moveLeastToFront(RunningPod[] pods, int count) {
    int low = 0;
    int high = pods.length - 1;
    while (low < high) {
      var middle = pods[(low + high) >>> 1];
      int i = low;
      int j = high;
      while (i <= j) {
        while (LEAST_FIRST.compare(pods[i], middle) < 0) {
          i++;
        }
        while (LEAST_FIRST.compare(pods[j], middle) > 0) {
          j--;
        }
        if (i <= j) {
          var swapped = pods[i];
          pods[i++] = pods[j];
          pods[j--] = swapped;
        }
      }
      if (count <= j) {
        high = j;
      } else if (count >= i) {
        low = i;
      } else {
        return;
      }
    }
  }
}
