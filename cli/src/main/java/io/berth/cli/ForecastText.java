package io.berth.cli;

import io.berth.answers.explain.ExplanationText;
import io.berth.answers.explain.PodExplanation;
import io.berth.answers.plan.Forecast;
import io.berth.answers.plan.Forecast.Change;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Prints what a plan would lead to.
final class ForecastText {

  private static final int MOST_ROWS = 50;

  private final Forecast forecast;
  private final Terminal terminal;
  private final boolean markdown;

  ForecastText(Forecast forecast, Terminal terminal) {
    this.forecast = forecast;
    this.terminal = terminal;
    this.markdown = terminal.format() == Terminal.Format.MARKDOWN;
  }

  void print() {
    if (terminal.document(forecast.toTree())) {
      return;
    }
    headline();
    moves();
    forecast.pending().forEach(this::pending);
    list("Gone, nobody makes them anew:", forecast.gone());
    list("Kept by a disruption budget:", forecast.kept());
    list("Pending before, and still:", forecast.stillPending());
    changes("BUDGET", "ALLOWS", forecast.budgets());
    changes("OWNER", "SKEW BY ZONE", forecast.skew());
    changes("RESOURCE", "FREE", forecast.headroom());
  }

  void printBeside(Forecast other) {
    var differences = forecast.differences(other);
    var document =
        Tree.of("apiVersion", PodExplanation.API_VERSION, "kind", "PlanComparison")
            .put("plan", forecast.toTree())
            .put("compared", other.toTree())
            .put(
                "differences",
                differences.stream()
                    .map(each ->
                        Tree.of(
                            "pod", each.what(), "node", each.before(), "compared", each.after()))
                    .toList());
    if (terminal.document(document)) {
      return;
    }
    print();
    line("With the other configuration %d pods are elsewhere.".formatted(differences.size()));
    if (!differences.isEmpty()) {
      var rows = new ArrayList<List<String>>();
      differences.forEach(
          each -> rows.add(List.of(each.what(), orNone(each.before()), orNone(each.after()))));
      table(List.of("POD", "NODE", "OTHER"), rows);
    }
  }

  private void headline() {
    var text =
        "%d moves, %d newly pending, %d gone."
            .formatted(forecast.moves().size(), forecast.pending().size(), forecast.gone().size());
    if (markdown) {
      terminal.line("## " + text);
    } else {
      terminal.line(forecast.isGood() ? terminal.good(text) : terminal.bad(text));
    }
  }

  private void moves() {
    var rows = new ArrayList<List<String>>();
    for (var move : forecast.moves()) {
      rows.add(List.of(move.pod(), move.owner(), orNone(move.from()), move.to()));
    }
    table(List.of("POD", "OWNER", "FROM", "TO"), rows);
  }

  private void pending(PodExplanation pod) {
    var text = new ExplanationText(pod);
    if (markdown) {
      terminal.out().print("\n#" + text.markdown());
      return;
    }
    terminal.line(text.headline());
    if (!pod.causes().isEmpty()) {
      terminal.table(List.of("NODES", "FIRST", "RULE", "WHY"), text.rows());
    }
  }

  private void list(String title, List<String> names) {
    if (!names.isEmpty()) {
      line(title + " " + String.join(", ", names.stream().limit(MOST_ROWS).toList()));
    }
  }

  /// Only what is not as it was.
  private void changes(String what, String counted, List<Change> changes) {
    var rows = new ArrayList<List<String>>();
    for (var change : changes) {
      if (!change.isNone()) {
        rows.add(
            List.of(
                change.what(),
                "%s → %s".formatted(orNone(change.before()), orNone(change.after()))));
      }
    }
    table(List.of(what, counted), rows);
  }

  private void table(List<String> header, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return;
    }
    var shown = rows.subList(0, Math.min(MOST_ROWS, rows.size()));
    if (markdown) {
      terminal.markdown(header, shown);
    } else {
      terminal.table(header, shown);
    }
    if (rows.size() > shown.size()) {
      line("… and %d more; -o json shows all.".formatted(rows.size() - shown.size()));
    }
  }

  private void line(String text) {
    terminal.line(markdown ? "\n" + text : text);
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
