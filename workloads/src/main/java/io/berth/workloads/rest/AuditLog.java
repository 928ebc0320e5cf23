package io.berth.workloads.rest;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.workloads.AuditSink;
import io.berth.workloads.access.Account;
import io.berth.workloads.access.Caller;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Request;
import io.berth.workloads.state.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Every write and every refusal, newest last; the last 10,000 can be read through the API, all go
/// to `sink`.
///
/// Those of callers who did not show who they are stand apart, at most 1,000, so that they push
/// nobody else's out. What callers make up is cut: an entry takes 2 KB at most.
public final class AuditLog {

  private static final int KEPT = 10_000;
  private static final int STRANGERS_KEPT = 1_000;
  private static final int MAX_PATH = 512;
  private static final int MAX_TEXT = 256;

  /// Longer answers are not looked into.
  private static final int MAX_READ = 1 << 16;

  private final State state;
  private final AuditSink sink;
  // Each guarded by itself.
  private final Deque<Tree> known = new ArrayDeque<>();
  private final Deque<Tree> strangers = new ArrayDeque<>();

  /// `earlier` are the entries of earlier runs, oldest first.
  public AuditLog(State state, List<Tree> earlier, AuditSink sink) {
    this.state = state;
    this.sink = sink;
    known.addAll(earlier.subList(Math.max(0, earlier.size() - KEPT), earlier.size()));
  }

  void note(Request request, @Nullable Route route, @Nullable Caller caller, Answer answer) {
    boolean refused = answer.code() == 401 || answer.code() == 403;
    if ((request.method().equals("GET") || request.method().equals("HEAD")) && !refused) {
      return;
    }
    var entry = entry(request, route, caller, answer).freeze();
    boolean stranger = caller == null && answer.code() >= 400;
    keep(entry, stranger ? strangers : known, stranger ? STRANGERS_KEPT : KEPT);
    if (stranger) {
      sink.stranger(entry);
    } else {
      sink.known(entry);
    }
  }

  private static void keep(Tree entry, Deque<Tree> entries, int most) {
    synchronized (entries) {
      entries.addLast(entry);
      if (entries.size() > most) {
        entries.removeFirst();
      }
    }
  }

  private Tree entry(
      Request request, @Nullable Route route, @Nullable Caller caller, Answer answer) {
    var path = cut(request.path(), MAX_PATH);
    var entity = entity(path, answer);
    return Tree.of(
        "timestamp", state.times().now(),
        "tenant_id", Long.toString(state.tenantId()),
        "subject", caller == null ? "anonymous" : cut(caller.name(), MAX_TEXT),
        "subject_type",
            caller != null && caller.account().kind() == Account.Kind.USER ? "User" : "App",
        "source_ip", request.remoteAddress(),
        "action", action(request, path, route),
        "http_method", method(request),
        "url", path,
        "http_status_code", answer.code(),
        "result", answer.code() < 400 ? "Succeeded" : "Failed",
        "entity_type", cut(entityType(path), MAX_TEXT),
        "entity_name", cut(entity.name(), MAX_TEXT),
        "entity_id", cut(entity.id(), MAX_TEXT),
        "cluster_name", state.clusterName());
  }

  /// What has been noted between two times, as text of the API's form.
  public List<Tree> between(String start, String end) {
    var found = new ArrayList<Tree>();
    for (var entries : List.of(known, strangers)) {
      synchronized (entries) {
        for (var entry : entries) {
          var at = entry.textOrEmpty("timestamp");
          if (at.compareTo(start) >= 0 && at.compareTo(end) <= 0) {
            found.add(entry);
          }
        }
      }
    }
    found.sort(Comparator.comparing(entry -> entry.textOrEmpty("timestamp")));
    return found;
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - 1) + "…";
  }

  /// One of those that clients know, or none.
  private static @Nullable String method(Request request) {
    return switch (request.method()) {
      case "GET", "POST", "PUT", "PATCH", "DELETE" -> request.method();
      case "HEAD" -> "GET";
      default -> null;
    };
  }

  private static String action(Request request, String path, @Nullable Route route) {
    if (route != null && route.isOpen()) {
      return "sign-in";
    }
    return switch (request.method()) {
      case "POST" -> path.matches(".*/(suspend|resume|secret)") ? "update" : "create";
      case "DELETE" -> "delete";
      default -> "update";
    };
  }

  /// The collection in the path: `/api/v1/org-unit/projects/3` is about `projects`.
  private static String entityType(String path) {
    var type = "";
    for (var segment : path.split("/", -1)) {
      if (!segment.isEmpty() && !isId(segment) && !segment.matches("api|v\\d|org-unit|asset")) {
        type = segment;
      }
    }
    return type;
  }

  private record Entity(String id, String name) {}

  /// What the request was about: by its path, and what was made, changed or removed by the answer.
  private static Entity entity(String path, Answer answer) {
    var id = entityId(path);
    if (!(answer instanceof Answer.Whole whole)
        || whole.code() >= 300
        || whole.body().length == 0
        || whole.body().length > MAX_READ
        || !(Json.readValue(whole.body()) instanceof Tree body)) {
      return new Entity(id, "");
    }
    var made = body.treeOrEmpty("meta").isEmpty() ? body : body.treeOrEmpty("meta");
    for (var field : List.of("id", "workloadId")) {
      if (id.isEmpty() && made.get(field) != null) {
        id = String.valueOf(made.get(field));
      }
    }
    return new Entity(id, made.textOrEmpty("name"));
  }

  private static String entityId(String path) {
    var id = "";
    for (var segment : path.split("/", -1)) {
      id = isId(segment) ? segment : id;
    }
    return id;
  }

  private static boolean isId(String segment) {
    return segment.matches("\\d+|[0-9a-f]{8}-[0-9a-f-]{27}");
  }
}
