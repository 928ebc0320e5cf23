package io.berth.cluster.kubernetes;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where an API server is, how its certificate is checked, and how we say who we are.
///
/// @param tlsName the name expected in the server's certificate
/// @param sockets makes sockets with our certificate and trust; `null` for plain HTTP
/// @param namespace where a pod of ours lives, or what the kubeconfig's context names
public record Access(
    URI server,
    String tlsName,
    @Nullable TlsSockets sockets,
    Credentials credentials,
    String namespace) {

  private static final Path SERVICE_ACCOUNT =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  /// Reads a kubeconfig file; `context` empty means its current context.
  ///
  /// @throws AccessException when it cannot be used, with what to change
  public static Access kubeconfig(Path file, String context) {
    return new Kubeconfig(file).access(context);
  }

  /// A connection to the server, for those who speak HTTP themselves.
  public Socket connect(Duration patience) throws IOException {
    return Connection.open(this, patience).socket();
  }

  /// What says who we are in the header `Authorization`, or `null`.
  public @Nullable String authorization() throws IOException {
    return credentials.header();
  }

  /// The access that Kubernetes gives to a pod by its service account.
  public static Access inCluster(Map<String, String> environment) {
    return inCluster(environment, SERVICE_ACCOUNT);
  }

  static Access inCluster(Map<String, String> environment, Path account) {
    var host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    var port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
    if (host.isEmpty() || port.isEmpty()) {
      throw new AccessException(
          "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and"
              + " KUBERNETES_SERVICE_PORT must be defined; outside of a cluster name a file with"
              + " --kubeconfig");
    }
    var token = account.resolve("token");
    if (!Files.isReadable(token)) {
      throw new AccessException(
          "%s cannot be read; does the pod have a service account token?".formatted(token));
    }
    var authority = Pem.read(account.resolve("ca.crt"));
    return new Access(
        URI.create("https://%s:%s".formatted(host.contains(":") ? "[" + host + "]" : host, port)),
        host,
        TlsSockets.of(authority, null, null, false),
        Credentials.tokenFile(token),
        namespace(account));
  }

  private static String namespace(Path account) {
    var file = account.resolve("namespace");
    return Files.isReadable(file) ? Pem.read(file).strip() : "default";
  }
}
