package io.berth.scheduler;

/// How long a pod pauses after failures: doubling from `initialSeconds` up to `maxSeconds`.
///
/// As in Kubernetes, expiry is truncated to whole seconds, so that pods of one second keep the
/// order of the active queue.
record Backoff(int initialSeconds, int maxSeconds) {

  long durationMillis(int failures) {
    return durationMillis(failures, 1);
  }

  /// For a group of `pods` the maximum is larger, by the square root of their number.
  long durationMillis(int failures, int pods) {
    if (failures == 0 || maxSeconds == 0) {
      return 0;
    }
    int doublings = failures - 1;
    long maxMillis = (long) (1000 * maxSeconds * Math.sqrt(pods));
    boolean atMaximum = doublings >= 31 || 1000L * initialSeconds > maxMillis >> doublings;
    return atMaximum ? maxMillis : (1000L * initialSeconds) << doublings;
  }

  /// Whether its pauses become no longer.
  boolean isLongest(PendingPod pod) {
    return durationMillis(pod.failures(), pod.groupSize())
        == durationMillis(Integer.MAX_VALUE, pod.groupSize());
  }

  /// The second in which the pause of this pod ends.
  long expirySecond(PendingPod pod) {
    return (pod.timestampMillis() + durationMillis(pod.failures(), pod.groupSize())) / 1000;
  }

  boolean isOver(PendingPod pod, long nowMillis) {
    return durationMillis(pod.failures()) == 0 || expirySecond(pod) < nowMillis / 1000;
  }
}
