package io.berth.app;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.engine.Preemption.Candidate;
import io.berth.scheduler.Extender;
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
        .matches("\\d+ decisions, 0 differ, 0 ties fell otherwise\n")
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

  @Test
  void gangsEvictionsAndExtendersAreDecidedAgain() throws Exception {
    try (var server = new WiredServer();
        var log = new PodLog(server.admin(), "4");
        var journal = new FileJournal(folder, HEAD, 1 << 30)) {
      for (var node : List.of("a", "b", "c")) {
        server.node(node, "4", Map.of("zone", node));
      }
      var options = options().withJournal(journal).withExtenders(List.of(new Partial("b")));
      try (var scheduler = new Scheduler(server.admin(), options, InstantSource.system())) {
        scheduler.start();
        for (int i = 0; i < 6; i++) {
          server.pod("gang-" + i, "1", Map.of(Pod.GROUP_LABEL, "gang"), new Tree());
        }
        log.await("the gang", pods -> bound(pods) == 6);
        server.pod(
            "gang-x", "1", Map.of(Pod.GROUP_LABEL, "extended", "extended", "yes"), new Tree());
        server.pod("plain", "1");
        server.pod("extended", "1", Map.of("extended", "yes"), new Tree());
        log.await("the others", pods -> bound(pods) == 9);
        server.pod(
            "urgent", "4", Map.of(), Tree.of("priorityClassName", "system-cluster-critical"));
        log.await("a promise", pods -> !promised(pods, "urgent").isEmpty());
      }
    }

    var lines = Files.readAllLines(folder.resolve("journal-000001.jsonl")).stream();
    assertThat(lines.filter(line -> line.contains("\"decided\"")).collect(joining("\n")))
        .contains("{\"group\":[{\"decided\":\"default/gang-")
        .contains("\"extended\":{\"objections\":{\"b\":")
        .containsPattern(
            "\\{\"group\":\\[\\{\"decided\":\"default/gang-x\".*\"objections\":\\{\"b\"")
        .contains("\"preempts\":{\"node\":")
        .containsPattern("\"best\":\\{\"[abc]\":\\d+");
    assertThat(replay("journal-000001.jsonl"))
        .matches("\\d+ decisions, 0 differ, 0 ties fell otherwise\n");
  }

  private static String promised(Map<String, Tree> pods, String name) {
    return pods.getOrDefault(name, new Tree()).textOrEmpty("status", "nominatedNodeName");
  }

  private static SchedulerOptions options() {
    return SchedulerOptions.of(SchedulerConfiguration.DEFAULT.withSchedulerName("berth"), 1);
  }

  private void schedule(long maxFileBytes) throws Exception {
    try (var server = new WiredServer();
        var log = new PodLog(server.admin(), "4");
        var journal = new FileJournal(folder, HEAD, maxFileBytes)) {
      for (var node : List.of("a", "b", "c")) {
        server.node(node, "4", Map.of("zone", node));
      }
      var options = options().withJournal(journal);
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

  /// Wants to be asked about some pods, keeps them off a node, and likes the last of the others.
  private record Partial(String avoided) implements Extender {

    @Override
    public String name() {
      return "partial";
    }

    @Override
    public boolean ignorable() {
      return false;
    }

    @Override
    public boolean isInterestedIn(Pod pod) {
      return pod.labels().containsKey("extended");
    }

    @Override
    public boolean has(Verb verb) {
      return verb == Verb.FILTER || verb == Verb.PRIORITIZE;
    }

    @Override
    public long weight() {
      return 5;
    }

    @Override
    public Filtered filter(Pod pod, List<String> nodes) {
      var kept = nodes.stream().filter(node -> !node.equals(avoided)).toList();
      return new Filtered(kept, Map.of(avoided, "no licence"), Map.of());
    }

    @Override
    public Map<String, Long> prioritize(Pod pod, List<String> nodes) {
      return Map.of(nodes.getLast(), 10L);
    }

    @Override
    public void bind(Pod pod, String node) {
      throw new AssertionError("not one of its verbs");
    }

    @Override
    public Map<String, Candidate> preempt(Pod pod, Map<String, Candidate> candidates) {
      throw new AssertionError("not one of its verbs");
    }
  }
}
