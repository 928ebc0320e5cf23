package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.scheduler.Scheduler;
import io.berth.scheduler.SchedulerOptions;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A scheduler at work, and its journal decided again by `berth replay`.
class FileJournalTest {

  private static final Tree HEAD =
      Tree.of("journal", 1L, "seed", 1L, "schedulerName", "berth").freeze();

  @TempDir Path folder;

  @Test
  void everyDecisionIsMadeAgainFromTheJournalAlone() throws Exception {
    schedule(1 << 30);

    assertThat(files()).containsExactly("journal-000001.jsonl");
    // The first file knows how ties fell before: none falls otherwise.
    assertThat(replay("journal-000001.jsonl"))
        .matches("\\d+ decisions, 0 differ, 0 ties fell otherwise, 0 with extenders left out\n")
        .doesNotStartWith("0 ");
  }

  @Test
  void everyFileOfManyCanBeReplayedByItself() throws Exception {
    schedule(20_000);

    assertThat(files()).hasSizeBetween(2, FileJournal.MAX_FILES);
    for (var file : files()) {
      assertThat(replay(file)).contains(" decisions, 0 differ, ");
    }
  }

  @Test
  void anotherAnswerIsADifference() throws Exception {
    schedule(1 << 30);
    var file = folder.resolve("journal-000001.jsonl");
    var lines = Files.readAllLines(file);
    lines.replaceAll(line -> line.replace("\"feasible\":3", "\"feasible\":2"));
    Files.write(file, lines);

    assertThat(replay("journal-000001.jsonl")).contains("recorded node ").contains(" of 2, now ");
  }

  private void schedule(long maxFileBytes) throws Exception {
    try (var server = new WiredServer();
        var log = new PodLog(server.admin(), "4");
        var journal = new FileJournal(folder, HEAD, maxFileBytes)) {
      for (var node : List.of("a", "b", "c")) {
        server.node(node, "4", Map.of("zone", node));
      }
      var options =
          SchedulerOptions.of(SchedulerConfiguration.DEFAULT.withSchedulerName("berth"), 1)
              .withJournal(journal);
      try (var scheduler = new Scheduler(server.admin(), options, InstantSource.system())) {
        scheduler.start();
        for (int i = 0; i < 30; i++) {
          server.pod("p" + i, i % 5 == 4 ? "8" : "100m");
        }
        log.await("all that fit", pods -> bound(pods) == 24);
      }
    }
  }

  private static long bound(Map<String, Tree> pods) {
    return pods.keySet().stream().filter(name -> PodLog.isBound(pods, name)).count();
  }

  private List<String> files() throws Exception {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private String replay(String file) {
    var out = new ByteArrayOutputStream();
    var print = new java.io.PrintStream(out, true, StandardCharsets.UTF_8);
    Main.cli().run(List.of("replay", folder.resolve(file).toString()), print, print);
    return out.toString(StandardCharsets.UTF_8);
  }
}
