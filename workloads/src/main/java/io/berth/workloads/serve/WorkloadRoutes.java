package io.berth.workloads.serve;

import static io.berth.workloads.access.ResourceType.WORKLOADS;

import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;

/// `/api/v1/workloads`: lists of all types, one by id, its pods, events, history and metrics.
public final class WorkloadRoutes {

  private static final String BASE = "/api/v1/workloads";
  private static final String ONE = BASE + "/{workloadId}";

  private final State state;
  private final WorkloadView view;
  private final PodView pods;
  private final Happenings happenings;
  private final Metrics metrics;
  private final Telemetry telemetry;

  public WorkloadRoutes(State state) {
    this.state = state;
    this.view = new WorkloadView(state);
    this.pods = new PodView(state);
    this.happenings = new Happenings(state);
    this.metrics = new Metrics(state);
    this.telemetry = new Telemetry(state);
  }

  public void addTo(Routes routes) {
    routes
        .get(BASE, "get_workloads", this::list)
        .needs(Action.READ, WORKLOADS)
        .query("deleted", "offset", "limit", "sortOrder", "sortBy", "filterBy[]", "search");
    routes
        .get(BASE + "/count", "count_workloads", this::count)
        .needs(Action.READ, WORKLOADS)
        .query("deleted", "filterBy[]", "search");
    routes
        .get(
            BASE + "/telemetry",
            "get_workloads_telemetry",
            call -> Answer.json(200, telemetry.of(call, visible(call, false))))
        .needs(Action.READ, WORKLOADS)
        .query(
            "clusterId",
            "nodepoolName",
            "departmentId",
            "groupBy[]",
            "telemetryType*",
            "filterByPhases[]");
    routes
        .get(BASE + "/pods", "list_pods", this::listPods)
        .needs(Action.READ, WORKLOADS)
        .query(
            "deleted",
            "offset",
            "limit",
            "sortOrder",
            "sortBy",
            "filterBy[]",
            "verbosity",
            "completed",
            "search");
    routes
        .get(
            BASE + "/pods/count",
            "count_pods",
            call ->
                Answer.json(
                    200,
                    Tree.of(
                        "count",
                        ListRequest.of(call.request(), PodView.COLUMNS)
                            .select(allPods(call))
                            .size())))
        .needs(Action.READ, WORKLOADS)
        .query("deleted", "filterBy[]", "search");
    routes
        .get(ONE, "get_workload", call -> told(call, view.detailed(found(call))))
        .needs(Action.READ, WORKLOADS);
    routes
        .get(
            ONE + "/pods",
            "get_workload_pods",
            call ->
                Answer.json(
                    200,
                    ListRequest.of(call.request(), PodView.COLUMNS)
                        .page(call.flag("deleted") ? List.of() : pods.of(found(call)))
                        .body("pods")))
        .needs(Action.READ, WORKLOADS)
        .query("deleted", "offset", "limit", "search", "sortBy", "sortOrder", "filterBy[]");
    routes
        .get(ONE + "/events", "get_workload_events", this::events)
        .needs(Action.READ, WORKLOADS)
        .query("offset", "limit", "sortOrder");
    routes
        .get(ONE + "/history", "get_workload_history", this::history)
        .needs(Action.READ, WORKLOADS)
        .query("offset", "limit");
    addMetrics(routes, ONE, "get_workload", false);
    addMetrics(routes, BASE + "/inferences/{workloadId}", "get_inference_workload", true);
  }

  /// Of inferences, what only a serving layer could count is asked for beside the rest.
  private void addMetrics(Routes routes, String base, String name, boolean inference) {
    routes
        .get(
            base + "/metrics",
            name + "_metrics",
            call ->
                metrics.of(
                    call,
                    inference ? MetricType.INFERENCE : MetricType.WORKLOAD,
                    Metrics.ofPods(state.podsOf(found(call, inference).workload()))))
        .needs(Action.READ, WORKLOADS)
        .query("metricType[]*", "start*", "end*", "numberOfSamples")
        .answers(207);
    routes
        .get(
            base + "/pods/{podId}/metrics",
            name + "_pod_metrics",
            call ->
                metrics.of(
                    call,
                    inference ? MetricType.INFERENCE : MetricType.POD,
                    Metrics.ofPods(List.of(pod(call, found(call, inference))))))
        .needs(Action.READ, WORKLOADS)
        .query("metricType[]*", "start*", "end*", "numberOfSamples")
        .answers(207);
  }

  private Found found(Call call, boolean inference) {
    var found = found(call);
    if (inference && !found.kind().isInference()) {
      throw Refusal.notFound();
    }
    return found;
  }

  private Found found(Call call) {
    return Found.of(state, call.caller(), call.path("workloadId"));
  }

  private Tree pod(Call call, Found found) {
    return state.podsOf(found.workload()).stream()
        .filter(pod -> pod.textOrEmpty("metadata", "uid").equals(call.path("podId")))
        .findFirst()
        .orElseThrow(Refusal::notFound);
  }

  private List<Tree> visible(Call call, boolean deleted) {
    return Found.visible(state, call.caller(), deleted).stream().map(view::listed).toList();
  }

  private Answer list(Call call) {
    var page =
        ListRequest.of(call.request(), WorkloadView.COLUMNS)
            .page(visible(call, call.flag("deleted")));
    return told(call, page.body("workloads"));
  }

  private Answer count(Call call) {
    var request = ListRequest.of(call.request(), WorkloadView.COLUMNS);
    return Answer.json(
        200, Tree.of("count", request.select(visible(call, call.flag("deleted"))).size()));
  }

  private Answer listPods(Call call) {
    var page = ListRequest.of(call.request(), PodView.COLUMNS).page(allPods(call));
    return Answer.json(200, page.body("pods"));
  }

  private List<Tree> allPods(Call call) {
    var all = new ArrayList<Tree>();
    if (call.flag("deleted")) {
      return all;
    }
    boolean full = call.parameter("verbosity").endsWith("full");
    for (var found : Found.visible(state, call.caller(), false)) {
      for (var pod : pods.of(found)) {
        if (isAskedFor(pod, call.parameter("completed"))) {
          all.add(full ? pod : brief(pod));
        }
      }
    }
    return all;
  }

  private static Tree brief(Tree pod) {
    pod.remove("projectName");
    pod.remove("workloadName");
    return pod;
  }

  private static boolean isAskedFor(Tree pod, String completed) {
    return switch (completed) {
      case "true" -> pod.text("completedAt") != null;
      case "false" -> pod.text("completedAt") == null;
      default -> true;
    };
  }

  private Answer events(Call call) {
    boolean descending = ListRequest.descending(call.parameter("sortOrder"), true);
    return told(call, page(call, happenings.events(found(call), descending), "events"));
  }

  private Answer history(Call call) {
    return told(call, page(call, happenings.history(found(call)), "records"));
  }

  static Tree page(Call call, List<Tree> all, String name) {
    int offset = ListRequest.number(call.request(), "offset", 0, 0, Integer.MAX_VALUE);
    int limit = ListRequest.number(call.request(), "limit", 50, 1, 500);
    int from = Math.min(offset, all.size());
    int to = Math.min(all.size() - from, limit) + from;
    return new ListRequest.Page(all.subList(from, to), all.size(), to < all.size() ? to : -1)
        .body(name);
  }

  private Answer told(Call call, Tree body) {
    return told(state, call, body);
  }

  static Answer told(State state, Call call, Tree body) {
    return Answer.json(200, new Discretion(state, call.caller()).applied(body));
  }
}
