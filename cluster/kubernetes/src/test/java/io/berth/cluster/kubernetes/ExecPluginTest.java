package io.berth.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecPluginTest {

  @TempDir Path folder;

  @Test
  void manyRefusalsOfOneTokenAskForOneNewToken() throws Exception {
    var asked = folder.resolve("asked");
    var script =
        """
        echo x >> %1$s
        echo '{"status": {"token": "'$(wc -l < %1$s)'"}}'
        """
            .formatted(asked);
    var exec =
        Tree.of("command", "sh", "args", List.of("-c", script))
            .put("apiVersion", "client.authentication.k8s.io/v1");
    var plugin = new ExecPlugin(exec, folder.resolve("kubeconfig"));
    var first = plugin.header();

    plugin.refused(first);
    var second = plugin.header();
    plugin.refused(first);
    plugin.refused(first);

    assertThat(plugin.header()).isEqualTo(second).isNotEqualTo(first);
    assertThat(Files.readAllLines(asked)).hasSize(2);
  }

  /// A program that waits for somebody, and has started another that holds its output open.
  @Test
  void aProgramThatDoesNotEndIsKilledWithAllItStarted() throws Exception {
    var started = folder.resolve("started");
    var plugin = plugin("sleep 600 & echo $! > %s; wait".formatted(started), Duration.ofSeconds(2));

    assertThatThrownBy(plugin::header)
        .isInstanceOf(AccessException.class)
        .hasMessageContainingAll("exec plugin sh failed", "did not end within 2 seconds");
    var child = ProcessHandle.of(Long.parseLong(Files.readString(started).strip()));
    child.ifPresent(process -> process.onExit().join());
  }

  @Test
  void aProgramThatSaysTooMuchIsKilled() {
    var plugin = plugin("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxx; done", Duration.ofMinutes(10));

    assertThatThrownBy(plugin::header).hasMessageContaining("it says more than 1024 KiB");
  }

  private ExecPlugin plugin(String script, Duration patience) {
    var exec = Tree.of("command", "sh", "args", List.of("-c", script));
    return new ExecPlugin(exec, folder.resolve("kubeconfig"), patience);
  }
}
