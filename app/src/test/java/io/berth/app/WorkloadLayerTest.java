package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.cli.Port;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.identity.Authority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadLayerTest {

  private static final String LOOPBACK = "127.0.0.1";

  @TempDir private Path folder = Path.of("");

  @Test
  void whoIsStoppedWhileStartingKeepsTheCredentials() throws Exception {
    try (var server = new WiredServer()) {
      var first = start(server);
      first.awaitStarted();
      first.close();
      var credentials = Files.readString(folder.resolve("credentials.json"));

      start(server).close();

      var third = start(server);
      third.awaitStarted();
      third.close();
      assertThat(folder.resolve("credentials.json")).hasContent(credentials);
    }
  }

  private WorkloadLayer start(WiredServer server) throws Exception {
    return new WorkloadLayer(
        server.admin(),
        Authority.open(null),
        folder,
        LOOPBACK,
        Port.any(),
        List.of(LOOPBACK),
        new Memory(Budget.ofHeap()),
        null);
  }
}
