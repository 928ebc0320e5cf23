package io.berth.conformance.random;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.conformance.Case;
import io.berth.conformance.Difference;
import io.berth.conformance.EngineRespondent;
import io.berth.conformance.Replay;
import io.berth.conformance.Respondent;
import io.berth.conformance.oracle.Oracle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Asks the real kube-scheduler and Berth about random cases, and shrinks what differs.
///
/// Run by `conformance/against-kube-scheduler`.
public final class AgainstKubeScheduler {

  private static final int BATCH = 500;
  private static final int SHOWN = 5;

  private final KubeScheduler real;
  private final Respondent respondent;

  private AgainstKubeScheduler(KubeScheduler real, Respondent respondent) {
    this.real = real;
    this.respondent = respondent;
  }

  /// Arguments: the command, the number of decisions, the first seed, and who is to be compared.
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var respondent = arguments[3].equals("oracle") ? new Oracle() : new EngineRespondent();
    int differing =
        new AgainstKubeScheduler(new KubeScheduler(arguments[0]), respondent)
            .run(Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
    System.exit(differing == 0 ? 0 : 1);
  }

  private int run(int decisions, long firstSeed) throws IOException, InterruptedException {
    var making = new RandomCases(new Oracle(), true);
    int compared = 0;
    int differing = 0;
    int leftOut = 0;
    int shown = 0;
    for (long seed = firstSeed; compared < decisions; seed += BATCH) {
      var asked = new ArrayList<Case>();
      for (long each = seed; each < seed + BATCH; each++) {
        asked.add(withoutAnswers(making.of(each)));
      }
      var answered = real.answer(asked);
      leftOut += asked.size() - answered.size();
      for (var each : asked) {
        var truth = answered.get(each.id());
        if (truth == null) {
          continue;
        }
        var outcome = new Replay(respondent).run(truth);
        compared += outcome.decisions();
        differing += outcome.differing();
        if (outcome.differing() > 0 && shown++ < SHOWN) {
          show(each, outcome.differences());
        }
      }
    }
    System.out.printf(
        "%d decisions, %d differ; seeds from %d, %d cases left to chance by kube-scheduler%n",
        compared, differing, firstSeed, leftOut);
    return differing;
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
      Map<String, Case> answered = real.answer(List.of(asked));
      var found = answered.get(asked.id());
      if (found == null) {
        throw new IllegalArgumentException("kube-scheduler cannot answer this case");
      }
      return found;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Without the oracle's answers, but with its placements.
  private static Case withoutAnswers(Case made) {
    var tree = made.tree().copy();
    for (Tree step : tree.trees("steps")) {
      step.remove("expect");
    }
    return Case.of(tree);
  }
}
