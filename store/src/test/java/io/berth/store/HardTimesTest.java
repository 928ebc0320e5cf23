package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.PODS;
import static io.berth.store.Samples.namesAndValues;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a machine can do to a store besides losing power: no more files, another process on the
/// same folder, a process that stands still, clocks that jump.
class HardTimesTest {

  @TempDir private Path temporary = Path.of("");

  @Test
  void withoutFileDescriptorsNothingAcknowledgedIsLost() throws Exception {
    var process = start("ulimit -n 200; exec \"$@\"", FewDescriptors.class, folder().toString());
    try (var output = process.inputReader()) {
      var lines = new ArrayList<>(output.lines().toList());
      assertThat(lines.removeFirst()).isEqualTo("no more files");
      // Whether writes are refused depends on what the log still has room for.
      lines.removeIf(line -> line.startsWith("refused: cannot write to "));
      assertThat(lines).containsExactly("readable: true", "kept: true");
    }
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void anotherProcessIsRefusedAlsoWhileTheFirstStandsStill() throws Exception {
    var first = start("exec \"$@\"", CrashWriter.class, folder().toString(), "1");
    try (var output = first.inputReader()) {
      assertThat(output.readLine()).startsWith("open ");
      assertRefused(first.pid());
      signal("STOP", first.pid());
      assertRefused(first.pid());
      signal("CONT", first.pid());
      assertThat(output.readLine()).isNotNull();
    } finally {
      first.destroyForcibly().waitFor();
    }
    Store.open(folder(), Settings.of(JSON)).store().close();
  }

  private void assertRefused(long pid) {
    assertThatThrownBy(() -> Store.open(folder(), Settings.of(JSON)))
        .isInstanceOf(UnusableFolderException.class)
        .hasMessageContaining("is in use by process %d; stop it first".formatted(pid));
    var examined = Store.examine(folder(), Settings.of(JSON));
    assertThat(examined.user()).isEqualTo(String.valueOf(pid));
    assertThat(examined.isWhole()).as("%s", examined.findings()).isTrue();
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor())
        .isZero();
  }

  @Test
  void clocksMayJump() {
    var now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    var settings = Settings.of(JSON).withClock((InstantSource) now::get);
    long revision = 0;
    for (var jump : List.of("PT1H", "P-3D", "PT0S", "P3650D", "P-7300D")) {
      now.updateAndGet(instant -> instant.plus(Duration.parse(jump)));
      var opened = Store.open(folder(), settings);
      try (var store = opened.store()) {
        assertThat(store.revision()).as(jump).isGreaterThanOrEqualTo(revision);
        store.transact(t -> t.put(podKey("default", "p"), pod("default", "p", jump)));
        now.updateAndGet(instant -> instant.minus(Duration.parse(jump).dividedBy(2)));
        store.transact(t -> t.put(podKey("default", "q"), pod("default", "q", jump)));
        ((RevisionStore) store).sweep();
        assertThat(namesAndValues(store.list(PODS))).containsExactly("p=" + jump, "q=" + jump);
        assertThat(store.revision()).isGreaterThan(revision);
        revision = store.revision();
      }
    }
  }

  private Path folder() {
    return temporary.resolve("data");
  }

  private Process start(String shell, Class<?> program, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of("sh", "-c", shell, "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(temporary.resolve("errors").toFile()).start();
  }
}
