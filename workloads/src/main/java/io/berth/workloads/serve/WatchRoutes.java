package io.berth.workloads.serve;

import static io.berth.workloads.access.ResourceType.WORKLOADS;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Caller;
import io.berth.workloads.http.Answer;
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
  private final WorkloadView view;

  public WatchRoutes(State state) {
    this.state = state;
    this.view = new WorkloadView(state);
  }

  public void addTo(Routes routes) {
    routes
        .get("/api/v1/workloads/watch", "watch_workloads", this::watch)
        .needs(Action.READ, WORKLOADS)
        .of("text/event-stream");
  }

  private Answer watch(Call call) {
    var caller = call.caller();
    return new Answer.Stream(
        200,
        java.util.Map.of("Content-Type", "text/event-stream", "Cache-Control", "no-store"),
        outlet -> follow(caller, outlet));
  }

  private void follow(Caller caller, Answer.Outlet outlet)
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
        if (news.tryAcquire(PING_SECONDS, TimeUnit.SECONDS)) {
          news.drainPermits();
          sendChanges(caller, outlet, sent);
        } else {
          outlet.send(": still here\n\n".getBytes(StandardCharsets.UTF_8));
        }
      }
    } finally {
      subscriptions.forEach(Subscription::close);
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
