package io.berth.admission.webhook;

import io.berth.admission.Lookup;
import io.berth.api.Tree;
import io.berth.codec.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Posts reviews to webhooks over HTTPS. Safe for many threads.
public final class WebhookClient {

  /// Clients keep connections; one that was not used for long gives way.
  private static final int MAX_CLIENTS = 64;

  private static final int MAX_ANSWER_BYTES = 3 << 20;
  private static final int MAX_LIST_BYTES = 16 << 20;

  private final Map<Key, HttpClient> clients =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, HttpClient> eldest) {
          return size() > MAX_CLIENTS;
        }
      };

  private record Key(String serverName, byte[] authority) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key(var name, var bytes)
          && serverName.equals(name)
          && Arrays.equals(authority, bytes);
    }

    @Override
    public int hashCode() {
      return Objects.hash(serverName, Arrays.hashCode(authority));
    }
  }

  /// The answer to a review with many objects, from whom a `clientConfig` names.
  public Tree post(Tree clientConfig, Tree review, Duration timeout, Lookup lookup)
      throws CallException {
    return post(Endpoint.of(clientConfig, lookup), review, timeout, MAX_LIST_BYTES);
  }

  /// The answer to a review.
  Tree post(Endpoint endpoint, Tree review, Duration timeout) throws CallException {
    return post(endpoint, review, timeout, MAX_ANSWER_BYTES);
  }

  private Tree post(Endpoint endpoint, Tree review, Duration timeout, int maxBytes)
      throws CallException {
    var query = "?timeout=%ds".formatted(timeout.toSeconds());
    var shown = "Post \"%s%s\": ".formatted(endpoint.shown(), query);
    HttpResponse<byte[]> response;
    try {
      Targets.check(endpoint.address());
      var request =
          HttpRequest.newBuilder(URI.create(endpoint.address() + query))
              .timeout(timeout)
              .header("Content-Type", "application/json")
              .header("Accept", "application/json, */*")
              .header("User-Agent", "kube-apiserver-admission")
              .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(review)))
              .build();
      response = send(client(endpoint), request, timeout, maxBytes);
    } catch (HttpTimeoutException | TimeoutException e) {
      throw new CallException(shown + "context deadline exceeded");
    } catch (UnknownHostException e) {
      throw CallException.unreachable(shown + e.getMessage());
    } catch (ConnectException e) {
      throw CallException.unreachable(
          shown
              + "dial tcp %s: connect: connection refused"
                  .formatted(endpoint.address().getRawAuthority()));
    } catch (SSLException e) {
      throw new CallException(shown + "tls: failed to verify certificate: " + Trust.complaint(e));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new CallException(shown + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallException(shown + "context canceled");
    }
    return Reply.of(response);
  }

  /// The library's own timeout ends with the head of the answer; a body could trickle on for good.
  private static HttpResponse<byte[]> send(
      HttpClient client, HttpRequest request, Duration timeout, int maxBytes)
      throws IOException, InterruptedException, TimeoutException {
    var answer =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxBytes));
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private HttpClient client(Endpoint endpoint) throws GeneralSecurityException, IOException {
    var key = new Key(endpoint.serverName(), endpoint.authority());
    synchronized (clients) {
      var known = clients.get(key);
      if (known == null) {
        known =
            HttpClient.newBuilder()
                .sslContext(Trust.context(endpoint.authority(), endpoint.serverName()))
                .build();
        clients.put(key, known);
      }
      return known;
    }
  }
}
