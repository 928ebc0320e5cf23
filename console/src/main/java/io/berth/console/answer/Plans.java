package io.berth.console.answer;

import io.berth.answers.plan.Chronicle;
import io.berth.answers.plan.Forecast;
import io.berth.answers.plan.PlanStep;
import io.berth.answers.plan.PlanStepException;
import io.berth.answers.plan.PlanStepReader;
import io.berth.answers.plan.WhatIf;
import io.berth.answers.source.ManifestException;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// What would become of pods, one plan of each caller at a time.
public final class Plans {

  /// Steps that name nothing but objects; others read files, and not those of the reader.
  private static final Set<String> STEPS =
      Set.of(
          "delete",
          "scale",
          "lose",
          "drain",
          "cordon",
          "uncordon",
          "label",
          "taint",
          "fleet",
          "pod");

  private static final int MOST_STEPS = 20;

  /// Pods or nodes that one step makes.
  private static final long MOST_MADE = 10_000;

  private final Answering answers;
  private final Function<Tree, List<Tree>> fleets;
  private final Set<String> underWay = new HashSet<>();

  /// `fleets` makes nodes of a NodeFleet.
  public Plans(Answering answers, Function<Tree, List<Tree>> fleets) {
    this.answers = answers;
    this.fleets = fleets;
  }

  /// Takes the steps of a body, `steps` as a list or as YAML, and says what follows.
  public Forecast after(Tree body, String caller) {
    var steps = read(body);
    begin(caller);
    try {
      return answers.ask(
          now -> new WhatIf(now.survey(), now.engine(), Chronicle.NONE).after(steps));
    } catch (PlanStepException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    } finally {
      end(caller);
    }
  }

  private synchronized void begin(String caller) {
    if (!underWay.add(caller)) {
      throw new ApiException(
          429, "TooManyRequests", "another plan of yours is under way; wait for its answer");
    }
  }

  private synchronized void end(String caller) {
    underWay.remove(caller);
  }

  private List<PlanStep> read(Tree body) {
    var steps = body.get("steps") instanceof String text ? listed(text) : body.list("steps");
    if (steps.isEmpty() || steps.size() > MOST_STEPS) {
      throw ApiException.badRequest(
          "steps: expected a list of 1 to %d steps, such as lose: {zone: b}".formatted(MOST_STEPS));
    }
    for (var step : steps) {
      if (step instanceof Tree tree) {
        check(tree);
      }
    }
    try {
      return new PlanStepReader(Path.of(""), "default", fleets).readAll(steps);
    } catch (PlanStepException | ManifestException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static void check(Tree step) {
    if (!STEPS.containsAll(step.names())) {
      throw ApiException.badRequest(
          "steps: %s is no step here; use one of %s"
              .formatted(step.names(), String.join(", ", STEPS.stream().sorted().toList())));
    }
    long made = Math.max(step.number(0, "scale", "replicas"), step.number(0, "fleet", "count"));
    if (made > MOST_MADE) {
      throw ApiException.badRequest(
          "steps: %d are too many in one step; at most %d".formatted(made, MOST_MADE));
    }
  }

  // A list is no document of its own for our reader: it becomes the value of a field.
  private static List<?> listed(String yaml) {
    try {
      return Yaml.read("steps:\n" + yaml).list("steps");
    } catch (SyntaxException e) {
      throw ApiException.badRequest(
          "line %d, column %d: %s".formatted(e.line() - 1, e.column(), e.getMessage()));
    }
  }
}
