package io.berth.console.view;

import io.berth.answers.explain.PodExplanation;
import io.berth.answers.explain.ScoreSheet;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How nodes were scored for a pod, as columns: rule × node, best node first.
public final class ScoresView {

  private ScoresView() {}

  public static Tree of(PodExplanation answer) {
    var sheets = answer.scores();
    var rules = sheets.isEmpty() ? List.<ScoreSheet.RuleScore>of() : sheets.getFirst().rules();
    var tree = Tree.of("pod", answer.pod(), "verdict", answer.verdict().toString());
    tree.put("node", answer.node()).put("message", answer.message());
    tree.put("nodes", sheets.stream().map(ScoreSheet::node).toList());
    tree.put("total", sheets.stream().map(ScoreSheet::total).toList());
    var columns = new ArrayList<Tree>();
    for (int i = 0; i < rules.size(); i++) {
      columns.add(column(sheets, i));
    }
    return tree.put("rules", columns);
  }

  private static Tree column(List<ScoreSheet> sheets, int rule) {
    var raw = new ArrayList<@Nullable Object>();
    var normalised = new ArrayList<@Nullable Object>();
    for (var sheet : sheets) {
      raw.add(sheet.rules().get(rule).raw());
      normalised.add(sheet.rules().get(rule).normalised());
    }
    var first = sheets.getFirst().rules().get(rule);
    return Tree.of("rule", first.rule(), "weight", first.weight())
        .put("raw", raw)
        .put("normalised", normalised);
  }

  /// One node's sheet, with what its scores are made of.
  public static Tree of(PodExplanation answer, String node) {
    return answer.on(node).toTree();
  }
}
