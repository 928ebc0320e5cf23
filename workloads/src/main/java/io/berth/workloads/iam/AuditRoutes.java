package io.berth.workloads.iam;

import static io.berth.workloads.access.ResourceType.EVENTS_HISTORY;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.Columns;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.list.Values;
import io.berth.workloads.rest.AuditLog;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.Times;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/// `/api/v1/audit/log`: who did what, and what was refused.
public final class AuditRoutes {

  private static final Columns COLUMNS =
      Columns.searching("subject", "url", "entity_type")
          .texts(
              "subject",
              "subject_type",
              "source_ip",
              "action",
              "http_method",
              "result",
              "url",
              "entity_type",
              "entity_name",
              "entity_id",
              "cluster_name")
          .times("timestamp");

  private final AuditLog log;
  private final Scopes scopes;

  public AuditRoutes(AuditLog log, Scopes scopes) {
    this.log = log;
    this.scopes = scopes;
  }

  public void addTo(Routes routes) {
    routes
        .get(
            "/api/v1/audit/log",
            "get_audit_logs",
            call -> {
              var page = request(call, 20).page(entries(call));
              var body =
                  Tree.of("total", page.total(), "audit_logs", new ArrayList<Object>(page.items()));
              return Answer.json(200, page.next() < 0 ? body : body.put("next", page.next()));
            })
        .needs(Action.READ, EVENTS_HISTORY)
        .query("start*", "end*", "offset", "numberOfSamples", "sortOrder", "sortBy", "filterBy[]");
    routes
        .get(
            "/api/v1/audit/log/file",
            "download_audit_logs",
            call -> {
              var lines = new StringBuilder();
              for (var entry : request(call, 1000).page(entries(call)).items()) {
                lines.append(Json.text(entry)).append('\n');
              }
              return Answer.bytes(
                  200,
                  "application/octet-stream",
                  lines.toString().getBytes(StandardCharsets.UTF_8));
            })
        .needs(Action.READ, EVENTS_HISTORY)
        .query("fileType", "start*", "end*", "numberOfSamples", "filterBy[]")
        .of("application/octet-stream");
  }

  private static ListRequest request(Call call, int usual) {
    return ListRequest.of(call.request(), COLUMNS, "numberOfSamples", 0, usual, 1000);
  }

  private List<Tree> entries(Call call) {
    call.caller().requireOpenly(Action.READ, EVENTS_HISTORY, scopes.tenant());
    return log.between(time(call, "start"), time(call, "end"));
  }

  private static String time(Call call, String name) {
    try {
      return Times.text(Values.time(call.required(name)));
    } catch (DateTimeParseException e) {
      throw Refusal.badRequest(
          "%s: \"%s\" is no RFC 3339 time".formatted(name, call.parameter(name)));
    }
  }
}
