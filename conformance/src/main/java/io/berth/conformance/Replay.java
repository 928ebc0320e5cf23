package io.berth.conformance;

import io.berth.api.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes a respondent through a case and compares every answer with the recorded one.
///
/// After each decision the recorded placement is followed, never the respondent's own: one
/// difference does not cause the next.
public final class Replay {

  private static final Instant FIRST_START = Instant.parse("2026-01-01T01:00:00Z");

  private final Respondent respondent;

  public Replay(Respondent respondent) {
    this.respondent = respondent;
  }

  /// `differing` counts the decisions that have any difference.
  public record Outcome(int decisions, int differing, List<Difference> differences) {}

  public Outcome run(Case recorded) {
    respondent.begin(recorded);
    var differences = new ArrayList<Difference>();
    int decisions = 0;
    int differing = 0;
    for (int i = 0; i < recorded.steps().size(); i++) {
      switch (recorded.steps().get(i)) {
        case Step.Event event -> respondent.apply(event);
        case Step.Decide decide -> {
          var answer = respondent.decide(decide.pod());
          if (decide.expect() != null) {
            decisions++;
            var found = new Comparison(recorded.id(), i).compare(decide.expect(), answer);
            differing += found.isEmpty() ? 0 : 1;
            differences.addAll(found);
          }
          finish(decide, decide.assume(), decide.startTime());
        }
      }
    }
    return new Outcome(decisions, differing, List.copyOf(differences));
  }

  /// The case with the respondent's answers in place of the recorded ones.
  ///
  /// A step that names no node to assume gets the first of the best, and a start time ten seconds
  /// after the one before.
  public Case record(Case asked) {
    respondent.begin(asked);
    var tree = asked.tree().copy();
    var steps = tree.trees("steps");
    var started = FIRST_START;
    for (int i = 0; i < asked.steps().size(); i++) {
      switch (asked.steps().get(i)) {
        case Step.Event event -> respondent.apply(event);
        case Step.Decide decide -> {
          var answer = respondent.decide(decide.pod());
          var step = steps.get(i).put("expect", answer);
          var best = answer.list("best");
          if (decide.assume() == null && !best.isEmpty()) {
            step.put("assume", best.getFirst());
          }
          if (step.has("assume") && !step.has("startTime")) {
            started = started.plusSeconds(10);
            step.put("startTime", started.toString());
          }
          finish(decide, step.text("assume"), step.text("startTime"));
        }
      }
    }
    return Case.of(tree);
  }

  private void finish(Step.Decide decide, @Nullable String assume, @Nullable String startTime) {
    if (assume == null) {
      respondent.discard(decide.pod());
    } else {
      respondent.place(decide.pod(), assume, startTime);
    }
  }

  /// The case without answers, as one asks a respondent.
  public static Case unanswered(Case answered) {
    var tree = answered.tree().copy();
    for (Tree step : tree.trees("steps")) {
      Step.COMPANIONS.forEach(step::remove);
    }
    return Case.of(tree);
  }
}
