package io.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkloadsTest {

  private final List<ClusterWorkloads.Options> started = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private final ClusterWorkloads workloads =
      new ClusterWorkloads() {
        @Override
        public Running start(Options options) {
          started.add(options);
          return new Running() {
            @Override
            public String url() {
              return "https://127.0.0.1:1234";
            }

            @Override
            public void awaitStop() {}

            @Override
            public void close() {}
          };
        }

        @Override
        public Path defaultFolder() {
          return Path.of("/home/workloads");
        }
      };

  private int run(String... arguments) {
    var command = new Workloads(workloads, Map.of("KUBECONFIG", "/from/environment"));
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new Cli(List.of(command), Map.of(), false).run(List.of(arguments), stream, stream);
  }

  @Test
  void servesTheClusterOfTheEnvironment() {
    assertThat(run("workloads")).isZero();

    assertThat(started)
        .containsExactly(
            new ClusterWorkloads.Options(
                Path.of("/from/environment"),
                "",
                Path.of("/home/workloads"),
                "127.0.0.1",
                new Port("--port", 8443, false)));
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("https://127.0.0.1:1234", "berth credentials --data /home/workloads");
  }

  @Test
  void takesWhatTheLineSays() {
    assertThat(
            run(
                "workloads",
                "--kubeconfig=/a/config",
                "--context=prod",
                "--data=/d",
                "--address=0.0.0.0",
                "--port=0"))
        .isZero();

    assertThat(started)
        .containsExactly(
            new ClusterWorkloads.Options(
                Path.of("/a/config"),
                "prod",
                Path.of("/d"),
                "0.0.0.0",
                new Port("--port", 0, true)));
  }

  @Test
  void aPortMustBeOne() {
    assertThat(run("workloads", "--port=many")).isEqualTo(2);
    assertThat(started).isEmpty();
  }
}
