package io.berth.bench;

import io.berth.cluster.kubernetes.Access;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// `berth up --api-only` under load, and the same load on another API server beside it.
///
/// Prints one line a measurement: Berth's figure, the other server's, how many times better Berth
/// is, and the processor time of the servers where it was told which processes they are.
public final class ApiBenchmark {

  private ApiBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    int pods = Integer.parseInt(option(arguments, "--pods", "10000"));
    int events = Integer.parseInt(option(arguments, "--events", "5000"));
    int writes = Integer.parseInt(option(arguments, "--writes", "2000"));
    var command = Path.of(option(arguments, "--berth", "berth"));
    var other = option(arguments, "--beside", "");
    var processes = List.of(option(arguments, "--beside-processes", "").split(",", -1));

    var parent = Path.of(option(arguments, "--folder", "."));
    var folder = Files.createTempDirectory(parent, "bench-api");
    try (var berth = BerthProcess.start(command, folder)) {
      Thread.sleep(5_000);
      System.out.printf(Locale.ROOT, "ready after %,d ms%n", berth.readyMillis());
      System.out.printf(Locale.ROOT, "at rest %.0f MiB resident%n", berth.residentMebibytes());
      var own =
          new ApiLoad(berth.access(), () -> cpuMillis(List.of(String.valueOf(berth.pid()))))
              .run(pods, events, writes);
      System.out.printf(Locale.ROOT, "after the load %.0f MiB%n", berth.residentMebibytes());
      Map<String, ApiLoad.Figure> beside =
          other.isEmpty()
              ? Map.of()
              : new ApiLoad(Access.kubeconfig(Path.of(other), ""), () -> cpuMillis(processes))
                  .run(pods, events, writes);
      print(own, beside);
    } finally {
      delete(folder);
    }
    for (boolean durable : new boolean[] {true, false}) {
      System.out.printf(
          Locale.ROOT,
          "creates in process, %s: %,.0f/s%n",
          durable ? "on disk" : "in memory",
          InProcessCreates.measure(parent, durable, 3 * pods));
    }
  }

  private static String option(String[] arguments, String name, String otherwise) {
    int at = Arrays.asList(arguments).indexOf(name);
    return at < 0 ? otherwise : arguments[at + 1];
  }

  private static void print(Map<String, ApiLoad.Figure> own, Map<String, ApiLoad.Figure> beside) {
    System.out.printf("%-36s %12s %12s %8s %14s%n", "", "Berth", "other", "factor", "CPU ms each");
    own.forEach((name, figure) -> {
      var theirs = beside.get(name);
      var factor = theirs == null ? Double.NaN : factor(name, figure.value(), theirs.value());
      System.out.printf(
          Locale.ROOT,
          "%-36s %,12.1f %,12.1f %8.1f %7.3f/%.3f%n",
          name,
          figure.value(),
          theirs == null ? Double.NaN : theirs.value(),
          factor,
          figure.cpuMillis(),
          theirs == null ? Double.NaN : theirs.cpuMillis());
    });
    System.out.printf(
        Locale.ROOT,
        "p99 of a write in company is %.1f times that of one alone (other: %.1f)%n",
        slowdown(own),
        slowdown(beside));
  }

  // More a second is better, fewer milliseconds are.
  private static double factor(String name, double own, double theirs) {
    return name.endsWith(" ms") ? theirs / own : own / theirs;
  }

  private static double slowdown(Map<String, ApiLoad.Figure> figures) {
    var alone = figures.get("write alone, p99 ms");
    var company = figures.get("write in company, p99 ms");
    return alone == null || company == null ? Double.NaN : company.value() / alone.value();
  }

  /// User and system time of processes, in hundredths of a second as Linux counts.
  private static long cpuMillis(List<String> processes) {
    long ticks = 0;
    for (var process : processes) {
      if (!process.isEmpty()) {
        try {
          var stat = Files.readString(Path.of("/proc", process, "stat"));
          var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
          ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return 10 * ticks;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
