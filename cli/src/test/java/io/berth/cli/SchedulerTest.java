package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.cli.ClusterScheduler.Mode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerTest {

  private final List<ClusterScheduler.Options> started = new ArrayList<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    var command = new Scheduler(this::start, Map.of("KUBECONFIG", "/from/environment"));
    var cli = new Cli(List.of(command), Map.of(), false);
    var stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    return cli.run(List.of(arguments), stream, stream);
  }

  private ClusterScheduler.Running start(ClusterScheduler.Options options) {
    started.add(options);
    return new ClusterScheduler.Running() {
      @Override
      public int awaitStop() {
        return 0;
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void bindsByDefault() {
    assertThat(run("scheduler")).isZero();

    var options = started.getFirst();
    assertThat(options.mode()).isEqualTo(Mode.BIND);
    assertThat(options.kubeconfig()).isEqualTo(Path.of("/from/environment"));
    assertThat(options.bindAddress()).isEqualTo("127.0.0.1");
    assertThat(options.securePort()).isEqualTo(10259);
    assertThat(options.scheduler().configuration().leaderElection().leaderElect()).isTrue();
  }

  @Test
  void flagsWinOverTheFile(@TempDir Path folder) throws Exception {
    var file =
        Files.writeString(
            folder.resolve("scheduler.yaml"),
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            parallelism: 4
            leaderElection: {resourceName: mine}
            """);

    int code =
        run(
            "scheduler",
            "--config",
            file.toString(),
            "--scheduler-name",
            "berth",
            "--leader-elect",
            "false");

    assertThat(code).isZero();
    var settings = started.getFirst().scheduler();
    assertThat(settings.configuration().profiles().getFirst().schedulerName()).isEqualTo("berth");
    assertThat(settings.configuration().leaderElection().leaderElect()).isFalse();
    assertThat(settings.configuration().leaderElection().resourceName()).isEqualTo("mine");
    assertThat(settings.notes()).singleElement().asString().startsWith("parallelism has no effect");
    assertThat(settings.again().configuration()).isEqualTo(settings.configuration());
  }

  @Test
  void aMistakeInTheFileIsToldWithItsName(@TempDir Path folder) throws Exception {
    var file = Files.writeString(folder.resolve("scheduler.yaml"), "podMaxBackoffSeconds: 0\n");

    assertThat(run("scheduler", "--config", file.toString())).isEqualTo(Cli.USAGE);

    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("scheduler.yaml: podMaxBackoffSeconds: Invalid value: 0");
    assertThat(started).isEmpty();
  }

  @Test
  void modesExcludeEachOther() {
    assertThat(run("scheduler", "--dry-run", "--shadow")).isEqualTo(Cli.USAGE);
  }

  @Test
  void aNameCannotChooseAmongProfiles(@TempDir Path folder) throws Exception {
    var file =
        Files.writeString(
            folder.resolve("two.yaml"), "profiles: [{schedulerName: a}, {schedulerName: b}]\n");

    assertThatThrownBy(() ->
            SchedulerSettings.of(
                file,
                configuration -> {
                  throw UserError.usage("among %d".formatted(configuration.profiles().size()));
                }))
        .hasMessage("among 2");
    assertThat(run("scheduler", "--config", file.toString(), "--scheduler-name", "c"))
        .isEqualTo(Cli.USAGE);
  }

  @Test
  void theReferenceListsEveryFlagAndNoOther() throws Exception {
    var reference = Files.readString(Path.of("../docs/reference/configuration.md"));
    var listed = new TreeSet<String>();
    var row = Pattern.compile("^\\| `(--[a-z-]+)` \\|", Pattern.MULTILINE).matcher(reference);
    while (row.find()) {
      listed.add(row.group(1));
    }
    var known = new TreeSet<String>();
    new Scheduler(this::start, Map.of())
        .spec()
        .options()
        .forEach(option -> known.add(option.longestName()));

    assertThat(listed).isEqualTo(known);
  }
}
