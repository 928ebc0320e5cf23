package io.berth.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.conformance.oracle.Oracle;
import io.berth.conformance.random.RandomCases;
import io.berth.conformance.random.Shrinker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Asks the real kube-scheduler and Berth about random cases, and shrinks what differs.
///
/// Run by `conformance/against-kube-scheduler`, which names the program that drives the real one.
@EnabledIfSystemProperty(named = "berth.oracle", matches = ".+")
class AgainstKubeSchedulerTest {

  private static final int BATCH = 500;
  private static final int SHOWN = 5;
  private static final int AGAIN = 12;

  private final KubeScheduler real = new KubeScheduler(System.getProperty("berth.oracle", ""));
  private final String check = System.getProperty("berth.check", "engine");
  private final Respondent respondent =
      check.equals("oracle") ? new Oracle() : new EngineRespondent();
  private final OutputStream recording = recording();

  @Test
  void decidesAsKubeSchedulerDoes() throws Exception {
    int decisions = Integer.getInteger("berth.decisions", 100_000);
    long firstSeed = Long.getLong("berth.seed", 1);
    var making =
        switch (check) {
          case "volumes" -> RandomCases.withVolumes(new EngineRespondent());
          case "rare" -> RandomCases.rare(new EngineRespondent());
          default -> new RandomCases(new Oracle(), true);
        };
    int compared = 0;
    int differing = 0;
    int leftOut = 0;
    int shown = 0;
    long seed = firstSeed;
    for (; compared < decisions; seed += BATCH) {
      var asked = new ArrayList<Case>();
      for (long each = seed; each < seed + BATCH; each++) {
        asked.add(withoutAnswers(making.of(each)));
      }
      var answers = real.answer(asked);
      leftOut += asked.size() - answers.cases().size();
      System.out.print(answers.complaints());
      for (var each : asked) {
        var truth = answers.cases().get(each.id());
        if (truth == null) {
          continue;
        }
        CaseFile.write(truth, recording);
        var outcome = new Replay(respondent).run(truth);
        if (outcome.differing() > 0 && isLeftToChance(each, truth)) {
          leftOut++;
          continue;
        }
        compared += outcome.decisions();
        differing += outcome.differing();
        if (outcome.differing() > 0 && shown++ < SHOWN) {
          show(each, outcome.differences());
        }
      }
    }
    recording.close();
    System.out.printf(
        "%d decisions, %d differ; seeds %d to %d, %d cases left to chance by kube-scheduler%n",
        compared, differing, firstSeed, seed - 1, leftOut);
    assertThat(differing).isZero();
  }

  /// Whether the real one answers the same question differently when asked again, as where two
  /// volumes name one claim and the order of a Go map decides.
  private boolean isLeftToChance(Case asked, Case truth) {
    for (int i = 0; i < AGAIN; i++) {
      if (!answer(asked).tree().equals(truth.tree())) {
        return true;
      }
    }
    return false;
  }

  private void show(Case asked, List<Difference> differences) {
    differences.stream().limit(3).forEach(each -> System.out.println(each.line()));
    var shrunk = new Shrinker(this::differs).shrink(asked);
    System.out.println(Json.text(answer(shrunk).tree()));
  }

  private boolean differs(Case asked) {
    return new Replay(respondent).run(answer(asked)).differing() > 0;
  }

  private Case answer(Case asked) {
    try {
      var found = real.answer(List.of(asked)).cases().get(asked.id());
      if (found == null) {
        throw new IllegalArgumentException("kube-scheduler cannot answer this case");
      }
      return found;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Without the answers it was made with, but with its placements.
  private static Case withoutAnswers(Case made) {
    var tree = made.tree().copy();
    for (Tree step : tree.trees("steps")) {
      step.remove("expect");
    }
    return Case.of(tree);
  }

  private static OutputStream recording() {
    var file = System.getProperty("berth.record", "");
    try {
      return file.isEmpty()
          ? OutputStream.nullOutputStream()
          : Files.newOutputStream(Path.of(file));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
