package io.berth.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What scheduling reads of a pod's status.
///
/// `resizeInfeasible`, `preemptedByScheduler` and `unscheduled` are the conditions that matter:
/// `PodResizePending` with reason `Infeasible`, `DisruptionTarget` by the scheduler, and
/// `PodScheduled` that is `False`.
public record PodStatus(
    String phase,
    String nominatedNodeName,
    @Nullable Instant startTime,
    boolean resizeInfeasible,
    boolean preemptedByScheduler,
    boolean unscheduled,
    List<ContainerStatus> containerStatuses,
    @Nullable Map<String, Quantity> allocatedResources,
    @Nullable Map<String, Quantity> actualRequests) {

  public static final PodStatus NONE =
      new PodStatus("", "", null, false, false, false, List.of(), null, null);

  public PodStatus {
    containerStatuses = List.copyOf(containerStatuses);
    allocatedResources = allocatedResources == null ? null : Map.copyOf(allocatedResources);
    actualRequests = actualRequests == null ? null : Map.copyOf(actualRequests);
  }

  /// Resources the kubelet has set aside (`allocated`) and applied (`actual`) for a container.
  public record ContainerStatus(
      String name,
      @Nullable Map<String, Quantity> allocated,
      @Nullable Map<String, Quantity> actual) {

    public ContainerStatus {
      allocated = allocated == null ? null : Map.copyOf(allocated);
      actual = actual == null ? null : Map.copyOf(actual);
    }
  }

  public PodStatus withStartTime(@Nullable Instant time) {
    return with(nominatedNodeName, time);
  }

  public PodStatus withNominatedNodeName(String node) {
    return with(node, startTime);
  }

  private PodStatus with(String nominated, @Nullable Instant time) {
    return new PodStatus(
        phase,
        nominated,
        time,
        resizeInfeasible,
        preemptedByScheduler,
        unscheduled,
        containerStatuses,
        allocatedResources,
        actualRequests);
  }
}
