package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.state.BerthKinds;
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

  private Tree only() {
    return api.cluster.all(BerthKinds.TRAININGS).getFirst();
  }

  private void submit(String name, Tree spec) {
    var reply =
        api.post(
            "/api/v1/workloads/trainings",
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
