package io.berth.app;

import io.berth.cli.Connections;
import io.berth.cli.UserError;
import io.berth.cluster.Cluster;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.AccessException;
import io.berth.cluster.kubernetes.KubernetesCluster;
import java.nio.file.Path;
import java.util.Set;

/// Reaches a cluster over HTTPS, as its kubeconfig says.
final class KubeconfigConnections implements Connections {

  @Override
  public Connection open(Path kubeconfig) {
    try {
      return new Open(new KubernetesCluster(Access.kubeconfig(kubeconfig, ""), "berth", Set.of()));
    } catch (AccessException e) {
      throw new UserError(String.valueOf(e.getMessage()));
    }
  }

  private record Open(KubernetesCluster kubernetes) implements Connection {

    @Override
    public Cluster cluster() {
      return kubernetes;
    }

    @Override
    public void close() {
      kubernetes.close();
    }
  }
}
