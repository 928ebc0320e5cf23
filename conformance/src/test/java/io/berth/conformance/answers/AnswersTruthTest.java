package io.berth.conformance.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.explain.Explanations;
import io.berth.answers.explain.Outlook;
import io.berth.answers.explain.PodExplanation;
import io.berth.answers.remedy.Suggestion;
import io.berth.answers.remedy.Suggestion.Target;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Tree;
import io.berth.conformance.EngineRespondent;
import io.berth.conformance.Step;
import io.berth.conformance.random.RandomCases;
import io.berth.engine.Decision;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// On random clusters: every suggestion, done by its patch on a fresh engine, gets the pod placed;
/// where a single step is found by trying them all, one is shown; the first objections add up to
/// the message; "never" is what brute force calls so.
///
/// `-Dberth.pods=10000 -Dberth.seed=7` asks for more pods that fit nowhere, or for others.
class AnswersTruthTest {

  private static final int PODS = Integer.getInteger("berth.pods", 240);
  private static final long SEED = Long.getLong("berth.seed", 1);

  private final Map<String, Integer> checked = new TreeMap<>();

  @Test
  void plainPods() {
    check(new RandomCases(new EngineRespondent(), true), PODS);
    assertThat(checked).containsKeys("POD", "PODS", "NODE", "never", "notNow", "pair");
  }

  @Test
  void podsWithVolumes() {
    check(RandomCases.withVolumes(new EngineRespondent()), PODS / 4);
  }

  @Test
  void rarePods() {
    check(RandomCases.rare(new EngineRespondent()), PODS / 4);
  }

  private void check(RandomCases cases, int pods) {
    long seed = SEED;
    for (int asked = 0; asked < pods; seed++) {
      var made = cases.of(seed);
      var cluster = new AskedCluster(made);
      for (var step : made.steps()) {
        switch (step) {
          case Step.Event event -> cluster.apply(event);
          case Step.Decide decide -> {
            asked += check(cluster, decide.pod(), "seed " + seed) ? 1 : 0;
            cluster.settle(decide);
          }
        }
      }
    }
    System.out.printf("seeds %d to %d: %s%n", SEED, seed - 1, checked);
  }

  /// Whether the pod fits nowhere.
  private boolean check(AskedCluster cluster, Tree pod, String where) {
    var survey = cluster.survey(pod);
    var subject = AskedCluster.subject(survey, pod);
    var answer = new Explanations(survey).explain(subject, Explanations.Wish.ALL);
    checkScores(answer, where);
    if (answer.verdict() != Outlook.NEVER && answer.verdict() != Outlook.NOT_NOW) {
      return false;
    }
    var what = where + " " + answer.pod();
    checked.merge(answer.verdict().toString(), 1, Integer::sum);
    checkMessage(answer, what);
    checkSuggestions(survey, subject, answer, what);
    checkSingles(survey, subject, answer, what);
    checkProspects(survey, subject, answer, what);
    return true;
  }

  /// Parts add up to raw scores, with nothing left over; weighted scores to the total.
  private void checkScores(PodExplanation answer, String where) {
    for (var sheet : answer.scores()) {
      long total = 0;
      for (var rule : sheet.rules()) {
        total += rule.weighted();
        long sum = 0;
        for (var part : rule.summands()) {
          sum += part.value();
          assertThat(part.what()).as("%s %s", where, rule).isNotEqualTo("the rest");
        }
        assertThat(sum).as("%s %s", where, rule).isEqualTo(rule.raw());
        checked.merge("scores", 1, Integer::sum);
      }
      assertThat(total).as("%s %s", where, sheet).isEqualTo(sheet.total());
    }
  }

  private static void checkMessage(PodExplanation answer, String what) {
    var counts = new HashMap<String, Integer>();
    answer.causes().forEach(cause -> counts.merge(cause.reason(), cause.first(), Integer::sum));
    var entries = new TreeSet<String>();
    counts.forEach((reason, count) -> {
      if (count > 0) {
        entries.add(count + " " + reason);
      }
    });
    // What is said before any node is looked at is not counted.
    if (answer.message().matches("(?s)0/\\d+ nodes are available: \\d.*")) {
      assertThat(answer.message()).as(what).contains(": " + String.join(", ", entries) + ".");
    }
  }

  private void checkSuggestions(
      Survey survey, SurveyedPod subject, PodExplanation answer, String what) {
    for (var suggestion : answer.suggestions()) {
      var decision = new Retrial(survey, subject).decide(suggestion);
      assertThat(places(decision)).as("%s: %s gives %s", what, suggestion, decision).isTrue();
      checked.merge(suggestion.target().name(), 1, Integer::sum);
      if (suggestion.target() != Target.PODS && suggestion.size() > 1) {
        checked.merge("pair", 1, Integer::sum);
      }
    }
  }

  private static boolean places(Decision decision) {
    return decision instanceof Decision.Placed
        || (decision instanceof Decision.Unschedulable no
            && no.preemption() != null
            && no.preemption().node() != null);
  }

  private void checkSingles(
      Survey survey, SurveyedPod subject, PodExplanation answer, String what) {
    var steps = new SingleSteps(survey, subject);
    for (var target : new Target[] {Target.POD, Target.NODE}) {
      boolean shown =
          answer.suggestions().stream()
              .filter(each -> each.size() == 1)
              .map(Suggestion::target)
              .anyMatch(target::equals);
      var found = target == Target.POD ? steps.ofPod() : steps.ofNodes();
      if (!shown) {
        assertThat(found).as("%s: helps, but is not shown", what).isEmpty();
      }
      checked.merge(found.isEmpty() ? "no single step" : "single step", 1, Integer::sum);
    }
  }

  private void checkProspects(
      Survey survey, SurveyedPod subject, PodExplanation answer, String what) {
    var ever = new BruteProspects(survey).canEverFit(subject.pod());
    if (ever.isPresent()) {
      assertThat(answer.verdict() == Outlook.NOT_NOW)
          .as("%s is %s", what, answer.verdict())
          .isEqualTo(ever.get());
      checked.merge("prospects", 1, Integer::sum);
    }
  }
}
