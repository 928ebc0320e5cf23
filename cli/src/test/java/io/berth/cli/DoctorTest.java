package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.cli.Examinations.Row;
import io.berth.codec.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {

  private static final List<Row> WHOLE = List.of(new Row("store/HEAD", "whole", ""));
  private static final List<Row> DAMAGED =
      List.of(
          new Row("store/HEAD", "whole", ""),
          new Row("store/ledger/000004.log", "damaged", "is damaged at byte 7"));

  @TempDir private Path folder = Path.of("");
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final List<Path> restored = new ArrayList<>();

  @Test
  void saysThatAllIsWhole() {
    assertThat(run(new Found(WHOLE, 42, 42, ""), "--data", folder.toString())).isZero();

    assertThat(said())
        .isEqualTo(
            """
            whole    store/HEAD
            All is whole: 7 objects as of revision 42.
            """);
  }

  @Test
  void saysWhatIsDamagedAndWhatCanBeDone() {
    assertThat(run(new Found(DAMAGED, 45, 42, ""), "--data", folder.toString())).isEqualTo(1);

    assertThat(said())
        .isEqualTo(
            """
            whole    store/HEAD
            damaged  store/ledger/000004.log: is damaged at byte 7
            Whole are 7 objects as of revision 42; what was written up to revision 45 is lost.
              berth doctor --data %s --restore-to NEWDIR
            """
                .formatted(folder));
  }

  @Test
  void saysWhoUsesTheFolder() {
    assertThat(run(new Found(WHOLE, 42, 42, "17"), "--data", folder.toString())).isZero();

    assertThat(said()).contains("In use by process 17: this is what is on disk now.");
  }

  @Test
  void sendsToASnapshotWhenNothingIsWhole() {
    assertThat(run(new Found(DAMAGED, 45, 0, ""), "--data", folder.toString())).isEqualTo(1);

    assertThat(said()).contains("No revision is whole").doesNotContain("--restore-to");
  }

  @Test
  void restoresAndTellsPrograms() {
    var target = folder.resolve("rescued");
    var found = new Found(DAMAGED, 45, 42, "");
    assertThat(
            run(
                found,
                "--data",
                folder.toString(),
                "--restore-to",
                target.toString(),
                "-o",
                "json"))
        .isEqualTo(1);

    assertThat(restored).containsExactly(target);
    var facts = Json.read(said());
    assertThat(facts.flag("whole")).isFalse();
    assertThat(facts.number(0, "lastGoodRevision")).isEqualTo(42);
    assertThat(facts.text("restoredTo")).isEqualTo(target.toString());
    assertThat(facts.trees("files").getLast().text("state")).isEqualTo("damaged");
  }

  @Test
  void aLineThatMakesNoSense() {
    assertThat(run(new Found(WHOLE, 1, 1, ""), "--restore")).isEqualTo(2);
    assertThat(run(new Found(WHOLE, 1, 1, ""), "extra")).isEqualTo(2);
    assertThat(run(new Found(WHOLE, 1, 1, ""), "--data", folder + "/none")).isEqualTo(1);
  }

  private int run(Found found, String... arguments) {
    var line = new ArrayList<>(List.of("doctor"));
    line.addAll(List.of(arguments));
    var cli = new Cli(List.of(new Doctor(new NoClusters(), _ -> found)), Map.of(), false);
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return cli.run(line, stream, new PrintStream(new ByteArrayOutputStream()));
  }

  private String said() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private final class Found implements Examinations.Result {
    private final List<Row> rows;
    private final long noted;
    private final long good;
    private final String user;

    Found(List<Row> rows, long noted, long good, String user) {
      this.rows = rows;
      this.noted = noted;
      this.good = good;
      this.user = user;
    }

    @Override
    public List<Row> rows() {
      return rows;
    }

    @Override
    public boolean isWhole() {
      return rows.equals(WHOLE);
    }

    @Override
    public String user() {
      return user;
    }

    @Override
    public long notedRevision() {
      return noted;
    }

    @Override
    public long goodRevision() {
      return good;
    }

    @Override
    public int objects() {
      return 7;
    }

    @Override
    public Snapshots.Restored restoreTo(Path target) {
      restored.add(target);
      return new Snapshots.Restored(7, good);
    }
  }
}
