package io.berth.server.aggregation;

import io.berth.admission.User;
import io.berth.admission.webhook.Targets;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.server.Limits;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.request.Action;
import io.berth.server.request.RequestInfo;
import io.berth.server.rest.Refusals;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Passes one request on, exactly as it was authorized, and its answer back.
///
/// Mirrors: kube-aggregator/apiserver.proxyHandler
final class Forward {

  private static final Set<String> LASTING =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  private final RemoteClients clients;

  Forward(RemoteClients clients) {
    this.clients = clients;
  }

  /// `user` has been authorized for what `info` says; `target` is where the server is.
  Answer answer(Remote remote, String target, Call call, RequestInfo info, User user) {
    var method = method(info.action());
    if (method.isEmpty()) {
      return Refusals.answer(
          new ApiException(
              405,
              "MethodNotAllowed",
              "the server does not allow this method on the requested resource",
              new Tree()));
    }
    if (!RemotePaths.isPlain(call.path())) {
      return text(404, "404 page not found");
    }
    boolean lasting = info.verb().equals("watch") || LASTING.contains(info.subresource());
    if (call.isUpgrade() && !info.verb().equals("watch")) {
      return text(501, "connections are not passed on to other API servers");
    }
    try {
      var response = send(remote, request(method, target, call, user), call);
      return lasting && response.statusCode() < 300
          ? RemoteStream.of(response, call)
          : whole(response, call);
    } catch (HttpTimeoutException e) {
      return text(504, "context deadline exceeded");
    } catch (ConnectException e) {
      return text(503, "dial tcp %s: connect: connection refused".formatted(target));
    } catch (IOException e) {
      return text(503, String.valueOf(e.getMessage()));
    }
  }

  /// The method of what was authorized. What would not be done here is not done elsewhere either: a
  /// path that begins with `watch` is for reading, whatever the caller's method.
  private static String method(Action action) {
    return switch (action) {
      case GET, LIST, WATCH -> "GET";
      case CREATE -> "POST";
      case UPDATE -> "PUT";
      case PATCH -> "PATCH";
      case DELETE, DELETE_COLLECTION -> "DELETE";
      case NONE -> "";
    };
  }

  private static HttpRequest request(String method, String target, Call call, User user)
      throws IOException {
    var uri = URI.create("https://" + target + RemotePaths.encode(call.path(), call.query()));
    Targets.check(uri);
    var body =
        method.equals("GET")
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofByteArray(call.body().read());
    var request = HttpRequest.newBuilder(uri).timeout(Limits.REMOTE_ANSWER).method(method, body);
    RemoteHeaders.add(request, call, user);
    return request.build();
  }

  /// Waits for the head of the answer, without keeping others from the processor.
  private HttpResponse<InputStream> send(Remote remote, HttpRequest request, Call call)
      throws IOException {
    var client = clients.of(remote);
    call.visitor().rest();
    try {
      return client.send(request, BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("context canceled", e);
    } finally {
      call.visitor().goOn();
    }
  }

  private static Answer whole(HttpResponse<InputStream> response, Call call) throws IOException {
    try (var in = response.body()) {
      if (isRedirect(response)) {
        return text(502, "the backend attempted to redirect this request, which is not permitted");
      }
      if (response.headers().firstValue("content-encoding").isPresent()) {
        return text(502, "the backend compressed its answer, which nobody asked for");
      }
      var body = RemoteBody.read(in, call.visitor());
      return new Answer.Whole(response.statusCode(), RemoteHeaders.back(response.headers()), body);
    }
  }

  private static boolean isRedirect(HttpResponse<?> response) {
    return response.statusCode() / 100 == 3
        && response.headers().firstValue("location").isPresent();
  }

  static Answer unavailable() {
    return text(503, "service unavailable");
  }

  /// As Go's servers say what is no answer of an API.
  private static Answer text(int code, String message) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    headers.add(Map.entry("Content-Type", "text/plain; charset=utf-8"));
    headers.add(Map.entry("X-Content-Type-Options", "nosniff"));
    return new Answer.Whole(code, headers, (message + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
