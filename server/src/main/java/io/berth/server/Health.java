package io.berth.server;

import io.berth.codec.TextResource;
import io.berth.server.http.Answer;
import io.berth.server.request.Query;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// `/healthz`, `/livez`, `/readyz`: `ok`, or which check failed; `?verbose` shows all of them.
///
/// The checks have the names that kube-apiserver gives them, because clients ask for them one by
/// one. Most name a step of its start; here all steps are done before the first request is
/// answered, so that these checks hold whenever somebody gets an answer at all.
public final class Health {

  private static final List<String> ENDPOINTS = List.of("healthz", "livez", "readyz");

  private final Map<String, Map<String, BooleanSupplier>> checks = new LinkedHashMap<>();

  public Health() {
    ENDPOINTS.forEach(endpoint -> checks.put(endpoint, new LinkedHashMap<>()));
    for (var line : TextResource.lines(Health.class, "checks.txt")) {
      var words = List.of(line.split(" ", -1));
      for (var endpoint : words.size() == 1 ? ENDPOINTS : words.subList(1, words.size())) {
        of(endpoint).put(words.getFirst(), () -> true);
      }
    }
  }

  /// Adds a check, or says how one of kube-apiserver's is made; call before the server starts.
  public Health with(String name, BooleanSupplier check) {
    checks.values().forEach(each -> each.put(name, check));
    return this;
  }

  private Map<String, BooleanSupplier> of(String endpoint) {
    return Objects.requireNonNull(checks.get(endpoint), endpoint);
  }

  Answer answer(String path, Query query) {
    var parts = path.substring(1).split("/", 2);
    if (!checks.containsKey(parts[0])) {
      return PathEndpoint.pageNotFound();
    }
    if (parts.length == 2) {
      var check = of(parts[0]).get(parts[1]);
      if (check == null) {
        return PathEndpoint.pageNotFound();
      }
      return check.getAsBoolean()
          ? text(200, "ok")
          : text(500, "internal server error: " + parts[1] + " failed\n");
    }
    var report = new StringBuilder();
    var excluded = new TreeSet<>(query.texts("exclude"));
    boolean healthy = true;
    for (var check : of(parts[0]).entrySet()) {
      if (excluded.remove(check.getKey())) {
        report.append("[+]").append(check.getKey()).append(" excluded: ok\n");
      } else if (check.getValue().getAsBoolean()) {
        report.append("[+]").append(check.getKey()).append(" ok\n");
      } else {
        healthy = false;
        report.append("[-]").append(check.getKey()).append(" failed: reason withheld\n");
      }
    }
    if (!excluded.isEmpty()) {
      report.append(
          excluded.stream()
              .collect(
                  Collectors.joining(
                      "\",\"",
                      "warn: some health checks cannot be excluded: no matches for \"",
                      "\"\n")));
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
    checks.forEach((type, named) ->
        named.forEach((name, check) ->
            text.append(
                "kubernetes_healthcheck{name=\"%s\",type=\"%s\"} %d\n"
                    .formatted(name, type, check.getAsBoolean() ? 1 : 0))));
    return Answer.of(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static Answer text(int code, String text) {
    return Answer.of(code, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }
}
