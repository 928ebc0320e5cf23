package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth lint`, `berth capacity` and `berth plan` on files.
class AnswersCommandsTest {

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private String input = "";

  @BeforeEach
  void cluster() throws IOException {
    var text = new StringBuilder();
    for (var zone : List.of("a", "b", "c")) {
      text.append(
          """
          ---
          apiVersion: v1
          kind: Node
          metadata: {name: n-%s, labels: {kubernetes.io/hostname: n-%s, topology.kubernetes.io/zone: %s}}
          status: {allocatable: {cpu: "4", pods: "110"}}
          """
              .formatted(zone, zone, zone));
    }
    write("nodes.yaml", text.toString());
    write("web.yaml", deployment("1", ""));
    write(
        "wrong.yaml",
        deployment("1", "\n      nodeSelector:\n        topology.kubernetes.io/zone: z"));
  }

  @Test
  void lintPointsAtTheLine() {
    assertThat(run("lint", "-f", file("nodes.yaml"), "-f", file("wrong.yaml"))).isEqualTo(1);
    assertThat(text(out))
        .startsWith(
            file("wrong.yaml")
                + ":11: error: Deployment default/web: none of 3 nodes satisfies"
                + " topology.kubernetes.io/zone In [z]; its values are a, b, c [matches-never]\n"
                + "  fix: ask for labels that nodes have")
        .endsWith("1 error, 0 warnings\n");
  }

  @Test
  void lintReadsStandardInputAndWritesSarif() throws IOException {
    input = Files.readString(folder.resolve("wrong.yaml"));

    assertThat(
            run(
                "lint",
                "-f",
                "-",
                "-f",
                file("nodes.yaml"),
                "--sarif",
                file("r.sarif"),
                "-o",
                "json"))
        .isEqualTo(1);
    var found = Json.read(text(out)).trees("findings").getFirst();
    assertThat(found.textOrEmpty("file")).isEqualTo("-");
    assertThat(found.number(0, "line")).isEqualTo(11);
    var result =
        Json.read(Files.readString(folder.resolve("r.sarif")))
            .trees("runs")
            .getFirst()
            .trees("results")
            .getFirst();
    assertThat(result.textOrEmpty("ruleId")).isEqualTo("matches-never");
  }

  @Test
  void lintFindsNothingWrongWithoutNodes() {
    assertThat(run("lint", "-f", file("wrong.yaml"), "-o", "markdown")).isZero();
    assertThat(text(out)).isEqualTo("## 0 errors, 0 warnings\n");
  }

  @Test
  void whatCannotBeReadIsSaidWithItsLine() throws IOException {
    write("broken.yaml", "kind: Pod\nspec: [\n");

    assertThat(run("lint", "-f", file("broken.yaml"))).isEqualTo(2);
    assertThat(text(err)).contains(file("broken.yaml") + ":");
    assertThat(run("lint")).isEqualTo(2);
    assertThat(text(err)).contains("name the files to look through with -f");
  }

  @Test
  void capacityCountsAndSaysWhatStopsTheNext() {
    assertThat(run("capacity", "-f", file("nodes.yaml"), "-f", file("web.yaml"))).isZero();
    assertThat(text(out))
        .startsWith("12 more of default/web fit.\n")
        .contains("topology.kubernetes.io/zone   PODS\na                             4\n")
        .contains("The next: default/web fits on none of 3 nodes. Not now");
  }

  @Test
  void capacityIsZeroWhereNoneFits() throws IOException {
    write("big.yaml", deployment("5", ""));

    assertThat(run("capacity", "-f", file("nodes.yaml"), "-f", file("big.yaml"), "-o", "json"))
        .isEqualTo(1);
    var answer = Json.read(text(out));
    assertThat(answer.number(-1, "count")).isZero();
    assertThat(answer.textOrEmpty("next", "verdict")).isEqualTo("never");
  }

  @Test
  void planTakesStepsInTheirOrder() {
    assertThat(plan("--lose", "zone=b", "-o", "json")).isZero();
    var lost = Json.read(text(out));
    assertThat(lost.trees("moves")).hasSize(1);
    assertThat(lost.trees("moves").getFirst().textOrEmpty("from")).isEqualTo("n-b");
    out.reset();

    // Once open again, the zone takes those who come later.
    assertThat(
            plan(
                "--cordon=zone=b", "--scale", "deploy/web=6", "--uncordon", "zone=b", "-o", "json"))
        .isZero();
    var moves = Json.read(text(out)).trees("moves");
    assertThat(moves).extracting(move -> move.textOrEmpty("to")).doesNotContain("n-b").hasSize(3);
    out.reset();

    assertThat(plan("--lose", "zone=b", "--scale", "deploy/web=9")).isEqualTo(1);
    assertThat(text(out)).contains("9 moves".replace("9", "6"), "1 newly pending");
  }

  @Test
  void planReadsStepsOfAFile() throws IOException {
    write("steps.yaml", "# Friday.\n- lose: {zone: b}\n- fleet: {count: 1, name: spare}\n");

    assertThat(plan("--steps", file("steps.yaml"), "-o", "yaml")).isZero();
    write("bad.yaml", "- loose: {zone: b}\n");
    assertThat(plan("--steps", file("bad.yaml"))).isEqualTo(2);
    assertThat(text(err))
        .contains(file("bad.yaml") + ": step 1: loose: no such step; did you mean lose?");
    write("syntax.yaml", "- lose: {zone: b}\n- lose: }\n");
    assertThat(plan("--steps", file("syntax.yaml"))).isEqualTo(2);
    assertThat(text(err)).contains(file("syntax.yaml") + ":2: column ");
  }

  @Test
  void aRecordedPlanReplaysWithoutDifferences() throws IOException {
    var record = file("plan.jsonl");
    assertThat(
            plan(
                "--lose", "zone=b",
                "--scale", "deploy/web=9",
                "--drain", "node=n-a",
                "--label", "n-c:disk=ssd",
                "--taint", "n-c:spot=yes:NoExecute",
                "--record", record))
        .isEqualTo(1);
    out.reset();

    assertThat(run("replay", record)).isZero();
    assertThat(text(out)).matches("\\d\\d decisions, 0 differ, 0 ties fell otherwise\n");
  }

  @Test
  void twoConfigurationsAreCompared() throws IOException {
    write(
        "packed.yaml",
        """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - pluginConfig:
          - name: NodeResourcesFit
            args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}
        """);

    var pod =
        "---\n{apiVersion: v1, kind: Pod, metadata: {name: p%d}, spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}\n";
    write("pods.yaml", pod.formatted(1) + pod.formatted(2) + pod.formatted(3));

    plan("--apply", file("pods.yaml"), "--compare", file("packed.yaml"), "-o", "json");
    assertThat(Json.read(text(out)).trees("differences")).isNotEmpty();
  }

  @Test
  void aWrongStepIsRefusedWithItsForm() {
    assertThat(plan("--scale", "web=3")).isEqualTo(2);
    assertThat(text(err)).contains("--scale 'web=3': expected KIND/NAME");
    assertThat(plan("--taint", "n-a:x")).isEqualTo(2);
    assertThat(text(err)).contains("expected NODE:KEY=VALUE:EFFECT");
    assertThat(run("plan", "-f", file("nodes.yaml"))).isEqualTo(2);
    assertThat(text(err)).contains("a plan needs a step");
  }

  private int plan(String... arguments) {
    var line = new ArrayList<>(List.of("plan", "-f", file("nodes.yaml"), "-f", file("web.yaml")));
    line.addAll(Arrays.asList(arguments));
    return run(line.toArray(String[]::new));
  }

  private int run(String... arguments) {
    var in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
    var sources = new Sources(new FileSurveys(), new NoClusters(), Map.of(), in);
    var commands =
        List.of(new Linting(sources), new CapacityOf(sources), new Planning(sources), new Replay());
    return new Cli(commands, Map.of(), false)
        .run(List.of(arguments), new PrintStream(out, true), new PrintStream(err, true));
  }

  private static String deployment(String cpu, String more) {
    return """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      replicas: 3
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec:%s
          containers:
          - {name: c, image: "example/c:1", resources: {requests: {cpu: "%s"}}}
    """
        .formatted(more, cpu);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  /// No cluster but that of files; a fleet is plain nodes in no zone.
  static final class FileSurveys implements Surveys {

    @Override
    public Tree withDefaults(Tree object) {
      return object;
    }

    @Override
    public List<Tree> nodesOf(Tree fleet) {
      var name = fleet.textOrEmpty("spec", "name");
      return List.of(
          Tree.of("apiVersion", "v1", "kind", "Node", "metadata", Tree.of("name", name))
              .put("status", Tree.of("allocatable", Tree.of("cpu", "4", "pods", "110"))));
    }

    @Override
    public Found ofCluster(Path kubeconfig, String context) {
      throw new UserError("no cluster");
    }

    @Override
    public Found ofStopped(Path data) {
      throw new UserError("no cluster");
    }

    @Override
    public Found ofSnapshot(Path file) {
      throw new UserError("no snapshot");
    }

    @Override
    public Found ofFleet(Path file) {
      throw new UserError("no fleet");
    }
  }
}
