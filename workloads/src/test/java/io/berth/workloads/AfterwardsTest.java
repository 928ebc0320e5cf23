package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.workloads.state.BerthKinds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What becomes of workloads that are done.
class AfterwardsTest {

  private final Api api;
  private final String project;

  AfterwardsTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of());
    this.project = api.project("team", "default");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void deletesWhatWasToBeKeptForNoTime() {
    submit("short", Tree.of("image", "python", "autoDeletionTimeAfterCompletionSeconds", 0));
    submit("long", Tree.of("image", "python"));
    api.await(() -> api.cluster.all(Resource.PODS).size() == 2);
    api.cluster.all(Resource.PODS).forEach(this::succeed);
    api.await(() ->
        api.cluster.all(BerthKinds.TRAININGS).size() == 1
            && only().textOrEmpty("status", "phase").equals("Completed"));

    assertThat(only().text("metadata", "name")).isEqualTo("long");
  }

  @Test
  void whatIsCompletedStaysSo() {
    submit("done", Tree.of("image", "python"));
    api.await(() -> api.cluster.all(Resource.PODS).size() == 1);
    var pod = api.cluster.all(Resource.PODS).getFirst();
    succeed(pod);
    api.await(() -> only().textOrEmpty("status", "phase").equals("Completed"));
    var completed = only().textOrEmpty("status", "completedAt");
    api.cluster.delete(
        Resource.PODS, "runai-team", pod.textOrEmpty("metadata", "name"), DeleteOptions.DEFAULT);
    submit("next", Tree.of("image", "python"));
    api.await(() ->
        api.cluster.all(Resource.PODS).stream()
            .anyMatch(each -> each.textOrEmpty("metadata", "name").equals("next-0-0")));

    var done = api.cluster.fetch(BerthKinds.TRAININGS, "runai-team", "done");

    assertThat(done.text("status", "phase")).isEqualTo("Completed");
    assertThat(done.text("status", "completedAt")).isEqualTo(completed);
    assertThat(api.cluster.all(Resource.PODS)).hasSize(1);
  }

  @Test
  void podsOfADistributedTrainingThatIsOverGoAsItSays() {
    assertThat(left("none", "PyTorch", "None"))
        .containsExactly("none-master-0-0", "none-worker-0-0");
    assertThat(left("unset", "PyTorch", ""))
        .containsExactly("unset-master-0-0", "unset-worker-0-0");
    assertThat(left("running", "PyTorch", "Running")).containsExactly("running-master-0-0");
    assertThat(left("mpi", "MPI", "")).containsExactly("mpi-launcher-0-0");
    assertThat(left("all", "PyTorch", "All")).isEmpty();
  }

  /// The pods there are once the master has succeeded.
  private List<String> left(String name, String framework, String policy) {
    var spec = Tree.of("image", "python", "distributedFramework", framework, "numWorkers", 1);
    if (!policy.isEmpty()) {
      spec.put("cleanPodPolicy", policy);
    }
    submit("distributed", name, spec);
    api.await(() -> podsOf(name).size() == 2);
    podsOf(name).stream()
        .filter(pod -> !pod.matches(".*-worker-.*"))
        .forEach(pod -> succeed(api.cluster.fetch(Resource.PODS, "runai-team", pod)));
    int expected =
        policy.equals("All") ? 0 : policy.equals("Running") || framework.equals("MPI") ? 1 : 2;
    api.await(() ->
        api.cluster
                .fetch(BerthKinds.DISTRIBUTED, "runai-team", name)
                .textOrEmpty("status", "phase")
                .equals("Completed")
            && podsOf(name).size() == expected);
    return podsOf(name);
  }

  private List<String> podsOf(String name) {
    return api.cluster.all(Resource.PODS).stream()
        .map(pod -> pod.textOrEmpty("metadata", "name"))
        .filter(pod -> pod.startsWith(name + "-"))
        .sorted()
        .toList();
  }

  private Tree only() {
    return api.cluster.all(BerthKinds.TRAININGS).getFirst();
  }

  private void submit(String name, Tree spec) {
    submit("trainings", name, spec);
  }

  private void submit(String type, String name, Tree spec) {
    var reply =
        api.post(
            "/api/v1/workloads/" + type,
            Tree.of(
                "name", name,
                "projectId", project,
                "clusterId", api.clusterId(),
                "spec", spec));
    assertThat(reply.code()).as(reply.answer().text()).isEqualTo(202);
  }

  /// The controllers write to the pod as well: what came between is read again.
  private void succeed(Tree pod) {
    while (true) {
      var current =
          api.cluster.fetch(
              Resource.PODS,
              pod.textOrEmpty("metadata", "namespace"),
              pod.textOrEmpty("metadata", "name"));
      try {
        api.cluster.update(
            Resource.PODS, "status", current.copy().putAt("Succeeded", "status", "phase"));
        return;
      } catch (ApiException e) {
        assertThat(e.code()).isEqualTo(409);
      }
    }
  }
}
