package io.berth.engine.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The pods that name one node, most important first.
///
/// More important is, as in Kubernetes, the pod of higher priority, then the one that started
/// earlier; names decide what Kubernetes leaves open. So possible victims stand at the end.
public final class PodList {

  private static final RunningPod[] NONE = {};

  private @Nullable RunningPod[] pods = NONE;
  private int size;

  public int size() {
    return size;
  }

  public RunningPod get(int i) {
    var pod = i < size ? pods[i] : null;
    if (pod == null) {
      throw new IndexOutOfBoundsException(i);
    }
    return pod;
  }

  /// The first place of a pod with a lower priority; all from there on have one.
  public int firstBelow(int priority) {
    int place = size;
    while (place > 0 && get(place - 1).priority() < priority) {
      place--;
    }
    return place;
  }

  void add(RunningPod pod) {
    if (size == pods.length) {
      pods = Arrays.copyOf(pods, Math.max(4, size + size / 2));
    }
    int place = size;
    while (place > 0 && compare(pod, get(place - 1)) < 0) {
      pods[place] = pods[place - 1];
      place--;
    }
    pods[place] = pod;
    size++;
  }

  // Written out: chained comparators take most of the time of a trial.
  private static int compare(RunningPod a, RunningPod b) {
    if (a.priority() != b.priority()) {
      return Integer.compare(b.priority(), a.priority());
    }
    if (a.startNanos() != b.startNanos()) {
      return Long.compare(a.startNanos(), b.startNanos());
    }
    int byNamespace = a.namespace().compareTo(b.namespace());
    return byNamespace != 0 ? byNamespace : a.name().compareTo(b.name());
  }

  void remove(RunningPod pod) {
    for (int i = size - 1; i >= 0; i--) {
      if (pods[i] == pod) {
        System.arraycopy(pods, i + 1, pods, i, size - i - 1);
        pods[--size] = null;
        return;
      }
    }
  }
}
