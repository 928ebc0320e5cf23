package io.berth.cli;

import io.berth.conformance.JournalReplay.Told;
import io.berth.engine.Examination;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Prints decisions of a journal under the numbers that `--at` takes, with the scores of the nodes
/// that came out best.
final class DecisionLines implements Consumer<Told> {

  private static final int MAX_NODES = 3;

  private final Terminal terminal;
  private int number;

  /// `before` is how many decisions earlier files hold.
  DecisionLines(int before, Terminal terminal) {
    this.number = before;
    this.terminal = terminal;
  }

  @Override
  public void accept(Told told) {
    number++;
    terminal.line("%d %s: %s".formatted(number, told.pod(), told.decision()));
    var examined = told.examined();
    IntStream.range(0, examined.total().length)
        .boxed()
        .sorted(Comparator.comparingLong((Integer i) -> examined.total()[i]).reversed())
        .limit(MAX_NODES)
        .forEach(i -> terminal.line("  " + scores(examined, i)));
  }

  private static String scores(Examination examined, int node) {
    var parts = new ArrayList<String>();
    examined
        .scores()
        .forEach((rule, column) ->
            parts.add("%s %d".formatted(rule, column.norm()[node] * column.weight())));
    return "%s %d = %s"
        .formatted(
            examined.feasible().get(node), examined.total()[node], String.join(" + ", parts));
  }
}
