package io.berth.engine.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The pods that name one node, in no particular order.
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

  void add(RunningPod pod) {
    if (size == pods.length) {
      pods = Arrays.copyOf(pods, Math.max(4, size + size / 2));
    }
    pods[size++] = pod;
  }

  void remove(RunningPod pod) {
    for (int i = 0; i < size; i++) {
      if (pods[i] == pod) {
        pods[i] = pods[--size];
        pods[size] = null;
        return;
      }
    }
  }
}
