package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.api.PodGroup;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Extension.Answers;
import io.berth.engine.Plan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Decides about all waiting pods of one group at once: enough of them find a place, or none does.
///
/// The counterpart of a decision about one pod; [PodGroups] says who belongs together. Preemption
/// is asked for the group as a whole, never for one of its pods.
final class GroupCycle {

  private static final Set<String> GANG = Set.of("GangScheduling");

  private final Engine engine;
  private final Extenders extenders;
  private final World world;
  private final PodGroups groups;
  private final SchedulingQueue queue;
  private final Outcomes outcomes;
  private final Reporter reporter;
  private final Journal journal;

  GroupCycle(
      Engine engine,
      Extenders extenders,
      World world,
      PodGroups groups,
      SchedulingQueue queue,
      Outcomes outcomes,
      Reporter reporter,
      Journal journal) {
    this.engine = engine;
    this.extenders = extenders;
    this.world = world;
    this.groups = groups;
    this.queue = queue;
    this.outcomes = outcomes;
    this.reporter = reporter;
    this.journal = journal;
  }

  /// Tries the group of `first` with every pod of it that waits.
  void run(PendingPod first, long nowMillis) {
    var members = queue.popGroup(first, nowMillis);
    members.forEach(pending -> pending.attemptBegan(System.nanoTime()));
    var key = PodGroups.keyOf(first.pod());
    var pods = members.stream().map(PendingPod::pod).toList();
    var flaw = flaw(key, pods);
    if (flaw.isPresent()) {
      fail(key, members, flaw.get());
      return;
    }
    // What was promised to them would count twice once they are placed.
    pods.forEach(world::unnominate);
    var attempt = attempt(key, pods);
    journal.groupDecided(pods, attempt.placement().decisions(), attempt.said());
    switch (attempt.placement()) {
      case GroupPlacement.Result.Placed placed -> bind(key, members, placed, nowMillis);
      case GroupPlacement.Result.Unplaced no -> reject(key, members, no, attempt);
      case GroupPlacement.Result.Failed failed -> fail(key, members, failed);
    }
  }

  /// The placement, what extenders said to it by pod, and what preemption can do where there is
  /// none.
  private record Attempt(
      GroupPlacement.Result placement,
      Map<String, Answers> said,
      GroupPreemption.Result preemption) {}

  // The plan is closed without commit: what is kept of it is assumed pod by pod.
  private Attempt attempt(String key, List<Pod> pods) {
    try (var plan = engine.plan()) {
      var said = new HashMap<String, Answers>();
      var placement =
          new GroupPlacement(
              plan,
              pod -> decide(pod, plan, said),
              groups.minCount(key),
              groups.placed(key).size());
      var result = placement.place(pods);
      var saidToIt = Map.copyOf(said);
      var preemption =
          result instanceof GroupPlacement.Result.Unplaced
              ? preempt(plan, pods, placement)
              : new GroupPreemption.Result.Nothing("");
      return new Attempt(result, saidToIt, preemption);
    }
  }

  // The engine is as the plan has left it, also for extenders.
  private Decision decide(Pod pod, Plan plan, Map<String, Answers> said) {
    if (!extenders.isAnyInterestedIn(pod)) {
      return plan.decide(pod);
    }
    var extended = extenders.decide(pod, engine);
    if (extended.said() != null) {
      said.put(pod.key(), extended.said());
    }
    return extended.decision();
  }

  private GroupPreemption.Result preempt(Plan plan, List<Pod> pods, GroupPlacement placement) {
    if (pods.getFirst().spec().neverPreempts()) {
      return new GroupPreemption.Result.Nothing("not eligible due to preemptionPolicy=Never.");
    }
    var promised = ongoing(pods);
    return promised.isEmpty()
        ? new GroupPreemption(plan, groups).preempt(pods, placement, world.running())
        : new GroupPreemption.Result.Ongoing(promised);
  }

  /// Nodes promised to the pods, when victims are still on their way out there.
  private Map<String, String> ongoing(List<Pod> pods) {
    var promised = new LinkedHashMap<String, String>();
    pods.forEach(pod -> {
      if (!pod.status().nominatedNodeName().isEmpty()) {
        promised.put(pod.key(), pod.status().nominatedNodeName());
      }
    });
    int priority = pods.getFirst().priority();
    return world.isEvicting(Set.copyOf(promised.values()), priority) ? promised : Map.of();
  }

  private void bind(
      String key, List<PendingPod> members, GroupPlacement.Result.Placed placed, long nowMillis) {
    for (int i = 0; i < members.size(); i++) {
      var pending = members.get(i);
      switch (placed.decisions().get(i)) {
        case Decision.Placed there -> outcomes.bind(pending, there.node());
        case Decision.Unschedulable no -> {
          reporter.pending(pending, "Unschedulable", withoutPreemption(no), "");
          queue.leftOver(pending, no.rejectors(), nowMillis);
        }
        case Decision.Failed failed -> outcomes.failed(pending, failed.error());
      }
    }
    report(key, true, "Scheduled", "");
  }

  private void reject(
      String key, List<PendingPod> members, GroupPlacement.Result.Unplaced no, Attempt attempt) {
    var preemption = attempt.preemption();
    var message = join(no.message(), preemption.message());
    var nodes =
        switch (preemption) {
          case GroupPreemption.Result.Found found -> found.nodes();
          case GroupPreemption.Result.Ongoing ongoing -> ongoing.nodes();
          case GroupPreemption.Result.Nothing _ -> Map.<String, String>of();
        };
    for (int i = 0; i < members.size(); i++) {
      var pending = members.get(i);
      var nomination = nodes.getOrDefault(pending.pod().key(), "");
      if (i < no.decisions().size()
          && no.decisions().get(i) instanceof Decision.Unschedulable own) {
        outcomes.rejected(pending, withoutPreemption(own), own.rejectors(), nomination);
      } else {
        outcomes.rejected(pending, message, GANG, nomination);
      }
      if (!nomination.isEmpty()) {
        world.nominate(pending.pod(), nomination);
      }
    }
    report(key, false, "Unschedulable", message);
    if (preemption instanceof GroupPreemption.Result.Found found) {
      var uid = groups.find(key).map(PodGroup::uid).orElse(members.getFirst().pod().uid());
      outcomes.evict(members, "cluster", found.victims(), uid, "podgroup");
    }
  }

  private void fail(String key, List<PendingPod> members, GroupPlacement.Result.Failed failed) {
    for (int i = 0; i < members.size(); i++) {
      var own = i < failed.decisions().size() ? failed.decisions().get(i) : null;
      outcomes.failed(
          members.get(i), own instanceof Decision.Failed broken ? broken.error() : failed.error());
    }
    report(key, false, "SchedulerError", failed.error());
  }

  private void fail(String key, List<PendingPod> members, String error) {
    members.forEach(pending -> outcomes.failed(pending, error));
    report(key, false, "SchedulerError", error);
  }

  // A group that was placed once stays so in its condition, whatever happens to later pods.
  private void report(String key, boolean scheduled, String reason, String message) {
    groups
        .find(key)
        .filter(group -> !group.initiallyScheduled())
        .ifPresent(group -> reporter.group(group, scheduled, reason, message));
  }

  /// What the pods of a group must have in common, and do not.
  private Optional<String> flaw(String key, List<Pod> pods) {
    var all = new ArrayList<>(pods);
    for (var placed : groups.placed(key)) {
      Optional.ofNullable(world.running(placed)).ifPresent(all::add);
    }
    var first = all.getFirst();
    int priority = groups.find(key).map(PodGroup::priority).orElse(first.priority());
    for (var pod : all) {
      if (!pod.spec().schedulerName().equals(first.spec().schedulerName())) {
        return Optional.of(
            "all pods in a single pod group should have the same .spec.schedulerName set, got:"
                + " \"%s\" and \"%s\""
                    .formatted(pod.spec().schedulerName(), first.spec().schedulerName()));
      }
      if (pod.priority() != priority) {
        return Optional.of(
            "all pods in a single pod group should have the same priority as the pod group's"
                + " priority, got %d and %d".formatted(pod.priority(), priority));
      }
      if (pod.spec().neverPreempts() != first.spec().neverPreempts()) {
        return Optional.of(
            "all pods in a single pod group should have the same preemption policy, got %s and %s"
                .formatted(policy(pod), policy(first)));
      }
    }
    return Optional.empty();
  }

  private static String policy(Pod pod) {
    return pod.spec().neverPreempts() ? "Never" : "PreemptLowerPriority";
  }

  /// In a group, preemption is not asked pod by pod; its part of the message goes.
  private static String withoutPreemption(Decision.Unschedulable no) {
    var preemption = no.preemption();
    if (preemption == null || preemption.message().isEmpty()) {
      return no.message();
    }
    var end = " " + preemption.message();
    return no.message().endsWith(end)
        ? no.message().substring(0, no.message().length() - end.length())
        : no.message();
  }

  private static String join(String first, String second) {
    return first.isEmpty() || second.isEmpty() ? first + second : first + ", " + second;
  }
}
