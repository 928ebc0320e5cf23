package io.berth.workloads.rest;

import io.berth.api.ApiException;
import io.berth.workloads.access.Caller;
import io.berth.workloads.access.Callers;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.http.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the route of a request, who calls and whether they may, and answers whatever happens.
public final class Router {

  private static final Logger log = LoggerFactory.getLogger(Router.class);
  private static final Set<String> READ_ONLY = Set.of("GET", "HEAD");

  private final RouteTree tree = new RouteTree();
  private final List<Route> routes;
  private final Callers callers;
  private final AuditLog audit;
  private final Conditional conditional;
  private final Repeats repeats = new Repeats();
  private final Object writes = new Object();

  public Router(List<Route> routes, Callers callers, AuditLog audit) {
    this.routes = routes;
    this.callers = callers;
    this.audit = audit;
    this.conditional = new Conditional(this::fresh);
    routes.forEach(tree::add);
  }

  public List<Route> routes() {
    return routes;
  }

  public Answer answer(Request request) {
    Route route = null;
    Caller caller = null;
    Answer answer;
    try {
      route = route(request);
      caller = route.isOpen() ? null : callers.of(request);
      if (caller != null) {
        request.sender().isKnownAs(caller.account().clientId());
      }
      allow(route, caller);
      answer = admitted(route, new Call(request, parameters(route, request), caller));
    } catch (Refusal e) {
      answer = e.answer();
    } catch (ApiException e) {
      answer = translated(e).answer();
    } catch (RuntimeException | StackOverflowError e) {
      log.error("{} {} failed", request.method(), request.path(), e);
      answer = new Refusal(500, "Please try again in few minutes.").answer();
    }
    audit.note(request, route, caller, answer);
    return answer;
  }

  /// With a place among the requests that are worked on, which it takes when its body is there.
  private Answer admitted(Route route, Call call) {
    boolean write = !READ_ONLY.contains(call.request().method());
    if (write) {
      var _ = call.bytes();
    }
    try (var _ = call.request().sender().enter(write)) {
      return run(route, call);
    }
  }

  private Answer run(Route route, Call call) {
    return conditional.around(call, () -> repeats.around(route, call, () -> handle(route, call)));
  }

  /// Writes come one at a time: they look at what there is, a free name, say, before they change
  /// it. Those to workloads see to that themselves, since they may be told to wait.
  private Answer handle(Route route, Call call) {
    if (route.isOpen()
        || call.request().method().equals("GET")
        || route.path().startsWith("/api/v1/workloads/")) {
      return route.handler().handle(call);
    }
    synchronized (writes) {
      return route.handler().handle(call);
    }
  }

  private Route route(Request request) {
    var methods = tree.find(segments(request.path()));
    if (methods == null) {
      throw new Refusal(404, "There is nothing at %s.".formatted(request.path()));
    }
    var route = methods.get(request.method());
    if (route == null && request.method().equals("HEAD")) {
      route = methods.get("GET");
    }
    if (route == null) {
      throw Refusal.methodNotAllowed(request.method(), methods.keySet());
    }
    return route;
  }

  private static void allow(Route route, @Nullable Caller caller) {
    var type = route.type();
    var action = route.action();
    if (caller != null && type != null && action != null && !caller.mayAnywhere(action, type)) {
      throw Refusal.forbidden();
    }
  }

  /// The same object as it is now, for conditional requests; `null` when there is none to compare.
  private @Nullable Answer fresh(Call call) {
    var methods = tree.find(segments(call.request().path()));
    var route = methods == null ? null : methods.get("GET");
    if (route == null) {
      return null;
    }
    allow(route, call.caller());
    return route.handler().handle(call);
  }

  private static Map<String, String> parameters(Route route, Request request) {
    var segments = segments(request.path());
    var parameters = new HashMap<String, String>();
    for (int i = 0; i < segments.size(); i++) {
      var name = route.segments().get(i);
      if (name.startsWith("{")) {
        parameters.put(name.substring(1, name.length() - 1), segments.get(i));
      }
    }
    return parameters;
  }

  private static List<String> segments(String path) {
    var trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    return List.of((trimmed.startsWith("/") ? trimmed.substring(1) : trimmed).split("/", -1));
  }

  // The cluster refused: its words are the reason, its code is ours where we have the same.
  private static Refusal translated(ApiException e) {
    return switch (e.code()) {
      case 400, 422 -> Refusal.badRequest("Bad request - " + e.getMessage());
      // Gone between our look and our write.
      case 404 -> Refusal.notFound();
      case 409 -> new Refusal(409, String.valueOf(e.getMessage()));
      case 413 -> new Refusal(413, String.valueOf(e.getMessage()));
      case 429 -> new Refusal(429, String.valueOf(e.getMessage()));
      default -> {
        log.warn("the cluster refused: {}", e.getMessage());
        yield new Refusal(503, "Please try again in few minutes.");
      }
    };
  }
}
