package io.berth.server.aggregation;

import io.berth.admission.User;
import io.berth.admission.webhook.Targets;
import io.berth.admission.webhook.Trust;
import io.berth.server.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Connections to other API servers, one client for each, for as long as it is registered.
///
/// Each request has a connection of its own while it lasts: how many there are is bounded where
/// requests enter.
final class RemoteClients implements AutoCloseable {

  private static final User SELF = User.of("system:kube-aggregator", "system:masters");
  private static final Duration CONNECT = Duration.ofSeconds(5);

  private final FrontProxy identity;
  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Client> clients = new HashMap<>();

  /// `spec` is what the client was made from.
  private record Client(Object spec, HttpClient http) {}

  RemoteClients(FrontProxy identity) {
    this.identity = identity;
  }

  /// Forgets the servers that are not registered any more; what is under way is finished.
  synchronized void keep(Collection<Remote> remotes) {
    var names = new HashSet<String>();
    remotes.forEach(remote -> names.add(remote.name()));
    clients
        .entrySet()
        .removeIf(entry -> {
          boolean gone = !names.contains(entry.getKey());
          if (gone) {
            entry.getValue().http.shutdown();
          }
          return gone;
        });
  }

  synchronized void renew() {
    close();
  }

  @Override
  public synchronized void close() {
    clients.values().forEach(client -> client.http.shutdown());
    clients.clear();
  }

  /// The client for a server as it is registered.
  synchronized HttpClient of(Remote remote) throws IOException {
    var known = clients.get(remote.name());
    if (known != null && known.spec.equals(remote.spec())) {
      return known.http;
    }
    if (known != null) {
      known.http.shutdown();
    }
    var http = create(remote);
    clients.put(remote.name(), new Client(remote.spec(), http));
    return http;
  }

  private HttpClient create(Remote remote) throws IOException {
    var key = new ClientKey(identity.identity());
    try {
      return HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT)
          .executor(threads)
          .sslContext(
              remote.isUnchecked()
                  ? AnyServer.context(key)
                  : Trust.context(remote.authority(), remote.serverName(), key))
          .build();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /// A document of a server, asked for in our own name; `tag` is that of the one we have.
  HttpResponse<byte[]> get(Remote remote, String target, String path, @Nullable String tag)
      throws IOException, InterruptedException {
    var uri = URI.create("https://" + target + path);
    Targets.check(uri);
    var request =
        HttpRequest.newBuilder(uri)
            .timeout(Limits.REMOTE_CHECK)
            .header("Accept", "application/json");
    if (tag != null) {
      request.header("If-None-Match", tag);
    }
    RemoteHeaders.addIdentity(request, SELF);
    var answer =
        of(remote)
            .sendAsync(
                request.build(),
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), Limits.REMOTE_DOCUMENT_BYTES));
    try {
      return answer.get(Limits.REMOTE_CHECK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("context deadline exceeded", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }
}
