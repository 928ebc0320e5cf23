package io.berth.workloads.serve;

import io.berth.answers.explain.ExplanationText;
import io.berth.api.Tree;
import io.berth.quota.Outcome.Reason;
import io.berth.quota.Outcome.Waiting;
import io.berth.workloads.serve.RolePlacement.Judged;
import io.berth.workloads.submit.Submission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The way of a workload to its nodes: policy, quota, queue, placement. The first stage it has not
/// passed is what it waits for.
final class Stages {

  private static final Set<Reason> OF_QUOTA =
      EnumSet.of(
          Reason.NON_PREEMPTIBLE_OVER_QUOTA,
          Reason.OVER_LIMIT,
          Reason.UNKNOWN_POOL,
          Reason.UNKNOWN_PROJECT);

  private static final Set<Reason> OF_QUEUE = EnumSet.of(Reason.HELD, Reason.INCOMPLETE);

  private Stages() {}

  /// `waiting` is what fair sharing said of it last, `judged` what the engine says of its roles.
  static List<Object> of(Found found, Optional<Waiting> waiting, List<Judged> judged) {
    return List.of(policy(found), quota(waiting), queue(waiting), placement(judged));
  }

  private static Tree policy(Found found) {
    var presets = found.workload().at("metadata", "annotations", Submission.PRESETS);
    boolean none = presets == null || presets.equals("");
    return stage("policy", true, none ? "it preset nothing" : "it preset " + presets);
  }

  private static Tree quota(Optional<Waiting> waiting) {
    var refusals = refusals(waiting, OF_QUOTA);
    return stage("quota", refusals.isEmpty(), refusals.isEmpty() ? "within it" : text(refusals));
  }

  private static Tree queue(Optional<Waiting> waiting) {
    var refusals = refusals(waiting, OF_QUEUE);
    if (!refusals.isEmpty()) {
      return stage("queue", false, text(refusals));
    }
    return stage(
        "queue",
        true,
        waiting
            .map(each -> "number %d of those that wait".formatted(each.position()))
            .orElse("its turn has come"));
  }

  private static Tree placement(List<Judged> judged) {
    for (var each : judged) {
      if (!each.answer().isGood()) {
        return stage("placement", false, headline(each));
      }
    }
    return stage(
        "placement", true, judged.isEmpty() ? "it has no pods" : headline(judged.getFirst()));
  }

  private static String headline(Judged judged) {
    return new ExplanationText(judged.answer()).headline();
  }

  private static List<String> refusals(Optional<Waiting> waiting, Set<Reason> reasons) {
    var texts = new ArrayList<String>();
    waiting.ifPresent(each -> {
      for (var refusal : each.refusals()) {
        if (reasons.contains(refusal.reason())) {
          texts.add(refusal.message());
        }
      }
    });
    return texts;
  }

  private static String text(List<String> texts) {
    return String.join("; ", texts.stream().distinct().toList());
  }

  private static Tree stage(String name, boolean passed, String reason) {
    return Tree.of("stage", name, "passed", passed, "reason", reason);
  }
}
