package io.berth.cli;

import io.berth.answers.plan.Chronicle;
import io.berth.answers.plan.Forecast;
import io.berth.answers.plan.PlanStep;
import io.berth.answers.plan.PlanStepException;
import io.berth.answers.plan.WhatIf;
import io.berth.answers.source.ManifestException;
import io.berth.answers.source.Survey;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `berth plan STEP…`: what becomes of pods when something happens, before it does.
public final class Planning implements Command {

  private final Sources sources;

  public Planning(Sources sources) {
    this.sources = sources;
  }

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("plan");
    PlanLine.addOptions(spec);
    spec.addOption(Options.text("--steps", "FILE", "A YAML list of steps, taken first."));
    spec.addOption(
        Options.text("--compare", "CONFIG", "Compare with this KubeSchedulerConfiguration."));
    spec.addOption(Options.text("--record", "FILE", "Write a journal for 'berth replay'."));
    Sources.addOptions(spec);
    spec.usageMessage()
        .description(
            "Say who lands where, what stays pending and why, and what budgets, skew and room"
                + " become, if steps were taken in the order given. Nothing is changed.",
            "Exit code 0 if nothing is newly pending, 1 if something is, 2 if the input cannot be"
                + " read.")
        .footer(
            "",
            "Examples:",
            "  berth plan --lose zone=zone-b",
            "  berth plan --scale deployment/web=9 -n shop --kubeconfig ~/.kube/config",
            "  berth plan --cordon node=node-1 --drain node=node-2 --apply web.yaml",
            "  berth plan --steps friday.yaml -f cluster.yaml -o json",
            "  berth plan --apply web.yaml --compare packed.yaml --record plan.jsonl");
    return spec;
  }

  @Override
  public List<String> formats() {
    return List.of("table", "json", "yaml", "markdown");
  }

  @Override
  public int run(ParseResult line, Terminal terminal) {
    var steps = new PlanSteps(sources).of(line);
    if (steps.isEmpty()) {
      throw UserError.usage("a plan needs a step, such as --lose zone=zone-b");
    }
    var survey = sources.survey(line);
    var forecast = forecast(line, survey, steps);
    var compare = Options.path(line.matchedOptionValue("--compare", ""));
    if (compare == null) {
      new ForecastText(forecast, terminal).print();
      return forecast.isGood() ? 0 : 1;
    }
    var settings = SchedulerSettings.of(compare, UnaryOperator.identity(), RuleJars.of(line));
    var other = survey.with(survey.settings().withConfiguration(settings.configuration()));
    var second = after(other, steps, Chronicle.NONE);
    new ForecastText(forecast, terminal).printBeside(second);
    return forecast.isGood() && second.isGood() ? 0 : 1;
  }

  private static Forecast forecast(ParseResult line, Survey survey, List<PlanStep> steps) {
    var file = Options.path(line.matchedOptionValue("--record", ""));
    if (file == null) {
      return after(survey, steps, Chronicle.NONE);
    }
    try (var journal = new JournalChronicle(file, head(line, survey))) {
      return after(survey, steps, journal);
    } catch (IOException e) {
      throw new UserError("%s: cannot be written: %s".formatted(file, e.getMessage()));
    } catch (UncheckedIOException e) {
      throw new UserError("%s: cannot be written: %s".formatted(file, e.getMessage()));
    }
  }

  private static Tree head(ParseResult line, Survey survey) {
    var head = Tree.of("journal", 1, "seed", survey.settings().seed());
    var file = Options.path(line.matchedOptionValue("--scheduler-config", ""));
    var source = SchedulerSettings.of(file, UnaryOperator.identity(), RuleJars.of(line)).source();
    if (source != null) {
      head.put("config", source);
    } else if (!survey.settings().configuration().equals(SchedulerConfiguration.DEFAULT)) {
      throw UserError.usage(
          "--record needs the scheduler's configuration as a file: give it with"
              + " --scheduler-config");
    }
    return head;
  }

  private static Forecast after(Survey survey, List<PlanStep> steps, Chronicle chronicle) {
    try {
      return new WhatIf(survey, survey.engine(), chronicle).after(steps);
    } catch (PlanStepException | ManifestException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    }
  }
}
