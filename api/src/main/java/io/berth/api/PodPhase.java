package io.berth.api;

/// Where a pod stands in its life, in Kubernetes' words.
///
/// Mirrors: core/v1.PodPhase, api/v1/pod.IsPodTerminal
public final class PodPhase {

  public static final String PENDING = "Pending";
  public static final String RUNNING = "Running";
  public static final String SUCCEEDED = "Succeeded";
  public static final String FAILED = "Failed";

  private PodPhase() {}

  public static String of(Tree pod) {
    return pod.textOrEmpty("status", "phase");
  }

  /// Whether the pod has ended, well or not: it takes no room and never runs again.
  public static boolean isTerminal(Tree pod) {
    return isTerminal(of(pod));
  }

  public static boolean isTerminal(String phase) {
    return phase.equals(SUCCEEDED) || phase.equals(FAILED);
  }
}
