package io.berth.cluster.kubernetes;

import io.berth.cluster.Cluster;
import io.berth.cluster.embedded.InProcessCluster;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class InProcessClusterTest extends ClusterContract {

  private static EmbeddedServer server;
  private static Cluster cluster;

  @BeforeAll
  static void start() throws Exception {
    server = new EmbeddedServer();
    cluster = new InProcessCluster(server.server().registry(), "test", InstantSource.system());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  Cluster cluster() {
    return cluster;
  }
}
