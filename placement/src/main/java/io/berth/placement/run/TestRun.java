package io.berth.placement.run;

import io.berth.answers.outline.Mistake;
import io.berth.answers.plan.PlanStepException;
import io.berth.answers.plan.PlanStepReader;
import io.berth.answers.source.ManifestException;
import io.berth.api.ApiException;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import io.berth.controllers.kubelet.NodeFleet;
import io.berth.engine.rule.Profiles;
import io.berth.engine.rule.RuleCatalog;
import io.berth.placement.check.CheckOutlines;
import io.berth.placement.check.Situation;
import io.berth.placement.document.PlacementTest;
import io.berth.placement.virtual.UnrestException;
import io.berth.placement.virtual.VirtualCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One test on a cluster of its own: what is given, then steps, each until the cluster is at rest,
/// then checks.
///
/// A check that does not hold ends nothing: all are judged. A step that cannot be taken ends the
/// test.
public final class TestRun {

  private final PlacementTest test;
  private final TestSources sources;
  private final PlanStepReader steps;
  private final List<TestFailure> failures = new ArrayList<>();

  private TestRun(PlacementTest test, TestSources sources) {
    this.test = test;
    this.sources = sources;
    this.steps = new PlanStepReader(test.folder(), "default", fleet -> NodeFleet.of(fleet).nodes());
  }

  public static TestResult of(PlacementTest test, TestSources sources) {
    var run = new TestRun(test, sources);
    run.run();
    return new TestResult(test.name(), test.file().toString(), test.line(), run.failures);
  }

  private void run() {
    var configuration = configuration();
    var saved = new ArrayList<Tree>();
    if (configuration == null || !attempt("given", () -> saved.addAll(saved()))) {
      return;
    }
    var options = SavedObjects.since(VirtualCluster.Options.DEFAULT.with(configuration), saved);
    try (var cluster = VirtualCluster.start(options)) {
      var situations = new Situations(cluster, options);
      if (begin(cluster, saved)) {
        play(cluster, situations, situations.situation(null));
      }
    }
  }

  private boolean begin(VirtualCluster cluster, List<Tree> saved) {
    if (!saved.isEmpty() && !attempt("given", () -> SavedObjects.put(saved, cluster), "given")) {
      return false;
    }
    var given = test.given();
    for (int i = 0; i < given.size(); i++) {
      if (isStep(given.get(i)) && !take(cluster, given.get(i), "given", i)) {
        return false;
      }
    }
    return true;
  }

  private void play(VirtualCluster cluster, Situations situations, Situation before) {
    var when = test.when();
    for (int i = 0; i < when.size(); i++) {
      var step = when.get(i);
      if (step.has("then")) {
        judge(situations.situation(before), step.trees("then"), "when", i, "then");
      } else if (!take(cluster, step, "when", i)) {
        return;
      }
    }
    judge(situations.situation(before), test.then(), "then");
  }

  private static boolean isStep(Tree given) {
    return !given.has("snapshot") && !given.has("schedulerConfig");
  }

  private boolean take(VirtualCluster cluster, Tree step, Object... at) {
    return attempt(
        step.names().iterator().next(), () -> new StepTaker(cluster).take(steps.read(step)), at);
  }

  private void judge(Situation situation, List<Tree> checks, Object... at) {
    for (int i = 0; i < checks.size(); i++) {
      var finding = CheckOutlines.read(checks.get(i)).judge(situation);
      if (finding.isFailure()) {
        var path = new ArrayList<>(List.of(at));
        path.add(i);
        failures.add(
            new TestFailure(
                test.line(path.toArray()),
                Mistake.text(path) + "." + checks.get(i).names().iterator().next(),
                finding.message(),
                finding.why()));
      }
    }
  }

  /// Whether it went well; if not, the failure is noted.
  private boolean attempt(String what, Runnable work, Object... at) {
    try {
      work.run();
      return true;
    } catch (PlanStepException
        | ManifestException
        | ApiException
        | UnrestException
        | SyntaxException
        | IllegalArgumentException e) {
      var path = List.of(at);
      failures.add(
          new TestFailure(
              test.line(at),
              path.isEmpty() ? what : Mistake.text(path) + "." + what,
              String.valueOf(e.getMessage()),
              List.of()));
      return false;
    }
  }

  private List<Tree> saved() {
    var saved = new ArrayList<Tree>();
    for (var given : test.given()) {
      if (given.has("snapshot")) {
        var file = test.folder().resolve(given.textOrEmpty("snapshot"));
        sources.snapshots().apply(file).forEach(manifest -> saved.add(manifest.tree()));
      }
    }
    return saved;
  }

  /// `null` when it cannot be read.
  private @Nullable SchedulerConfiguration configuration() {
    var found = new SchedulerConfiguration[] {SchedulerConfiguration.DEFAULT};
    var given = test.given();
    for (int i = 0; i < given.size(); i++) {
      if (given.get(i).has("schedulerConfig")) {
        var file = test.folder().resolve(given.get(i).textOrEmpty("schedulerConfig"));
        if (!attempt("schedulerConfig", () -> found[0] = read(file), "given", i)) {
          return null;
        }
      }
    }
    return found[0];
  }

  private static SchedulerConfiguration read(Path file) {
    try {
      var configuration = SchedulerConfigurationReader.read(Yaml.read(Files.readString(file)));
      Profiles.check(configuration, RuleCatalog.NONE);
      return configuration;
    } catch (IOException e) {
      throw new IllegalArgumentException("%s: cannot be read".formatted(file), e);
    }
  }
}
