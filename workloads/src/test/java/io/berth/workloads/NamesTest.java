package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.workloads.state.BerthKinds;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Names that are much alike, given twice, or used again.
class NamesTest {

  private final Api api;
  private final String project;

  NamesTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of());
    this.project = api.project("team", "default");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  /// The pods of a distributed training have its name and their role in theirs.
  @Test
  void aWorkloadMayBeCalledLikeARoleOfAnother() {
    api.submit("distributed", "a", project, "{image: x, numWorkers: 1}");
    for (var name : List.of("a-worker", "a-master", "a-leader")) {
      api.submit("workspaces", name, project, "{image: x}");
    }

    api.await(() -> api.cluster.all(Resource.PODS).size() == 5);

    assertThat(api.cluster.all(Resource.PODS))
        .extracting(pod -> pod.at("metadata", "labels", "berth.io/workload"))
        .containsExactlyInAnyOrder("a", "a", "a-worker", "a-master", "a-leader");
  }

  @Test
  void eventsAreOfTheWorkloadAndNotOfOneThatIsCalledAlike() {
    var gang = api.submit("distributed", "a", project, "{image: x, numWorkers: 1}");
    var other = api.submit("workspaces", "a-worker", project, "{image: x}");
    api.await(() -> api.cluster.all(Resource.PODS).size() == 3);
    for (var pod : api.cluster.all(Resource.PODS)) {
      var name = pod.textOrEmpty("metadata", "name");
      api.cluster.create(
          Resource.CORE_EVENTS,
          Tree.of(
              "metadata",
              Tree.of("name", name, "namespace", "runai-team"),
              "involvedObject",
              Tree.of("kind", "Pod", "name", name, "namespace", "runai-team"),
              "reason",
              "Seen",
              "message",
              String.valueOf(pod.at("metadata", "labels", "berth.io/workload"))));
    }

    api.await(() -> seen(gang).size() == 2 && seen(other).size() == 1);
    assertThat(seen(gang)).containsExactly("a", "a");
    assertThat(seen(other)).containsExactly("a-worker");
  }

  private List<String> seen(Api.Reply submitted) {
    var path = "/api/v1/workloads/%s/events".formatted(submitted.body().text("workloadId"));
    return api.get(path).body().trees("events").stream()
        .filter(event -> event.textOrEmpty("reason").equals("Seen"))
        .map(event -> event.textOrEmpty("message"))
        .toList();
  }

  /// A policy merges items by name: of two, one would be lost without a word.
  @Test
  void whatIsGivenTwiceIsRefused() {
    var twice =
        List.of(
            "labels: [{name: l, value: a}, {name: l, value: b}]",
            "tolerations: [{name: t, operator: Exists}, {name: t, operator: Exists, key: k}]",
            "storage: {pvc: [{name: d, path: /a, claimName: a}, {name: d, path: /b, claimName:"
                + " b}]}",
            "compute: {extendedResources: [{resource: a/b, quantity: '1'}, {resource: a/b,"
                + " quantity: '2'}]}",
            "ports: [{container: 80}, {container: 80}]");
    for (var field : twice) {
      var reply = api.submit("trainings", "w", project, "{image: x, " + field + "}");
      assertThat(reply.message()).as(field).contains("is given twice");
    }
    var master =
        Tree.of(
            "name", "d",
            "projectId", project,
            "clusterId", api.clusterId(),
            "spec", Tree.of("image", "x"),
            "masterSpec",
                Tree.of(
                    "image",
                    "x",
                    "labels",
                    List.of(
                        Tree.of("name", "l", "value", "a"), Tree.of("name", "l", "value", "b"))));
    assertThat(api.post("/api/v1/workloads/distributed", master).message())
        .isEqualTo("Bad request - masterSpec.labels: \"l\" is given twice");
  }

  @Test
  void aTrialTellsThatANameIsTaken() {
    api.submit("trainings", "w", project, "{image: x}");

    var reply = api.submit("?dryRun=all", "workspaces", "w", project, Tree.of("image", "x"));

    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.message()).contains("already exists in project \"team\"");
  }

  /// A trial must not answer for the submission that follows it.
  @Test
  void aKeyIsForOneRequestWithItsQuery() {
    var key = Map.of("idempotency-key", "k");
    var body =
        Tree.of(
            "name",
            "w",
            "projectId",
            project,
            "clusterId",
            api.clusterId(),
            "spec",
            Tree.of("image", "x"));
    var path = "/api/v1/workloads/trainings";

    assertThat(api.with(key, "POST", path + "?dryRun=all", body).code()).isEqualTo(202);
    assertThat(api.with(key, "POST", path, body).code()).isEqualTo(422);
    assertThat(api.with(key, "POST", path + "?dryRun=all", body).code()).isEqualTo(202);
  }

  /// Somebody deletes the workload and makes another of its name, and then the request arrives.
  @Test
  void aDeletionIsOfTheVeryWorkload() {
    var id = replacedBefore("delete");

    assertThat(api.delete("/api/v1/workloads/trainings/" + id).code()).isEqualTo(404);

    assertThat(training().text("metadata", "deletionTimestamp")).isNull();
  }

  @Test
  void whatIsSuspendedIsTheVeryWorkload() {
    var id = replacedBefore("update");

    var path = "/api/v1/workloads/trainings/%s/suspend".formatted(id);
    assertThat(api.post(path, null).code()).isEqualTo(404);

    assertThat(training().flag("spec", "suspend")).isFalse();
  }

  private Tree training() {
    return api.cluster.fetch(BerthKinds.TRAININGS, "runai-team", "w");
  }

  /// A workload whose place another takes just before the first such request to the cluster.
  private String replacedBefore(String verb) {
    var id = api.submit("trainings", "w", project, "{image: x}").body().textOrEmpty("workloadId");
    api.await(() -> training().text("status", "acceptedSpec") != null && isQuiet());
    var done = new AtomicBoolean();
    var requesting = Thread.currentThread();
    api.cluster.beforeWrites((called, resource, name) -> {
      if (called.equals(verb)
          && resource.equals(BerthKinds.TRAININGS)
          && name.equals("w")
          && Thread.currentThread().equals(requesting)
          && !done.getAndSet(true)) {
        replace();
      }
    });
    return id;
  }

  private boolean isQuiet() {
    return api.cluster.all(Resource.PODS).size() == 1;
  }

  private void replace() {
    var old = training();
    api.cluster.edit(
        BerthKinds.TRAININGS,
        "runai-team",
        "w",
        workload -> workload.child("metadata").remove("finalizers"));
    api.cluster.delete(BerthKinds.TRAININGS, "runai-team", "w", DeleteOptions.DEFAULT);
    api.cluster.create(
        BerthKinds.TRAININGS,
        Tree.of(
            "metadata",
            Tree.of("name", "w", "namespace", "runai-team"),
            "spec",
            old.treeOrEmpty("spec").copy()));
  }
}
