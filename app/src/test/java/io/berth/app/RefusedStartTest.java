package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.FeatureGates;
import io.berth.cli.LocalCluster;
import io.berth.cli.LocalCluster.Simulation;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.cli.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster that cannot start says why in a line, and leaves nothing open behind it.
class RefusedStartTest {

  @TempDir private Path folder = Path.of("");

  @Test
  void aFolderMustBeOne() throws IOException {
    var file = Files.writeString(folder.resolve("file"), "dear");

    assertRefused(
        options(file, "127.0.0.1", null),
        "the folder %s cannot be used: %s is no folder; choose another one with --data"
            .formatted(file, file));
    assertThat(file).hasContent("dear");
  }

  // 192.0.2.0/24 is for documents, so no machine has such an address.
  @Test
  void anAddressMustBeOfThisMachine() {
    assertRefused(
        options(folder, "192.0.2.1", null), "cannot listen on 192.0.2.1, port 0: ", "--address");
  }

  @Test
  void aPortThatWasNamedMustBeFree() throws IOException {
    var fleet =
        Files.writeString(
            folder.resolve("fleet.yaml"),
            "apiVersion: berth.io/v1alpha1\nkind: NodeFleet\nmetadata: {name: f}\n");
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = new Port("--workloads-port", taken.getLocalPort(), true);

      assertRefused(
          options(folder.resolve("data"), "127.0.0.1", fleet, port),
          "port %d on 127.0.0.1 is taken; choose another one with --workloads-port"
              .formatted(port.number()));
    }
  }

  @Test
  void aFolderCanBeUsedAfterARefusal() throws IOException {
    var fleet = folder.resolve("fleet.yaml");
    var options = options(folder.resolve("data"), "127.0.0.1", fleet);
    assertRefused(options, "the fleet file %s does not exist".formatted(fleet));

    Files.writeString(fleet, "a: [1");
    assertRefused(options, fleet + ": expected ',' or ']'");

    Files.writeString(
        fleet, "apiVersion: berth.io/v1alpha1\nkind: NodeFleet\nmetadata: {name: f}\n");
    try (var cluster = EmbeddedCluster.start(options)) {
      assertThat(cluster.facts().text("data")).isEqualTo(options.folder().toString());
    }
  }

  private static void assertRefused(LocalCluster.Options options, String... parts) {
    assertThatThrownBy(() -> EmbeddedCluster.start(options).close())
        .isInstanceOf(UserError.class)
        .hasMessageContainingAll(parts);
  }

  private LocalCluster.Options options(Path data, String address, @Nullable Path fleet) {
    return options(data, address, fleet, Port.any());
  }

  private LocalCluster.Options options(
      Path data, String address, @Nullable Path fleet, Port workloadsPort) {
    return new LocalCluster.Options(
        data,
        false,
        address,
        Port.any(),
        folder.resolve("kubeconfig"),
        fleet == null,
        new Simulation(0, fleet, 1),
        SchedulerSettings.DEFAULT,
        LocalCluster.AdmissionOptions.DEFAULT,
        workloadsPort,
        LocalCluster.CredentialFiles.NONE,
        FeatureGates.DEFAULT);
  }
}
