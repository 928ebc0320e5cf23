package io.berth.quota;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a pass decided. Each gang of the situation that is not complete is in `placements` or in
/// `waiting`; gangs are named by their ids.
public record Outcome(
    List<Placement> placements,
    List<Eviction> evictions,
    List<Waiting> waiting,
    List<Standing> standings) {

  public Outcome {
    placements = List.copyOf(placements);
    evictions = List.copyOf(evictions);
    waiting = List.copyOf(waiting);
    standings = List.copyOf(standings);
  }

  /// What starts when others are gone: for the next [Situation].
  public List<Placement> promised() {
    return placements.stream().filter(each -> !each.waitsFor().isEmpty()).toList();
  }

  /// Pods of a gang that start: all of its least number when it starts, or more of its extras.
  ///
  /// `waitsFor` names the pods (`namespace/name`) that must be gone from these nodes first.
  public record Placement(String gang, String pool, List<Assignment> pods, List<String> waitsFor) {

    public Placement {
      pods = List.copyOf(pods);
      waitsFor = List.copyOf(waitsFor);
    }
  }

  /// Where one pod goes. `devices` are the shared devices it gets a part of; a number that is new
  /// on the node stands for a device that is whole so far. `gpuMillis` is what quotas count for it.
  public record Assignment(
      String namespace, String pod, String node, List<Integer> devices, long gpuMillis) {

    public Assignment {
      devices = List.copyOf(devices);
    }
  }

  /// Pods (`namespace/name`) of a gang that make room for another gang, or cannot run without those
  /// it lost. `why` is a part of [#messageFor], in words for their owner.
  public record Eviction(
      String gang, List<String> pods, Cause cause, @Nullable String beneficiary, String why) {

    public Eviction {
      pods = List.copyOf(pods);
    }

    public String messageFor(String pod) {
      return cause == Cause.STALE
          ? "%s, evicting remaining pod: %s".formatted(why, pod)
          : "Pod %s %s".formatted(pod, why);
    }
  }

  public enum Cause {
    /// Another project gets its share.
    RECLAIM,
    /// A gang of higher priority of the same project comes first.
    PREEMPTION,
    /// The gang is moved: it has a placement in the same outcome.
    CONSOLIDATION,
    /// The gang is below its minimum.
    STALE
  }

  /// Why a gang does not start. `position` counts from 1 in the order of its best pool; `ahead` are
  /// the ids of the first few before it that wait as well.
  public record Waiting(String gang, int position, List<String> ahead, List<Refusal> refusals) {

    public Waiting {
      ahead = List.copyOf(ahead);
      refusals = List.copyOf(refusals);
    }
  }

  /// What stands in the way in one pool; `unit` is the department or project whose quota it is, and
  /// `gpuMillis` what was asked of it.
  public record Refusal(
      String pool, Reason reason, @Nullable String unit, long gpuMillis, String message) {

    /// One that no quota is the reason for.
    public static Refusal of(String pool, Reason reason, String message) {
      return new Refusal(pool, reason, null, 0, message);
    }
  }

  public enum Reason {
    NON_PREEMPTIBLE_OVER_QUOTA,
    OVER_LIMIT,
    /// Nodes of the pool have no room, and nobody there may be evicted for it.
    NO_ROOM,
    /// There is room, but a gang that has waited for very long comes first.
    HELD,
    /// Pods that must run with the others do not exist yet, or are still ending.
    INCOMPLETE,
    UNKNOWN_POOL,
    UNKNOWN_PROJECT
  }

  /// A department or project in a pool after the pass.
  public record Standing(
      String unit,
      String pool,
      Amounts fairShare,
      Amounts allocated,
      Amounts nonPreemptible,
      Amounts requested) {}
}
