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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {

  @TempDir private Path folder;
  private final List<String> done = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private String file = "";

  @BeforeEach
  void nameFile() {
    file = folder.resolve("cluster.berth").toString();
  }

  @Test
  void savesAStoppedClusterFromItsFolder() {
    assertThat(run("snapshot", "save", file, "--data", folder.toString())).isZero();

    assertThat(done).containsExactly("saveStopped " + folder);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("Saved 7 objects as of revision 42 in %s.\n".formatted(file));
  }

  @Test
  void writesOverNothing() throws IOException {
    Files.writeString(Path.of(file), "dear");

    assertThat(run("snapshot", "save", file, "--data", folder.toString())).isEqualTo(1);
    assertThat(done).isEmpty();
    assertThat(Path.of(file)).hasContent("dear");
  }

  @Test
  void restoresIntoAFolder() throws IOException {
    Files.writeString(Path.of(file), "snapshot");

    assertThat(run("snapshot", "restore", file, "--data", folder.resolve("new").toString()))
        .isZero();
    assertThat(run("snapshot", "restore", file, "--in-memory")).isEqualTo(2);
    assertThat(run("snapshot", "restore")).isEqualTo(2);
    assertThat(run("snapshot", "save")).isEqualTo(2);
    assertThat(run("snapshot", "restore", file + "x", "--data", "y")).isEqualTo(1);

    assertThat(done).containsExactly("restore " + folder.resolve("new"));
  }

  private int run(String... arguments) {
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    var cli =
        new Cli(
            List.of(
                new Snapshot(
                    new BreakNodesTest.OneCluster(), new Noted(), PlacementSnapshotTest.files())),
            Map.of(),
            false);
    return cli.run(List.of(arguments), stream, new PrintStream(new ByteArrayOutputStream()));
  }

  private final class Noted implements Snapshots {

    @Override
    public Saved save(Path kubeconfig, Path target) {
      done.add("save " + kubeconfig);
      return new Saved(7, 42);
    }

    @Override
    public Saved saveStopped(Path from, Path target) {
      done.add("saveStopped " + from);
      return new Saved(7, 42);
    }

    @Override
    public Restored restore(Path from, Path into) {
      done.add("restore " + into);
      return new Restored(7, 42);
    }
  }
}
