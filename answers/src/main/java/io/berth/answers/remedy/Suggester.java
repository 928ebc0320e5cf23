package io.berth.answers.remedy;

import io.berth.answers.remedy.Suggestion.Target;
import io.berth.engine.Engine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.function.UnaryOperator;

/// Finds what gets a pod placed: tries every remedy there is, then pairs of them.
public final class Suggester {

  private static final int MAX_PER_TARGET = 5;

  /// Nodes that are looked at for single steps, and again for pairs: all there is to try in a small
  /// cluster, and what comes first in a large one.
  private static final int MAX_WORK = 300_000;

  private static final int MIN_TRIALS = 60;

  private final Question question;
  private final Trial trial;
  private final Commands commands;
  private final int maxTrials;
  private final List<Found> found = new ArrayList<>();

  private record Found(Suggestion suggestion, int loss) {}

  private Suggester(Question question, Engine engine) {
    this.question = question;
    this.trial = new Trial(question, engine);
    this.commands = new Commands(question);
    this.maxTrials = Math.max(MIN_TRIALS, MAX_WORK / Math.max(1, question.nodes().size()));
  }

  /// What helps, smallest first, at most five for each target; pairs only where nothing alone does.
  ///
  /// The engine knows the cluster of the question, and is left as it was.
  public static List<Suggestion> find(Question question, Engine engine) {
    return new Suggester(question, engine).find();
  }

  private List<Suggestion> find() {
    var families = new ArrayList<Family>();
    for (var finder : Remedies.ALL) {
      finder.apply(question).stream().filter(each -> each.size() > 0).forEach(families::add);
    }
    for (var family : families) {
      if (trial.count() < maxTrials) {
        gentlest(family, remedy -> remedy);
      }
    }
    if (found.isEmpty()) {
      pairs(families);
    }
    return fewOfEach();
  }

  /// Takes the first member that helps, as `use` uses it: where the last does not, none does.
  private void gentlest(Family family, UnaryOperator<Remedy> use) {
    int at = find(family, use);
    if (at >= 0) {
      var remedy = use.apply(family.member(at));
      trial.attempt(remedy).ifPresent(landing -> add(remedy, landing));
    }
  }

  private int find(Family family, UnaryOperator<Remedy> use) {
    int low = 0;
    int high = family.size() - 1;
    if (trial.attempt(use.apply(family.member(high))).isEmpty()) {
      return -1;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (trial.attempt(use.apply(family.member(middle))).isPresent()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return high;
  }

  private void add(Remedy remedy, Trial.Landing landing) {
    var suggestion =
        new Suggestion(
            remedy.target(),
            remedy.what(),
            remedy.size(),
            commands.object(remedy),
            commands.patch(remedy),
            commands.command(remedy),
            landing.node(),
            landing.evicts());
    found.add(new Found(suggestion, remedy.loss()));
  }

  private void pairs(List<Family> families) {
    int start = trial.count();
    for (int i = 0; i < families.size(); i++) {
      var first = families.get(i);
      for (int j = i + 1; j < families.size() && trial.count() - start < maxTrials; j++) {
        var second = families.get(j);
        if (areCompatible(first.last(), second.last())) {
          int gentlest = find(first, remedy -> new Remedy.Both(remedy, second.last()));
          if (gentlest >= 0) {
            var chosen = first.member(gentlest);
            gentlest(second, remedy -> new Remedy.Both(chosen, remedy));
          }
        }
      }
    }
  }

  private static boolean areCompatible(Remedy first, Remedy second) {
    return switch (first) {
      case Remedy.OfPod _ -> second instanceof Remedy.OfPod;
      case Remedy.OfNode one ->
          second instanceof Remedy.OfNode other && one.node().equals(other.node());
      case Remedy.AddNode _, Remedy.Evict _, Remedy.Both _ -> false;
    };
  }

  private List<Suggestion> fewOfEach() {
    found.sort(
        Comparator.<Found>comparingInt(each -> each.suggestion().size())
            .thenComparingInt(Found::loss));
    var counts = new EnumMap<Target, Integer>(Target.class);
    return found.stream()
        .map(Found::suggestion)
        .filter(each -> counts.merge(each.target(), 1, Integer::sum) <= MAX_PER_TARGET)
        .toList();
  }
}
