package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.codec.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How long workloads of a project may run.
class SchedulingRulesTest {

  private static final String TRAINING = "trainingJobTimeLimitSeconds";
  private static final String INTERACTIVE = "interactiveJobTimeLimitSeconds";

  private final Api api;

  SchedulingRulesTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of());
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void aTrainingStopsWhenItsTimeIsUp() {
    var project = project("team", "{schedulingRules: {trainingJobTimeLimitSeconds: 1}}", "");
    var limited = submit("trainings", project);
    var other = submit("workspaces", project);
    run(limited);
    run(other);
    awaitStopped(limited);

    assertThat(api.get("/api/v1/workloads/" + limited).body().text("phaseMessage"))
        .isEqualTo("stopped: it ran for the 1 s that its project's scheduling rules allow");
    api.await(() -> phase(other).equals("Running"));

    api.post("/api/v1/workloads/trainings/%s/resume".formatted(limited), null);
    run(limited);
    awaitStopped(limited);
  }

  @Test
  void aProjectMayOnlyBeStricterThanItsDepartment() {
    var department = department("{schedulingRules: {trainingJobTimeLimitSeconds: 100}}");
    var refused =
        created("loose", "{schedulingRules: {trainingJobTimeLimitSeconds: 101}}", department);
    var strict =
        project(
            "strict",
            "{schedulingRules: {trainingJobTimeLimitSeconds: 99,"
                + " interactiveJobTimeLimitSeconds: 7}}",
            department);
    var silent = project("silent", "{}", department);

    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.message())
        .isEqualTo(
            "Bad request - schedulingRules.trainingJobTimeLimitSeconds: 101 is more than the"
                + " department's 100");
    assertThat(effective(strict)).isEqualTo(Tree.of(TRAINING, 99L, INTERACTIVE, 7L));
    assertThat(effective(silent)).isEqualTo(Tree.of(TRAINING, 100L));
  }

  @Test
  void whoSetsAnIdleTimeIsToldThatItHasNoEffect() {
    var set = created("idle", "{schedulingRules: {trainingJobMaxIdleDurationSeconds: 9}}", "");

    assertThat(set.answer().headers().get("Warning"))
        .isEqualTo(
            "299 - \"schedulingRules.trainingJobMaxIdleDurationSeconds: has no effect, since"
                + " nothing measures the use of GPUs\"");
  }

  private Tree effective(String project) {
    return api.get("/api/v1/org-unit/projects/" + project)
        .body()
        .treeOrEmpty("effective", "schedulingRules");
  }

  private String department(String more) {
    return api.post("/api/v1/org-unit/departments", unit("research", more))
        .body()
        .textOrEmpty("id");
  }

  private String project(String name, String more, String department) {
    var reply = created(name, more, department);
    assertThat(reply.code()).as(reply.answer().text()).isEqualTo(201);
    return reply.body().textOrEmpty("id");
  }

  private Api.Reply created(String name, String more, String department) {
    var body = unit(name, more);
    return api.post(
        "/api/v1/org-unit/projects",
        department.isEmpty() ? body : body.put("parentId", department));
  }

  private Tree unit(String name, String more) {
    return Yaml.read(more)
        .put("name", name)
        .put("clusterId", api.clusterId())
        .put("resources", List.of());
  }

  private String submit(String type, String project) {
    return api.post(
            "/api/v1/workloads/" + type,
            Tree.of(
                "name",
                type,
                "projectId",
                project,
                "clusterId",
                api.clusterId(),
                "spec",
                Tree.of("image", "x")))
        .body()
        .textOrEmpty("workloadId");
  }

  private String phase(String id) {
    return api.get("/api/v1/workloads/" + id).body().textOrEmpty("phase");
  }

  /// Lets the pods go, as a kubelet would, when they have been told to.
  private void awaitStopped(String id) {
    api.await(() -> phase(id).equals("Stopping"));
    for (var pod : api.cluster.all(Resource.PODS)) {
      if (pod.text("metadata", "deletionTimestamp") != null) {
        api.cluster.delete(
            Resource.PODS,
            "runai-team",
            pod.textOrEmpty("metadata", "name"),
            DeleteOptions.now(pod.textOrEmpty("metadata", "uid")));
      }
    }
    api.await(() -> phase(id).equals("Stopped"));
  }

  /// What scheduler and kubelet would do.
  private void run(String id) {
    api.await(() -> pods(id).stream().anyMatch(pod -> isAdmitted(pod)));
    for (var pod : pods(id)) {
      var name = pod.textOrEmpty("metadata", "name");
      api.cluster.post(
          Resource.PODS, "runai-team", name, "binding", Tree.of("target", Tree.of("name", "n")));
      start(name);
    }
  }

  private List<Tree> pods(String id) {
    return api.cluster.all(Resource.PODS).stream()
        .filter(pod -> id.equals(pod.at("metadata", "labels", "berth.io/workload-id")))
        .filter(pod -> pod.text("metadata", "deletionTimestamp") == null)
        .toList();
  }

  private static boolean isAdmitted(Tree pod) {
    return pod.list("spec", "schedulingGates").isEmpty();
  }

  /// The controllers write to the pod as well: what came between is read again.
  private void start(String name) {
    while (true) {
      var pod = api.cluster.fetch(Resource.PODS, "runai-team", name).copy();
      pod.putAt("Running", "status", "phase");
      pod.putAt(List.of(Tree.of("type", "Ready", "status", "True")), "status", "conditions");
      try {
        api.cluster.update(Resource.PODS, "status", pod);
        return;
      } catch (ApiException e) {
        assertThat(e.code()).isEqualTo(409);
      }
    }
  }
}
