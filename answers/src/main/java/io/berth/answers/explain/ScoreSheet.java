package io.berth.answers.explain;

import io.berth.api.Tree;
import io.berth.engine.Summand;
import java.util.List;

/// A node that takes the pod, its score, and how that came about.
public record ScoreSheet(String node, long total, List<RuleScore> rules) {

  public ScoreSheet {
    rules = List.copyOf(rules);
  }

  /// What one rule gave the node: as computed, normalised to 0..100, and times its weight.
  public record RuleScore(
      String rule, long raw, long normalised, long weight, List<Summand> summands) {

    public RuleScore {
      summands = List.copyOf(summands);
    }

    public long weighted() {
      return normalised * weight;
    }

    Tree toTree() {
      var tree = Tree.of("rule", rule, "raw", raw, "normalised", normalised, "weight", weight);
      tree.put("weighted", weighted());
      return summands.isEmpty()
          ? tree
          : tree.put("summands", summands.stream().map(RuleScore::part).toList());
    }

    private static Tree part(Summand summand) {
      return Tree.of("what", summand.what(), "value", summand.value());
    }
  }

  Tree toTree() {
    return Tree.of("node", node, "total", total)
        .put("rules", rules.stream().map(RuleScore::toTree).toList());
  }
}
