package io.berth.quota;

import io.berth.api.Pod;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A workload's pods, which run together or not at all.
///
/// `id` is unique; `name` (`namespace/name`) is what messages say. `pools` are the names of the
/// node pools it may run in, the best first; all its pods run in one. Of each set at least `min`
/// pods run; the others are extras, which come and go one by one. A pod with a node name holds its
/// node. `running` is `null` as long as the gang has not started.
public record Gang(
    String id,
    String name,
    String project,
    List<String> pools,
    int priority,
    Preemptibility preemptibility,
    Instant createdAt,
    Instant waitingSince,
    List<PodSet> sets,
    @Nullable Running running,
    @Nullable Topology topology) {

  /// Without a word on how close together its pods are.
  public Gang(
      String id,
      String name,
      String project,
      List<String> pools,
      int priority,
      Preemptibility preemptibility,
      Instant createdAt,
      Instant waitingSince,
      List<PodSet> sets,
      @Nullable Running running) {
    this(
        id,
        name,
        project,
        pools,
        priority,
        preemptibility,
        createdAt,
        waitingSince,
        sets,
        running,
        null);
  }

  /// What may be taken from a gang once it runs.
  public enum Preemptibility {
    /// All of it; it may use more than its project deserves.
    PREEMPTIBLE,
    /// Its extras; the least that must run stays within the deserved quota.
    SEMI_PREEMPTIBLE,
    /// Nothing; all of it stays within the deserved quota.
    NON_PREEMPTIBLE
  }

  /// Where and since when a gang has been complete. `staleSince` is when it fell below its minimum.
  public record Running(String pool, Instant since, @Nullable Instant staleSince) {}

  /// Pods that are alike. Fewer than `min` of them may exist: then the gang waits for the others.
  public record PodSet(String name, int min, GpuRequest gpu, List<Member> pods) {

    public PodSet {
      pods = List.copyOf(pods);
      if (min < 0) {
        throw new IllegalArgumentException(
            "%d cannot be the least number of pods of set %s".formatted(min, name));
      }
    }
  }

  /// A pod and, if it shares devices of its node, their numbers there.
  public record Member(Pod pod, List<Integer> devices) {

    public Member {
      devices = List.copyOf(devices);
    }

    public static Member of(Pod pod) {
      return new Member(pod, List.of());
    }

    public boolean isPlaced() {
      return !pod.nodeName().isEmpty();
    }
  }

  public Gang withPriority(int other) {
    return with(pools, other, preemptibility, topology);
  }

  public Gang withPreemptibility(Preemptibility other) {
    return with(pools, priority, other, topology);
  }

  public Gang withPools(List<String> others) {
    return with(others, priority, preemptibility, topology);
  }

  public Gang withTopology(@Nullable Topology other) {
    return with(pools, priority, preemptibility, other);
  }

  private Gang with(
      List<String> somePools,
      int somePriority,
      Preemptibility some,
      @Nullable Topology someTopology) {
    return new Gang(
        id,
        name,
        project,
        somePools,
        somePriority,
        some,
        createdAt,
        waitingSince,
        sets,
        running,
        someTopology);
  }

  public Gang {
    pools = List.copyOf(pools);
    sets = List.copyOf(sets);
  }
}
