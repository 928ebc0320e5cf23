package io.berth.scheduler;

/// How many pods wait where, how many are being bound, and what the scheduler knows: the levels
/// behind `pending_pods` and `scheduler_cache_size`.
public record SchedulerLoad(
    int active,
    int backoff,
    int unschedulable,
    int gated,
    int binding,
    int nodes,
    int pods,
    int assumed,
    long sweptPods,
    int waitingReports,
    long shedReports) {

  public static final SchedulerLoad NONE = new SchedulerLoad(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
