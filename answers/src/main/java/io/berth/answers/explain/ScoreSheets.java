package io.berth.answers.explain;

import io.berth.answers.explain.ScoreSheet.RuleScore;
import io.berth.engine.Examination;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The arithmetic behind a placement, node by node, best first.
final class ScoreSheets {

  private ScoreSheets() {}

  static List<ScoreSheet> of(Examination examination) {
    var sheets = new ArrayList<ScoreSheet>();
    for (int i = 0; i < examination.total().length; i++) {
      int at = i;
      var rules = new ArrayList<RuleScore>();
      examination
          .scores()
          .forEach((rule, column) ->
              rules.add(
                  new RuleScore(
                      rule,
                      column.raw()[at],
                      column.norm()[at],
                      column.weight(),
                      column.summands().isEmpty() ? List.of() : column.summands().get(at))));
      sheets.add(new ScoreSheet(examination.feasible().get(i), examination.total()[i], rules));
    }
    sheets.sort(Comparator.comparingLong(ScoreSheet::total).reversed());
    return sheets;
  }
}
