package io.berth.scheduler;

/// Hears what the scheduler does, in the quantities kube-scheduler's metrics are made of.
///
/// Calls come from the loop's thread and from threads that bind; they must be quick and must not
/// throw. What is a level rather than an event is asked for: [Scheduler#load()].
public interface SchedulerMetrics {

  SchedulerMetrics NONE = new SchedulerMetrics() {};

  /// How an attempt ended, as `schedule_attempts_total` names it.
  enum Result {
    SCHEDULED,
    UNSCHEDULABLE,
    ERROR
  }

  /// The store of the queue a pod comes to, as `pending_pods` and `queue_incoming_pods_total` name
  /// it.
  enum Queue {
    ACTIVE,
    BACKOFF,
    UNSCHEDULABLE,
    GATED
  }

  /// The engine answered about one pod after `nanos`.
  default void decided(String profile, long nanos) {}

  /// An attempt is over: the pod is bound, or goes back to the queue. `nanos` since it left the
  /// queue.
  default void attempted(Result result, String profile, long nanos) {}

  /// A pod has its node, in its `attempts`-th attempt, `nanos` after its first one began.
  default void bound(String profile, int attempts, long nanos) {}

  /// A pod came to a store of the queue because of `event`, named as kube-scheduler names it.
  default void queued(Queue queue, String event) {}

  /// The number of pods of this profile that wait because the plugin rejected them changed.
  default void unschedulable(String plugin, String profile, int change) {}

  /// A preemption was decided that evicts `victims` pods.
  default void preempting(int victims) {}

  /// A pod waited for five minutes although an event should have woken it: a hint is missing.
  default void swept() {}

  /// A report was dropped because the API could not take it in time.
  default void shed() {}
}
