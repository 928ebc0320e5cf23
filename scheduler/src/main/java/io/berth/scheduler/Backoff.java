package io.berth.scheduler;

/// How long a pod pauses after failures: doubling from `initialSeconds` up to `maxSeconds`.
///
/// As in Kubernetes, expiry is truncated to whole seconds, so that pods of one second keep the
/// order of the active queue.
record Backoff(int initialSeconds, int maxSeconds) {

  long durationMillis(int failures) {
    if (failures == 0 || maxSeconds == 0) {
      return 0;
    }
    int doublings = failures - 1;
    boolean atMaximum = doublings >= 31 || initialSeconds > maxSeconds >> doublings;
    return 1000L * (atMaximum ? maxSeconds : initialSeconds << doublings);
  }

  /// The second in which the pause of this pod ends.
  long expirySecond(PendingPod pod) {
    return (pod.timestampMillis() + durationMillis(pod.failures())) / 1000;
  }

  boolean isOver(PendingPod pod, long nowMillis) {
    return durationMillis(pod.failures()) == 0 || expirySecond(pod) < nowMillis / 1000;
  }
}
