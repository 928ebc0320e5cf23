package io.berth.server;

import io.berth.server.http.Answer;
import io.berth.server.request.Query;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// `/healthz`, `/livez`, `/readyz`: `ok`, or which check failed; `?verbose` shows all of them.
public final class Health {

  private final Map<String, BooleanSupplier> checks = new LinkedHashMap<>();

  public Health() {
    checks.put("ping", () -> true);
    checks.put("log", () -> true);
  }

  /// Adds a check; call before the server starts.
  public Health with(String name, BooleanSupplier check) {
    checks.put(name, check);
    return this;
  }

  Answer answer(String path, Query query) {
    var parts = path.substring(1).split("/", 2);
    var excluded = Set.copyOf(query.texts("exclude"));
    if (parts.length == 2) {
      var check = checks.get(parts[1]);
      if (check == null) {
        return PathEndpoint.pageNotFound();
      }
      return check.getAsBoolean()
          ? text(200, "ok")
          : text(500, "internal server error: " + parts[1] + " failed\n");
    }
    var report = new StringBuilder();
    boolean healthy = true;
    for (var check : checks.entrySet()) {
      if (excluded.contains(check.getKey())) {
        report.append("[+]").append(check.getKey()).append(" excluded: ok\n");
      } else if (check.getValue().getAsBoolean()) {
        report.append("[+]").append(check.getKey()).append(" ok\n");
      } else {
        healthy = false;
        report.append("[-]").append(check.getKey()).append(" failed: reason withheld\n");
      }
    }
    if (!healthy) {
      return text(500, report + parts[0] + " check failed\n");
    }
    return text(200, query.has("verbose") ? report + parts[0] + " check passed\n" : "ok");
  }

  /// `/metrics/slis`: how each check stands, under the name that Kubernetes gives it.
  Answer metrics() {
    var text = new StringBuilder();
    text.append("# HELP kubernetes_healthcheck Whether a check passes.\n");
    text.append("# TYPE kubernetes_healthcheck gauge\n");
    for (var type : new String[] {"healthz", "livez", "readyz"}) {
      checks.forEach((name, check) ->
          text.append(
              "kubernetes_healthcheck{name=\"%s\",type=\"%s\"} %d\n"
                  .formatted(name, type, check.getAsBoolean() ? 1 : 0)));
    }
    return Answer.of(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static Answer text(int code, String text) {
    return Answer.of(code, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }
}
