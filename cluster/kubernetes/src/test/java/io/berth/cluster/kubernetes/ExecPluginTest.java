package io.berth.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
