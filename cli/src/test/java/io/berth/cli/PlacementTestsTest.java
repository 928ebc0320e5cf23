package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.codec.Json;
import io.berth.placement.run.TestSources;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacementTestsTest {

  private static final String GOOD =
      """
      apiVersion: berth.io/v1alpha1
      kind: PlacementTest
      metadata: {name: good}
      given: [{fleet: {count: 1}}]
      when: [{pod: {name: small}}]
      then: [{placed: {pod: small, on: [node-1]}}]
      """;

  private static final String BAD =
      """
      ---
      apiVersion: berth.io/v1alpha1
      kind: PlacementTest
      metadata: {name: bad}
      given: [{fleet: {count: 1, capacity: {cpu: "4"}}}]
      when: [{pod: {name: big, cpu: "8"}}]
      then:
      - nothingPending: {}
      """;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void allHold() throws IOException {
    assertThat(run(Map.of(), write("t.yaml", GOOD))).isZero();
    assertThat(text(out)).isEqualTo("PASS good (t.yaml:1)\n1 test, 0 failed\n");
  }

  @Test
  void oneDoesNot() throws IOException {
    assertThat(run(Map.of(), write("t.yaml", GOOD + BAD))).isEqualTo(1);
    assertThat(text(out))
        .isEqualTo(
            """
            PASS good (t.yaml:1)
            FAIL bad (t.yaml:8)
              t.yaml:14: then[0].nothingPending: 1 pod is pending: default/big
                default/big fits on none of 1 node. Never: no node takes it, whatever pods come or go.
                  1 of the nodes: NodeResourcesFit: cpu: asks 8, most free is 4 on node-1
            2 tests, 1 failed
            """);
  }

  @Test
  void nothingIsNoTest() throws IOException {
    write("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n");
    write("chart.yaml", "{{ if .Values.on }}\nkind: Pod\n{{ end }}\n");

    assertThat(run(Map.of(), folder.toString())).isEqualTo(2);
    assertThat(text(err)).contains("there is no placement test");
  }

  @Test
  void aDocumentThatIsNoTest() throws IOException {
    var file = write("t.yaml", GOOD.replace("placed", "plased"));

    assertThat(run(Map.of("GITHUB_ACTIONS", "true"), file)).isEqualTo(2);
    assertThat(text(err))
        .isEqualTo(
            """
            berth: t.yaml:6:9: then[0].plased: no such check; did you mean placed?
            ::error file=t.yaml,line=6,title=berth test::then[0].plased: no such check; did you mean placed?
            """);
  }

  @Test
  void reportsForOthers() throws IOException {
    var file = write("t.yaml", GOOD + BAD);
    var junit = folder.resolve("results.xml");
    var sarif = folder.resolve("results.sarif");

    assertThat(
            run(
                Map.of("GITHUB_ACTIONS", "true"),
                file,
                "--junit",
                junit + "",
                "--sarif",
                sarif + ""))
        .isEqualTo(1);
    assertThat(text(out))
        .contains(
            "::error file=t.yaml,line=14,title=berth test::bad: then[0].nothingPending: 1 pod");
    assertThat(junit)
        .content()
        .contains("<testsuites name=\"berth test\" tests=\"2\" failures=\"1\">")
        .contains(
            "<failure type=\"then[0].nothingPending\" message=\"1 pod is pending: default/big\">");
    var result = Json.read(Files.readString(sarif)).trees("runs").getFirst().trees("results");
    assertThat(result).hasSize(1);
    assertThat(result.getFirst().textOrEmpty("ruleId")).isEqualTo("nothingPending");
  }

  private String write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  private int run(Map<String, String> environment, String... arguments) {
    var words = new ArrayList<>(List.of("test"));
    words.addAll(List.of(arguments));
    var sources =
        new Sources(
            new AnswersCommandsTest.FileSurveys(),
            new NoClusters(),
            Map.of(),
            InputStream.nullInputStream());
    var command = new PlacementTests(sources, TestSources.MANIFESTS, environment);
    return new Cli(List.of(command), Map.of(), false).run(words, stream(out), stream(err));
  }

  private static PrintStream stream(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  private String text(ByteArrayOutputStream from) {
    return from.toString(StandardCharsets.UTF_8).replace(folder + "/", "");
  }
}
