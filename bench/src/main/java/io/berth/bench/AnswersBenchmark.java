package io.berth.bench;

import io.berth.answers.explain.Explanations;
import io.berth.answers.explain.Explanations.Wish;
import io.berth.answers.plan.CapacityCount;
import io.berth.answers.plan.Chronicle;
import io.berth.answers.plan.NodeChoice;
import io.berth.answers.plan.PlanStep;
import io.berth.answers.plan.WhatIf;
import io.berth.answers.source.ManifestReader;
import io.berth.answers.source.Survey;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.engine.Engine;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What answers about a large cluster cost in processor time, for every rule that can object and
/// several together: reading it from JSON, explaining a pod that fits nowhere, with suggestions,
/// losing a zone, counting how many more fit.
///
/// Expected on 5,000 nodes with 105,000 pods: 5 s, 50 ms, 500 ms, 1 s, 1 s. Run with
/// `bench/answers`.
public final class AnswersBenchmark {

  private static final List<PlanStep> LOSS =
      List.of(new PlanStep.Lose(new NodeChoice("", Map.of(Templates.ZONE, "zone1"))));

  private final int nodes;
  private final int rounds;

  private AnswersBenchmark(int nodes, int rounds) {
    this.nodes = nodes;
    this.rounds = rounds;
  }

  /// `--nodes 5000`, `--question NAME` (all that begin so), `--rounds 5`.
  public static void main(String[] arguments) {
    int nodes = 5000;
    int rounds = 5;
    var question = "";
    for (int i = 0; i < arguments.length; i += 2) {
      switch (arguments[i]) {
        case "--nodes" -> nodes = Integer.parseInt(arguments[i + 1]);
        case "--rounds" -> rounds = Integer.parseInt(arguments[i + 1]);
        case "--question" -> question = arguments[i + 1];
        default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
    }
    var benchmark = new AnswersBenchmark(nodes, rounds);
    for (var each : ExplainQuestion.values()) {
      if (each.name().toLowerCase(Locale.ROOT).replace('_', '-').startsWith(question)) {
        benchmark.run(each);
      }
    }
  }

  private void run(ExplainQuestion question) {
    var text = new AnswersCluster(question, nodes).json();
    var result = Tree.of("question", question.shape().substring("explain-".length()));
    result.put("nodes", nodes).put("megabytes", text.length() >> 20);
    var loaded = new Survey[1];
    result.put("loadMillis", measure(2, () -> loaded[0] = load(text)));
    var survey = loaded[0];
    var engine = survey.engine();
    result.put("explainMillis", measure(rounds, () -> explain(survey, engine, Wish.CAUSES)));
    result.put(
        "suggestionsMillis", measure(rounds, () -> explain(survey, engine, Wish.SUGGESTIONS)));
    result.put("zoneLossMillis", measure(3, () -> lose(survey, engine)));
    result.put("capacityMillis", measure(3, () -> count(survey, engine)));
    System.out.println(Json.text(result));
  }

  private static Survey load(String text) {
    return Survey.of(ManifestReader.read("cluster.json", text));
  }

  private static void explain(Survey survey, Engine engine, Wish wish) {
    var pod = survey.findPod("default", "asked").orElseThrow();
    if (new Explanations(survey, engine).explain(pod, wish).causes().isEmpty()) {
      throw new IllegalStateException("the benchmark must measure an explanation");
    }
  }

  private static void lose(Survey survey, Engine engine) {
    var forecast = new WhatIf(survey, engine, Chronicle.NONE).after(LOSS);
    if (forecast.moves().isEmpty() && forecast.pending().isEmpty()) {
      throw new IllegalStateException("the benchmark must measure a loss");
    }
  }

  private static void count(Survey survey, Engine engine) {
    CapacityCount.of(survey, engine, survey.findPod("default", "more").orElseThrow());
  }

  /// The median of several rounds after one that warms up, in milliseconds of processor time.
  private static double measure(int rounds, Runnable work) {
    work.run();
    var threads = ManagementFactory.getThreadMXBean();
    var nanos = new long[rounds];
    for (int i = 0; i < rounds; i++) {
      long begin = threads.getCurrentThreadCpuTime();
      work.run();
      nanos[i] = threads.getCurrentThreadCpuTime() - begin;
    }
    Arrays.sort(nanos);
    return Math.round(nanos[rounds / 2] / 1e5) / 10.0;
  }
}
