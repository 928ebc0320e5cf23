package io.berth.app;

import io.berth.scheduler.Comparison;
import io.berth.scheduler.Comparison.Verdict;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/// Prints where another scheduler and ours differ, and at the end how often.
final class ShadowReport implements Consumer<Comparison> {

  private final PrintStream out;
  private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);

  ShadowReport(PrintStream out) {
    this.out = out;
    for (var verdict : Verdict.values()) {
      counts.put(verdict, 0);
    }
  }

  @Override
  public synchronized void accept(Comparison comparison) {
    counts.merge(comparison.verdict(), 1, Integer::sum);
    if (comparison.verdict() != Verdict.SAME) {
      out.println(
          "pod/%s/%s: %s: %s, here %s: %s"
              .formatted(
                  comparison.pod().namespace(),
                  comparison.pod().name(),
                  words(comparison.verdict()),
                  comparison.theirs(),
                  comparison.ours().isEmpty() ? "no node" : comparison.ours(),
                  comparison.detail()));
    }
  }

  synchronized void summarize() {
    int all = counts.values().stream().mapToInt(Integer::intValue).sum();
    var line = new StringBuilder("%d binds".formatted(all));
    counts.forEach((verdict, count) -> line.append(", %d %s".formatted(count, words(verdict))));
    out.println(line);
    out.flush();
  }

  private static String words(Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
