package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.api.FeatureGates;
import io.berth.cli.LocalCluster;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.codec.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs every command of `docs/guides/workloads.md`, in order, against a whole cluster.
class WorkloadsGuideTest {

  private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\\n(.*?)^```");
  private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```");

  @Test
  void theGuideWorksAsPrinted(@TempDir Path folder) throws Exception {
    for (var tool : List.of("curl", "jq", "bash")) {
      assumeTrue(new ProcessBuilder("sh", "-c", "command -v " + tool).start().waitFor() == 0, tool);
    }
    var guide =
        Files.readString(
            Path.of(System.getProperty("berth.root", ".."), "docs", "guides", "workloads.md"));
    var fleet = folder.resolve("fleet.yaml");
    Files.writeString(fleet, blocks(YAML, guide));
    var options =
        new LocalCluster.Options(
            folder.resolve("cluster"),
            true,
            "127.0.0.1",
            Port.any(),
            folder.resolve("kubeconfig"),
            false,
            new LocalCluster.Simulation(0, fleet, 10),
            SchedulerSettings.DEFAULT,
            LocalCluster.AdmissionOptions.DEFAULT,
            Port.any(),
            LocalCluster.CredentialFiles.NONE,
            FeatureGates.DEFAULT);
    try (var running = EmbeddedCluster.start(options)) {
      var script = folder.resolve("guide.sh");
      Files.writeString(
          script, "set -euo pipefail\n" + berth(running, options.folder()) + blocks(SHELL, guide));
      var process =
          // The guide waits for things to happen: a broken build ends instead of waiting for ever.
          new ProcessBuilder("timeout", "600", "bash", script.toString())
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(process.waitFor()).as(output).isZero();
    }
  }

  /// A `berth` that starts nothing and knows the cluster of this test.
  private static String berth(LocalCluster.Running running, Path folder) throws Exception {
    var file = folder.resolve("credentials.json");
    for (int i = 0; !Files.exists(file) && i < 6000; i++) {
      Thread.sleep(20);
    }
    var secret = Json.read(Files.readAllBytes(file));
    return """
    berth() {
      if [ "$1" = credentials ]; then
        echo 'export BERTH_URL=%s BERTH_CLIENT_ID=%s BERTH_CLIENT_SECRET=%s BERTH_CA=%s'
      fi
    }
    """
        .formatted(
            running.facts().textOrEmpty("workloads"),
            secret.textOrEmpty("clientId"),
            secret.textOrEmpty("clientSecret"),
            folder.resolve("ca.crt"));
  }

  private static String blocks(Pattern pattern, String guide) {
    return pattern
        .matcher(guide)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.joining("\n"));
  }
}
