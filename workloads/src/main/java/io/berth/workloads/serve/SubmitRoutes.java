package io.berth.workloads.serve;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Caller;
import io.berth.workloads.access.Scope;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.org.Projects;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Submission;
import io.berth.workloads.submit.Submission.Accepted;
import io.berth.workloads.submit.WorkloadKind;
import io.berth.workloads.submit.WorkloadNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// `/api/v1/workloads/{type}`: submit, read, suspend, resume, delete; and the batch of these.
public final class SubmitRoutes {

  private static final String BASE = "/api/v1/workloads/";
  private static final String FINALIZER = "berth.io/workloads";
  private static final int MAX_WAIT_SECONDS = 600;

  private final State state;
  private final Projects projects;
  private final Submission submission;
  private final Templates templates;
  private final WorkloadView view;

  public SubmitRoutes(State state, Submission submission) {
    this.state = state;
    this.projects = new Projects(state);
    this.submission = submission;
    this.templates = new Templates(state);
    this.view = new WorkloadView(state);
  }

  public void addTo(Routes routes) {
    for (var kind : WorkloadKind.values()) {
      var base = BASE + kind.path();
      var one = base + "/{workloadId}";
      var name = kind.name().toLowerCase(Locale.ROOT);
      routes
          .post(base, "create_" + name, call -> submit(kind, call))
          .needs(Action.CREATE, kind.access())
          .takes(kind.title() + "CreationRequest")
          .query("dryRun", "wait", "timeoutSeconds")
          .answers(202);
      routes
          .get(one, "get_" + name, call -> Answer.json(200, view.typed(found(kind, call))))
          .needs(Action.READ, kind.access());
      routes
          .delete(one, "delete_" + name, call -> act("delete", kind, call))
          .needs(Action.DELETE, kind.access())
          .answers(202);
      if (kind.canBeSuspended()) {
        routes
            .post(one + "/suspend", "suspend_" + name, call -> act("suspend", kind, call))
            .needs(Action.UPDATE, kind.access())
            .answers(202);
        routes
            .post(one + "/resume", "resume_" + name, call -> act("resume", kind, call))
            .needs(Action.UPDATE, kind.access())
            .answers(202);
      } else {
        routes
            .patch(one, "update_" + name + "_spec", call -> update(kind, call))
            .needs(Action.UPDATE, kind.access())
            .takes(kind == WorkloadKind.INFERENCE ? "InferenceUpdateRequest" : "UpdateRequest")
            .answers(202);
      }
    }
    routes.post(BASE + "batch", "batch_workloads", this::batch).takes("WorkloadBatch").answers(200);
  }

  // ---- submitting ------------------------------------------------------------------------------

  private Answer submit(WorkloadKind kind, Call call) {
    var body = call.body(kind.title() + "CreationRequest");
    boolean dryRun = dryRun(call);
    int patience = patience(call);
    var project = project(kind, body, call.caller());
    var requested = templates.applied(kind, body, call.caller());
    var accepted = submission.accept(kind, project, specOf(kind, requested));
    var name = name(body);
    var object = object(name, body, project, accepted, call.caller());
    if (dryRun) {
      checkFree(project, name);
      var tried = object.copy().put("kind", kind.resource().kind());
      tried.child("metadata").put("uid", new UUID(0, 0).toString());
      return answer(tried, project, accepted.warnings());
    }
    var created = create(kind, project, name, object);
    return answer(
        patience == 0 ? created : awaitScheduled(kind, created, patience),
        project,
        accepted.warnings());
  }

  /// How many seconds the caller wants to wait for the pods to have their nodes.
  private static int patience(Call call) {
    int seconds = ListRequest.number(call.request(), "timeoutSeconds", 30, 1, MAX_WAIT_SECONDS);
    return switch (call.parameter("wait")) {
      case "" -> 0;
      case "scheduled" -> seconds;
      case String other ->
          throw Refusal.badRequest("wait: \"%s\" is not scheduled".formatted(other));
    };
  }

  private static boolean dryRun(Call call) {
    return switch (call.parameter("dryRun")) {
      case "" -> false;
      case "all", "All" -> true;
      case String other -> throw Refusal.badRequest("dryRun: \"%s\" is not all".formatted(other));
    };
  }

  /// A project the caller may not submit to is refused alike whether it exists or not.
  private Tree project(WorkloadKind kind, Tree body, Caller caller) {
    var id = body.textOrEmpty("projectId");
    if (!caller.may(Action.CREATE, kind.access(), Scope.project(id))) {
      throw Refusal.forbidden();
    }
    if (!body.textOrEmpty("clusterId").equals(state.clusterId())) {
      throw Refusal.badRequest(
          "Bad request - clusterId: there is no cluster \"%s\"".formatted(body.text("clusterId")));
    }
    return projects
        .find(id)
        .filter(project -> project.text("metadata", "deletionTimestamp") == null)
        .orElseThrow(() ->
            Refusal.badRequest(
                "Bad request - projectId: there is no project \"%s\"".formatted(id)));
  }

  /// The specification as objects keep it: the master of a distributed training inside.
  private static Tree specOf(WorkloadKind kind, Tree body) {
    var spec = body.treeOrEmpty("spec").copy();
    var master = body.tree("masterSpec");
    if (kind == WorkloadKind.DISTRIBUTED && master != null) {
      if (body.flag("masterSpecSameAsWorker")) {
        throw Refusal.badRequest(
            "Bad request - masterSpec: must be absent when masterSpecSameAsWorker is true");
      }
      spec.put("master", master);
    }
    return spec;
  }

  private static String name(Tree body) {
    var name = body.textOrEmpty("name");
    WorkloadNames.check(name);
    if (!body.flag("useGivenNameAsPrefix")) {
      return name;
    }
    var suffix = UUID.randomUUID().toString().substring(0, 6);
    return (name.length() > 56 ? name.substring(0, 56) : name) + "-" + suffix;
  }

  private Tree object(String name, Tree body, Tree project, Accepted accepted, Caller caller) {
    return Tree.of(
        "metadata",
        Tree.of(
            "name", name,
            "namespace", Projects.namespace(project),
            "finalizers", List.of(FINALIZER),
            "annotations",
                Tree.of(
                    WorkloadView.CREATED_BY, caller.name(),
                    WorkloadView.REQUESTED_NAME, body.text("name"),
                    Submission.PRESETS, String.join(",", accepted.presets()),
                    State.CREATED_AT, state.times().now())),
        "spec",
        accepted.spec());
  }

  /// One at a time: a name belongs to one workload of a project, whatever its type.
  private synchronized Tree create(WorkloadKind kind, Tree project, String name, Tree object) {
    checkFree(project, name);
    try {
      return state.table(kind.resource()).create(object);
    } catch (ApiException e) {
      throw e.code() == 409 ? taken(name, project) : e;
    }
  }

  private void checkFree(Tree project, String name) {
    for (var resource : BerthKinds.WORKLOADS) {
      if (state.table(resource).find(Projects.namespace(project), name).isPresent()) {
        throw taken(name, project);
      }
    }
  }

  private static Refusal taken(String name, Tree project) {
    return Refusal.badRequest(
        "Bad request - a workload named \"%s\" already exists in project \"%s\""
            .formatted(name, Projects.name(project)));
  }

  private Answer answer(Tree workload, Tree project, List<String> warnings) {
    var found = new Found(workload, Projects.id(project), project, null);
    return Answer.json(202, view.typed(found)).warning(warnings);
  }

  /// Waits until all pods have a node, then answers whatever the phase is.
  private Tree awaitScheduled(WorkloadKind kind, Tree created, int seconds) {
    var end = System.nanoTime() + seconds * 1_000_000_000L;
    var id = created.textOrEmpty("metadata", "uid");
    var news = new Semaphore(0);
    var table = state.table(kind.resource());
    try (var _ = table.subscribe(_ -> news.release())) {
      var latest = created;
      while (true) {
        latest = table.findByUid(id).orElse(latest);
        long left = end - System.nanoTime();
        if (left <= 0 || !isWaiting(latest.textOrEmpty("status", "phase"))) {
          return latest;
        }
        if (news.tryAcquire(left, TimeUnit.NANOSECONDS)) {
          news.drainPermits();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return created;
    }
  }

  private static boolean isWaiting(String phase) {
    return switch (phase) {
      case "", "Creating", "Pending", "Resuming" -> true;
      default -> false;
    };
  }

  // ---- changing --------------------------------------------------------------------------------

  private Found found(WorkloadKind kind, Call call) {
    var found = Found.of(state, call.caller(), call.path("workloadId"));
    if (found.kind() != kind) {
      throw Refusal.notFound();
    }
    return found;
  }

  private Answer act(String action, WorkloadKind kind, Call call) {
    act(action, found(kind, call), call.caller());
    return Answer.json(202, Tree.of("code", 202, "message", "Request has been accepted."));
  }

  private void act(String action, Found found, Caller caller) {
    if (found.deletedAt() != null) {
      throw Refusal.notFound();
    }
    caller.require(
        action.equals("delete") ? Action.DELETE : Action.UPDATE,
        found.kind().access(),
        found.scope());
    var table = state.table(found.kind().resource());
    if (action.equals("delete")) {
      if (!table.delete(found.workload())) {
        throw Refusal.notFound();
      }
      return;
    }
    if (!found.kind().canBeSuspended()) {
      throw Refusal.badRequest("Bad request - an inference cannot be suspended or resumed");
    }
    table.change(
        found.namespace(),
        found.name(),
        object -> found.checked(object).putAt(action.equals("suspend"), "spec", "suspend"));
  }

  private Answer batch(Call call) {
    var body = call.body("WorkloadBatch");
    var succeeded = new ArrayList<Object>();
    var failed = new ArrayList<Object>();
    for (var id : body.list("ids")) {
      try {
        var found = Found.of(state, call.caller(), String.valueOf(id));
        act(body.textOrEmpty("action"), found, call.caller());
        succeeded.add(id);
      } catch (Refusal e) {
        failed.add(Tree.of("id", id, "code", e.code(), "message", e.getMessage()));
      }
    }
    return Answer.json(
        200, Tree.of("id", UUID.randomUUID().toString(), "succeeded", succeeded, "failed", failed));
  }

  private Answer update(WorkloadKind kind, Call call) {
    var change =
        call.body(kind == WorkloadKind.INFERENCE ? "InferenceUpdateRequest" : "UpdateRequest")
            .treeOrEmpty("spec");
    return update(kind, change, call);
  }

  /// The fields a request names are laid over the specification; then it is accepted anew. One at a
  /// time, so that no change is made from what another is about to replace.
  private synchronized Answer update(WorkloadKind kind, Tree change, Call call) {
    var found = found(kind, call);
    if (found.deletedAt() != null || found.project() == null) {
      throw Refusal.notFound();
    }
    call.caller().require(Action.UPDATE, kind.access(), found.scope());
    var spec = found.workload().treeOrEmpty("spec").copy();
    change
        .fields()
        .forEach((field, value) -> {
          boolean section =
              List.of("compute", "autoscaling", "servingConfiguration").contains(field);
          if (section && value instanceof Tree tree && spec.tree(field) != null) {
            tree.fields().forEach((name, each) -> spec.child(field).put(name, each));
          } else {
            spec.put(field, value);
          }
        });
    var accepted = submission.accept(kind, found.project(), spec);
    var table = state.table(kind.resource());
    table.change(
        found.namespace(),
        found.name(),
        object -> found.checked(object).put("spec", accepted.spec()));
    var changed =
        table.changeStatus(
            found.namespace(),
            found.name(),
            object -> found.checked(object).putAt(accepted.placements(), "status", "placements"));
    return answer(changed, found.project(), accepted.warnings());
  }
}
