package io.berth.app;

import io.berth.cli.UserError;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.AccessException;
import java.net.http.HttpClient;
import java.nio.file.Path;

/// HTTP with the certificate of a kubeconfig that `berth up` wrote, for what is not part of the
/// Kubernetes API.
record AdminClient(String server, HttpClient http) implements AutoCloseable {

  static AdminClient of(Path kubeconfig) {
    try {
      var access = Access.kubeconfig(kubeconfig, "");
      var sockets = access.sockets();
      if (sockets == null) {
        throw new UserError("%s names a server without HTTPS".formatted(kubeconfig));
      }
      return new AdminClient(
          access.server().toString(),
          HttpClient.newBuilder().sslContext(sockets.context()).build());
    } catch (AccessException e) {
      throw new UserError(
          "%s is no kubeconfig that 'berth up' wrote: %s".formatted(kubeconfig, e.getMessage()));
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
