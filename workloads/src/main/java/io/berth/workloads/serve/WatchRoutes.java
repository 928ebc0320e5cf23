package io.berth.workloads.serve;

import static io.berth.workloads.access.ResourceType.WORKLOADS;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Caller;
import io.berth.workloads.access.Callers;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.http.Request;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.Objects.Subscription;
import io.berth.workloads.state.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// `GET /api/v1/workloads/watch`: server-sent events, one for every change the caller may see.
///
/// It begins with everything there is. Each stream keeps one state per workload, not a queue of
/// changes: a slow reader misses steps in between, never the last one.
public final class WatchRoutes {

  private static final long PING_SECONDS = 15;

  private final State state;
  private final Callers callers;
  private final WorkloadView view;

  public WatchRoutes(State state, Callers callers) {
    this.state = state;
    this.callers = callers;
    this.view = new WorkloadView(state);
  }

  public void addTo(Routes routes) {
    routes
        .get("/api/v1/workloads/watch", "watch_workloads", this::watch)
        .needs(Action.READ, WORKLOADS)
        .of("text/event-stream");
  }

  private Answer watch(Call call) {
    return new Answer.Stream(
        200,
        java.util.Map.of("Content-Type", "text/event-stream", "Cache-Control", "no-store"),
        outlet -> follow(call.request(), outlet));
  }

  private void follow(Request request, Answer.Outlet outlet)
      throws IOException, InterruptedException {
    var news = new Semaphore(1);
    var gone = new AtomicBoolean();
    outlet.onClose(() -> {
      gone.set(true);
      news.release();
    });
    var subscriptions = new ArrayList<Subscription>();
    try {
      for (var resource : BerthKinds.WORKLOADS) {
        subscriptions.add(state.table(resource).subscribe(_ -> news.release()));
      }
      var sent = new HashMap<String, String>();
      while (!gone.get()) {
        boolean changed = news.tryAcquire(PING_SECONDS, TimeUnit.SECONDS);
        var caller = caller(request);
        if (caller.isEmpty()) {
          return;
        }
        if (changed) {
          news.drainPermits();
          sendChanges(caller.get(), outlet, sent);
        } else {
          outlet.send(": still here\n\n".getBytes(StandardCharsets.UTF_8));
        }
      }
    } finally {
      subscriptions.forEach(Subscription::close);
    }
  }

  /// Who sent the request, if they may still have what they asked for: tokens expire, and rights
  /// end.
  private Optional<Caller> caller(Request request) {
    try {
      return Optional.of(callers.of(request))
          .filter(caller -> caller.mayAnywhere(Action.READ, WORKLOADS));
    } catch (Refusal e) {
      return Optional.empty();
    }
  }

  private void sendChanges(Caller caller, Answer.Outlet outlet, Map<String, String> sent)
      throws IOException {
    var discretion = new Discretion(state, caller);
    var now = new HashMap<String, String>();
    for (var found : Found.visible(state, caller, false)) {
      var version = found.workload().textOrEmpty("metadata", "resourceVersion");
      now.put(found.id(), version);
      if (!version.equals(sent.get(found.id()))) {
        send(
            outlet,
            sent.containsKey(found.id()) ? "modified" : "added",
            discretion.applied(view.listed(found)));
      }
    }
    for (var id : sent.keySet()) {
      if (!now.containsKey(id)) {
        send(outlet, "deleted", Tree.of("id", id));
      }
    }
    sent.clear();
    sent.putAll(now);
  }

  private static void send(Answer.Outlet outlet, String event, Tree data) throws IOException {
    outlet.send(
        "event: %s\ndata: %s\n\n"
            .formatted(event, Json.text(data))
            .getBytes(StandardCharsets.UTF_8));
  }
}
