package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Requests and what they are answered, one per line: `submissions.txt` and `lists.txt`.
class GoldenTest {

  private final Api api;
  private final String project;

  GoldenTest() throws InterruptedException {
    this.api = new Api();
    api.node("a-0", Map.of("pool", "a"));
    api.node("b-0", Map.of("pool", "b", "run.ai/type", "dgx"));
    api.pool("pool-b", "pool", "b");
    api.pool("pool-a", "pool", "a");
    this.project = api.project("team", "pool-b", "pool-a");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  // ---- submissions, tried and not stored -------------------------------------------------------

  @TestFactory
  Stream<DynamicTest> submissions() throws IOException {
    return lines("submissions.txt").stream()
        .map(line -> {
          var parts = line.split(" \\| ", 3);
          return DynamicTest.dynamicTest(
              parts[0] + " " + parts[1],
              () -> assertThat(submission(parts[0], parts[1])).isEqualTo(parts[2]));
        });
  }

  private String submission(String type, String spec) {
    var reply =
        api.post(
            "/api/v1/workloads/%s?dryRun=all".formatted(type),
            Tree.of(
                "name",
                "w",
                "projectId",
                project,
                "clusterId",
                api.clusterId(),
                "spec",
                Yaml.read(spec)));
    if (reply.code() == 202) {
      var warning = reply.answer().headers().get("Warning");
      return warning == null ? "202" : "202 " + warning;
    }
    var issues = new ArrayList<String>();
    for (var issue : reply.body().trees("complianceIssues")) {
      issues.add(
          "%s %s: %s".formatted(issue.text("rule"), issue.text("field"), issue.text("details")));
    }
    return reply.code() + " " + (issues.isEmpty() ? reply.message() : String.join("; ", issues));
  }

  // ---- lists -----------------------------------------------------------------------------------

  @TestFactory
  Stream<DynamicTest> listsOfWorkloads() throws IOException {
    for (var each :
        List.of("workspaces alpha", "trainings beta", "distributed gamma", "inferences delta")) {
      var words = each.split(" ", 2);
      api.post(
          "/api/v1/workloads/" + words[0],
          Tree.of(
              "name",
              words[1],
              "projectId",
              project,
              "clusterId",
              api.clusterId(),
              "spec",
              Tree.of("image", "python")));
    }
    api.await(() ->
        api.get("/api/v1/workloads?filterBy=phase==Pending").body().trees("workloads").size() == 4);
    return lines("lists.txt").stream()
        .map(line -> {
          var parts = line.split(" \\| ", 2);
          return DynamicTest.dynamicTest(
              parts[0], () -> assertThat(listed(parts[0])).isEqualTo(parts[1]));
        });
  }

  private String listed(String query) {
    var reply = api.get("/api/v1/workloads?" + query);
    if (reply.code() != 200) {
      return reply.code() + " " + reply.message();
    }
    var names =
        String.join(
            ", ",
            reply.body().trees("workloads").stream()
                .map(each -> each.textOrEmpty("name"))
                .toList());
    var next = reply.body().get("next");
    return "[" + names + "]" + (next == null ? "" : " next " + next);
  }

  private static List<String> lines(String resource) throws IOException {
    try (var in = GoldenTest.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    }
  }
}
