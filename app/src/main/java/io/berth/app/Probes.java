package io.berth.app;

import io.berth.api.Tree;
import io.berth.cli.UserError;
import io.berth.codec.Json;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.http.HttpFront;
import io.berth.server.identity.Authority;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Health of the scheduler for the kubelet and metrics for Prometheus, over HTTPS with a
/// certificate made at start, as kube-scheduler serves them; and why a pod is where it is. Health
/// is for everybody, the rest for whom the cluster lets read it.
///
/// The listener is that of the API server, with its limits on slow, idle and many connections.
final class Probes implements AutoCloseable {

  private static final String TEXT = "text/plain; charset=utf-8";
  static final String EXPLAIN = "/berth/v1/explain";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final BooleanSupplier ready;
  private final Supplier<String> metrics;
  private final Reviewer reviewer;
  private final Explaining explaining;
  private @Nullable HttpFront front;
  private @Nullable Renewals renewals;

  /// `metrics` and `explaining` are for whom `reviewer` lets.
  Probes(
      BooleanSupplier ready, Supplier<String> metrics, Reviewer reviewer, Explaining explaining) {
    this.ready = ready;
    this.metrics = metrics;
    this.reviewer = reviewer;
    this.explaining = explaining;
  }

  /// Why a pod is where it is; nothing of a pod that nobody knows.
  interface Explaining {
    Optional<Tree> explain(String namespace, String pod) throws InterruptedException;
  }

  /// Listens, and returns the port; 0 serves nothing.
  int listen(String address, int port) throws Exception {
    return port == 0 ? 0 : serve(address, port);
  }

  /// Here port 0 takes any free one.
  int serve(String address, int port) throws Exception {
    var authority = Authority.open(null);
    var hosts = List.of(address, "localhost", "127.0.0.1");
    var identity = authority.server(hosts);
    try {
      var started =
          HttpFront.start(
              address,
              port,
              identity.certificate(),
              identity.key(),
              authority.certificate(),
              this::answer,
              new Memory(Budget.ofHeap()));
      front = started;
      renewals =
          new Renewals(InstantSource.system(), List.of(() -> renew(started, authority, hosts)));
      return started.port();
    } catch (Exception e) {
      throw EmbeddedCluster.isTaken(e)
          ? new UserError(
              "port %d on %s is taken; choose another one with --secure-port"
                  .formatted(port, address))
          : e;
    }
  }

  private static void renew(HttpFront front, Authority authority, List<String> hosts) {
    var identity = authority.server(hosts);
    front.renew(identity.certificate(), identity.key());
  }

  private Answer answer(Call call) {
    return switch (call.path()) {
      case "/healthz", "/livez" -> health(true);
      case "/readyz" -> health(ready.getAsBoolean());
      case "/metrics" -> metrics(call);
      case EXPLAIN -> explanation(call);
      default -> text(404, TEXT, "404 page not found\n");
    };
  }

  private static Answer health(boolean good) {
    return text(good ? 200 : 500, TEXT, good ? "ok" : "not ready");
  }

  private Answer metrics(Call call) {
    return switch (reviewer.mayRead("/metrics", call.header("authorization"))) {
      case YES -> text(200, METRICS, metrics.get());
      case NO -> text(403, METRICS, "Forbidden\n");
      case WHO -> text(401, METRICS, "Unauthorized\n");
    };
  }

  /// `?namespace=shop&pod=web-7`
  private Answer explanation(Call call) {
    return switch (reviewer.mayRead(EXPLAIN, call.header("authorization"))) {
      case YES -> explained(parameter(call, "namespace"), parameter(call, "pod"));
      case NO -> text(403, TEXT, "Forbidden\n");
      case WHO -> text(401, TEXT, "Unauthorized\n");
    };
  }

  private Answer explained(String namespace, String pod) {
    try {
      return explaining
          .explain(namespace, pod)
          .map(answer -> text(200, "application/json", Json.pretty(answer) + "\n"))
          .orElseGet(() -> text(404, TEXT, "there is no pod %s/%s\n".formatted(namespace, pod)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return text(503, TEXT, "stopping\n");
    }
  }

  private static String parameter(Call call, String name) {
    var values = call.query().parameters().getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.getFirst();
  }

  private static Answer text(int code, String type, String body) {
    return Answer.of(code, type, body.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    if (renewals != null) {
      renewals.close();
    }
    if (front != null) {
      front.close();
    }
  }
}
