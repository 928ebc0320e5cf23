package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.codec.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {

  private static final String NOWHERE =
      """
      {"id":"empty","steps":[{"decide":{"metadata":{"namespace":"default","name":"web"},\
      "spec":{"containers":[{"name":"c","image":"web:1"}]}},\
      "expect":{"message":"%s"}}]}
      """;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void refusesWhatItCannotReadWithFileAndLine() throws IOException {
    var missing = folder.resolve("missing.jsonl");
    assertThat(run(missing)).isEqualTo(2);
    assertThat(text(err)).contains(missing + ": no such file");
    err.reset();

    var broken = write("broken.jsonl", "{\"id\":\"a\",\"steps\":[]}\n\n{\"id\":\n");
    assertThat(run(broken)).isEqualTo(2);
    assertThat(text(err)).contains(broken + ":3: column ");
    err.reset();

    var step = write("step.jsonl", "{\"id\":\"a\",\"steps\":[{\"addNode\":{},\"decide\":{}}]}");
    assertThat(run(step)).isEqualTo(2);
    assertThat(text(err)).contains(step + ":1: step 0 must have exactly one of decide, ");
    err.reset();

    var zipped = write("plain.jsonl.gz", "{}");
    assertThat(run(zipped)).isEqualTo(2);
    assertThat(text(err)).contains("not gzip data");
  }

  @Test
  void aFileIsNeeded() {
    assertThat(
            new Cli(List.of(new Replay()), Map.of(), false)
                .run(List.of("replay"), new PrintStream(out, true), new PrintStream(err, true)))
        .isEqualTo(2);
    assertThat(text(err)).contains("missing required parameter: 'FILE'");
  }

  @Test
  void namesTheObjectThatCannotBeRead() throws IOException {
    var file =
        write(
            "quantity.jsonl",
            """
            {"id":"q","nodes":[{"metadata":{"name":"n"},"status":{"allocatable":{"cpu":"2Gb"}}}],"steps":[]}
            """);

    assertThat(run(file)).isEqualTo(2);
    assertThat(text(err)).contains(file + ":1: case q: status.allocatable");
  }

  private int run(Path file, String... options) {
    var line = new ArrayList<>(List.of("replay", file.toString()));
    line.addAll(List.of(options));
    return new Cli(List.of(new Replay()), Map.of(), false)
        .run(line, new PrintStream(out, true), new PrintStream(err, true));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void countsDecisionsAndDifferences() throws IOException {
    var equal = write("equal.jsonl", NOWHERE.formatted("no nodes available to schedule pods"));
    assertThat(run(equal)).isZero();
    assertThat(text(out)).isEqualTo("1 decisions, 0 differ\n");
    out.reset();

    var other = write("other.jsonl", NOWHERE.formatted("elsewhere"));
    assertThat(run(other)).isEqualTo(1);
    assertThat(text(out))
        .isEqualTo(
            "empty step 0 message: expected \"elsewhere\", got \"no nodes available to schedule"
                + " pods\"\n1 decisions, 1 differ\n");
    out.reset();

    assertThat(run(other, "-o", "json")).isEqualTo(1);
    var result = Json.read(text(out));
    assertThat(result.number(0, "differ")).isEqualTo(1);
    assertThat(result.trees("differences").getFirst().text("rule")).isEqualTo("message");
    out.reset();

    assertThat(run(other, "--record")).isZero();
    assertThat(Json.read(text(out)).trees("steps").getFirst().text("expect", "message"))
        .isEqualTo("no nodes available to schedule pods");
  }
}
