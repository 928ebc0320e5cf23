package io.berth.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every recorded request gets the answer that Kubernetes gave.
///
/// `known.txt` lists the scenarios that differ, each with its reason. A scenario that is not listed
/// must match whole. The differences of a run are in `target/replay`.
class RecordedAnswersTest {

  private static final int AT_ONCE = 4;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "admission",
        "admission-extra",
        "apply",
        "corners",
        "crds",
        "defaulting",
        "differential",
        "ecosystem",
        "kubelets",
        "patches",
        "reads",
        "subresources",
        "validation"
      })
  void answersAsKubernetes(String theme) throws Exception {
    var results = replay(theme);
    report(theme, results);
    var differing =
        results.stream()
            .filter(result -> !result.differences().isEmpty())
            .map(Replayer.Result::id)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(known(theme)).containsAll(differing);
  }

  private static List<Replayer.Result> replay(String theme) throws Exception {
    var work = new ArrayList<Callable<Replayer.Result>>();
    for (var scenario : Scenario.read(theme)) {
      work.add(() -> Replayer.run(scenario));
    }
    var results = new ArrayList<Replayer.Result>();
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (var result : threads.invokeAll(work)) {
        results.add(result.get());
      }
    }
    return results;
  }

  private static void report(String theme, List<Replayer.Result> results) throws IOException {
    int matching = results.stream().mapToInt(Replayer.Result::matching).sum();
    int steps = results.stream().mapToInt(Replayer.Result::steps).sum();
    var lines = new ArrayList<String>();
    results.forEach(result -> lines.addAll(result.differences()));
    lines.add("%d of %d steps match".formatted(matching, steps));
    var folder = Files.createDirectories(Path.of("target", "replay"));
    Files.write(folder.resolve(theme + ".txt"), lines);
  }

  /// The ids of a theme in `known.txt`; what follows an id is the reason.
  private static Set<String> known(String theme) throws IOException {
    try (var in = RecordedAnswersTest.class.getResourceAsStream("known.txt");
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> line.startsWith(theme + "/"))
          .map(line -> line.split(" ", 2)[0])
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
