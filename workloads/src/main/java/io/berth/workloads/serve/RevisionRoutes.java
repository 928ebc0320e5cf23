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
import io.berth.workloads.submit.Revisions;
import io.berth.workloads.submit.WorkloadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// `/api/v1/workloads/inferences/…/revisions`: what an inference has been, change by change.
public final class RevisionRoutes {

  private static final String BASE = "/api/v1/workloads/inferences/";
  private static final String OF_ONE = BASE + "{workloadId}/revisions";
  private static final String ONE = BASE + "revisions/{revisionId}";

  private final State state;
  private final WorkloadView workloads;
  private final PodView pods;
  private final Happenings happenings;

  public RevisionRoutes(State state) {
    this.state = state;
    this.workloads = new WorkloadView(state);
    this.pods = new PodView(state);
    this.happenings = new Happenings(state);
  }

  public void addTo(Routes routes) {
    routes
        .get(
            OF_ONE,
            "get_inference_workload_revisions",
            call -> Answer.json(200, Tree.of("revisions", revisions(call))))
        .needs(Action.READ, WORKLOADS)
        .query("deleted");
    routes
        .get(
            OF_ONE + "/count",
            "count_inference_workload_revisions",
            call -> Answer.json(200, Tree.of("count", revisions(call).size())))
        .needs(Action.READ, WORKLOADS)
        .query("deleted");
    routes
        .get(ONE, "get_revision", call -> Answer.json(200, view(found(call))))
        .needs(Action.READ, WORKLOADS);
    routes
        .get(
            ONE + "/pods",
            "get_revision_pods",
            call ->
                Answer.json(
                    200, Tree.of("pods", call.flag("deleted") ? List.of() : podsOf(found(call)))))
        .needs(Action.READ, WORKLOADS)
        .query("deleted");
    routes
        .get(ONE + "/events", "get_revision_events", this::events)
        .needs(Action.READ, WORKLOADS)
        .query("offset", "limit", "sortOrder");
    routes
        .get(ONE + "/history", "get_revision_history", this::history)
        .needs(Action.READ, WORKLOADS)
        .query("offset", "limit");
  }

  /// A revision of a workload; `until` is when the next one began.
  private record Revision(Found of, Tree revision, @Nullable String until) {

    String id() {
      return revision.textOrEmpty("id");
    }

    boolean covers(String time) {
      return time.compareTo(revision.textOrEmpty("createdAt")) >= 0
          && (until == null || time.compareTo(until) < 0);
    }

    /// As above, by the second: events know no more, so that two revisions may have the same.
    boolean coversEvent(Tree event) {
      var second = event.textOrEmpty("createdAt").substring(0, 19);
      return second.compareTo(revision.textOrEmpty("createdAt").substring(0, 19)) >= 0
          && (until == null || second.compareTo(until.substring(0, 19)) <= 0);
    }
  }

  private List<Object> revisions(Call call) {
    var found = Found.of(state, call.caller(), call.path("workloadId"));
    if (found.kind() != WorkloadKind.INFERENCE) {
      throw Refusal.notFound();
    }
    var views = new ArrayList<Object>();
    if (call.flag("deleted") == (found.deletedAt() != null)) {
      of(found).map(this::view).forEach(views::add);
    }
    return views;
  }

  private Revision found(Call call) {
    return Stream.of(false, true)
        .flatMap(deleted -> Found.visible(state, call.caller(), deleted).stream())
        .filter(found -> found.kind() == WorkloadKind.INFERENCE)
        .flatMap(RevisionRoutes::of)
        .filter(revision -> revision.id().equals(call.path("revisionId")))
        .findFirst()
        .orElseThrow(Refusal::notFound);
  }

  private static Stream<Revision> of(Found found) {
    var all = Revisions.of(found.workload());
    var revisions = new ArrayList<Revision>();
    for (int i = 0; i < all.size(); i++) {
      var until = i + 1 < all.size() ? all.get(i + 1).text("createdAt") : null;
      revisions.add(new Revision(found, all.get(i), until));
    }
    return revisions.stream();
  }

  private Tree view(Revision revision) {
    var found = revision.of();
    var then = Revisions.at(found.workload(), revision.revision());
    var whole =
        workloads.listed(
            new Found(then, found.projectId(), found.project(), found.deletedAt()),
            rawPods(revision));
    var view =
        Tree.of(
            "type", "Revision",
            "name", "%s-%05d".formatted(found.name(), revision.revision().number(0, "number")),
            "id", revision.id(),
            "workloadId", found.id(),
            "createdAt", revision.revision().text("createdAt"),
            "phase", phase(revision),
            "runningPods", rawPods(revision).stream().filter(RevisionRoutes::isRunning).count(),
            "revisionRequestedResources", whole.get("workloadRequestedResources"));
    for (var field : SHARED) {
      view.put(field, whole.get(field));
    }
    return view;
  }

  /// What a revision shows as its workload does.
  private static final List<String> SHARED =
      List.of(
          "tenantId",
          "clusterId",
          "projectId",
          "departmentId",
          "deletedAt",
          "podsRequestedResources",
          "requestedPods",
          "requestedNodePools",
          "allocatedResources",
          "currentNodePools",
          "images",
          "environmentVariables",
          "command",
          "arguments",
          "childrenIds");

  /// The newest is where its workload is; those before it end with their last pods.
  private String phase(Revision revision) {
    if (revision.until() == null) {
      return WorkloadView.phase(revision.of());
    }
    return rawPods(revision).isEmpty() ? "Stopped" : "Terminating";
  }

  private static boolean isRunning(Tree pod) {
    return pod.textOrEmpty("status", "phase").equals("Running");
  }

  private List<Tree> rawPods(Revision revision) {
    return state.podsOf(revision.of().workload()).stream()
        .filter(pod -> revision.id().equals(PodView.revisionOf(pod)))
        .toList();
  }

  private List<Tree> podsOf(Revision revision) {
    return pods.of(revision.of()).stream()
        .filter(pod -> revision.id().equals(pod.text("revisionId")))
        .toList();
  }

  private Answer events(Call call) {
    var revision = found(call);
    boolean descending = ListRequest.descending(call.parameter("sortOrder"), true);
    var events =
        happenings.events(revision.of(), descending).stream()
            .filter(revision::coversEvent)
            .toList();
    return WorkloadRoutes.told(state, call, WorkloadRoutes.page(call, events, "events"));
  }

  private Answer history(Call call) {
    var revision = found(call);
    var records =
        happenings.history(revision.of()).stream()
            .filter(record ->
                record.tree("spec", "event") == null
                    ? revision.covers(record.textOrEmpty("meta", "creationTimestamp"))
                    : revision.coversEvent(record.treeOrEmpty("spec", "event")))
            .toList();
    return WorkloadRoutes.told(state, call, WorkloadRoutes.page(call, records, "records"));
  }
}
