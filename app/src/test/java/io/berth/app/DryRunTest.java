package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.GuardedCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A scheduler's writes through `--dry-run`: all of them are answered, none arrives.
class DryRunTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private WiredServer server;
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    server = new WiredServer();
    server.pod("p", "1");
    cluster =
        new GuardedCluster(
            server.admin(), new DryRun(new PrintStream(out, true, StandardCharsets.UTF_8)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void writesArePrintedAndNotSent() {
    var before = cluster.list(Resource.PODS, "", Selection.ALL).revision();

    cluster.post(
        Resource.PODS,
        "default",
        "p",
        "binding",
        Tree.of("target", Tree.of("kind", "Node", "name", "a")));
    cluster.patch(
        Resource.PODS, "default", "p", "status", PatchType.STRATEGIC, pending("0/1 nodes"));
    cluster.create(Resource.EVENTS, Tree.of("metadata", Tree.of("namespace", "default")));
    cluster.update(Resource.PODS, "status", cluster.fetch(Resource.PODS, "default", "p"));
    cluster.delete(Resource.PODS, "default", "p", DeleteOptions.DEFAULT);

    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "pod/default/p would go to a",
            "pod/default/p stays pending: 0/1 nodes",
            "pod/default/p would be evicted");
    assertThat(cluster.list(Resource.PODS, "", Selection.ALL).revision()).isEqualTo(before);
  }

  private static Tree pending(String message) {
    var condition = Tree.of("type", "PodScheduled", "status", "False", "message", message);
    return Tree.of("status", Tree.of("conditions", List.of(condition)));
  }
}
