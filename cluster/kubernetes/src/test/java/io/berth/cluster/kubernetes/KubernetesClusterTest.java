package io.berth.cluster.kubernetes;

import io.berth.cluster.Cluster;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Against Berth's own server, or with `-Dberth.kubeconfig=FILE` against the cluster named there.
class KubernetesClusterTest extends ClusterContract {

  private static EmbeddedServer server;
  private static KubernetesCluster cluster;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    server = new EmbeddedServer();
    var other = System.getProperty("berth.kubeconfig", "");
    var file = other.isEmpty() ? server.kubeconfig(folder) : Path.of(other);
    cluster = new KubernetesCluster(Access.kubeconfig(file, ""), "berth-test", Set.of());
  }

  @AfterAll
  static void stop() {
    cluster.close();
    server.close();
  }

  @Override
  Cluster cluster() {
    return cluster;
  }
}
