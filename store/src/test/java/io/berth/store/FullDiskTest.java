package io.berth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A volume of 24 MB that fills up. Needs to mount one in a namespace of its own, which not every
/// machine allows; [FailingDiskTest] runs everywhere.
class FullDiskTest {

  private static final String MOUNT = "mount -t tmpfs -o size=24m none \"$0\" && ";

  @TempDir private Path temporary = Path.of("");

  @Test
  void writesEndAndNothingIsLost() throws Exception {
    assumeTrue(run(List.of("true")).exit() == 0, "this machine does not allow private mounts");

    var result =
        run(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FullDisk.class.getName(),
                temporary.toString()));

    assertThat(result.lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("refused: cannot write to ").contains("No space"),
            line -> assertThat(line).isEqualTo("readable: true"),
            line -> assertThat(line).isEqualTo("still refused"),
            line -> assertThat(line).isEqualTo("full: No space left on device"),
            line -> assertThat(line).startsWith("cannot open: the disk of data folder "),
            line -> assertThat(line).isEqualTo("kept: true"),
            line -> assertThat(line).isEqualTo("writable: true"),
            line -> assertThat(line).isEqualTo("done"));
  }

  private Result run(List<String> command) throws IOException, InterruptedException {
    var errors = temporary.resolveSibling(temporary.getFileName() + ".err");
    try {
      var process =
          new ProcessBuilder(
              "unshare", "-Urm", "sh", "-c", MOUNT + "exec \"$@\"", temporary.toString());
      process.command().addAll(command);
      var started = process.redirectError(errors.toFile()).start();
      try (var output = started.inputReader()) {
        var lines = output.lines().toList();
        return new Result(started.waitFor(), lines);
      }
    } catch (IOException e) {
      return new Result(-1, List.of());
    } finally {
      Files.deleteIfExists(errors);
    }
  }

  private record Result(int exit, List<String> lines) {}
}
