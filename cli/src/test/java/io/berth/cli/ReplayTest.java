package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
}
