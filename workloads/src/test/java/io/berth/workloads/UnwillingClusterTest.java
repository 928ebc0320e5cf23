package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.state.BerthKinds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What the cluster does not let Berth do: whoever waits for it is told, and nothing is left half
/// done.
class UnwillingClusterTest {

  private final Api api;
  private final String project;

  UnwillingClusterTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of());
    this.project = api.project("team", "default");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void theOwnerIsToldWhyPodsAreNotMade() {
    refuse("create", Resource.PODS, "g-worker-1-0");
    var id =
        api.submit("distributed", "g", project, "{image: x, numWorkers: 2}")
            .body()
            .textOrEmpty("workloadId");

    api.await(() -> workload(id).textOrEmpty("phaseMessage").contains("not allowed here"));

    assertThat(workload(id).text("phase")).isEqualTo("Pending");
    assertThat(workload(id).text("phaseMessage"))
        .isEqualTo("the cluster refuses pod g-worker-1-0: not allowed here");
    assertThat(api.get("/api/v1/workloads/%s/events".formatted(id)).body().trees("events"))
        .extracting(event -> event.text("reason"))
        .containsExactly("FailedCreate");
  }

  @Test
  void oneThatCannotHaveItsPodsHoldsUpNobody() {
    refuse("create", Resource.PODS, "bad-0-0");
    api.submit("trainings", "bad", project, "{image: x}");
    api.submit("trainings", "good", project, "{image: x}");

    api.await(() ->
        api.cluster.all(Resource.PODS).stream()
            .anyMatch(pod -> pod.trees("spec", "schedulingGates").isEmpty()));

    assertThat(api.cluster.all(Resource.PODS))
        .extracting(pod -> pod.text("metadata", "name"))
        .containsExactly("good-0-0");
  }

  /// The namespace is made later if not now: the project is there, and its maker must know its id.
  @Test
  void aProjectIsMadeThoughItsNamespaceIsNotYet() {
    refuse("create", Resource.NAMESPACES, "runai-next");

    var reply = api.post("/api/v1/org-unit/projects", unit("next"));

    assertThat(reply.code()).isEqualTo(201);
    assertThat(reply.body().text("status", "phase")).isEqualTo("NotReady");
    api.cluster.beforeWrites((_, _, _) -> {});
    var path = "/api/v1/org-unit/projects/" + reply.body().text("id");
    api.await(() -> "Ready".equals(api.get(path).body().text("status", "phase")));
    assertThat(api.cluster.find(Resource.NAMESPACES, "", "runai-next")).isPresent();
  }

  @Test
  void whatIsRefusedIsTriedAgainOnceASecondAtMost() {
    var start = System.nanoTime();
    var tries = new AtomicInteger();
    api.cluster.beforeWrites((verb, resource, name) -> {
      if (verb.equals("create") && resource.equals(Resource.NAMESPACES)) {
        tries.incrementAndGet();
        throw new ApiException(403, "Forbidden", name + " is not allowed here");
      }
    });

    for (int i = 0; i < 50; i++) {
      api.post("/api/v1/org-unit/" + (i == 0 ? "projects" : "departments"), unit("next-" + i));
    }

    // Beside those that time allows: one by the request, and one for each change of the project.
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    assertThat(tries.get()).isLessThan(10 + (int) seconds);
  }

  private Tree unit(String name) {
    return Tree.of("name", name, "clusterId", api.clusterId(), "resources", List.of());
  }

  @Test
  void anAssetThatCannotBeMadeLeavesNoSecretBehind() {
    var before = api.cluster.all(Resource.SECRETS).size();
    api.cluster.beforeWrites((verb, resource, _) -> {
      if (verb.equals("create") && resource.equals(BerthKinds.ASSETS)) {
        throw new ApiException(403, "Forbidden", "not allowed here");
      }
    });

    var reply =
        api.post(
            "/api/v1/asset/credentials/password",
            Tree.of(
                "meta", Tree.of("name", "p", "scope", "tenant"),
                "spec", Tree.of("user", "u", "password", "s")));

    assertThat(reply.code()).isEqualTo(503);
    assertThat(api.cluster.all(Resource.SECRETS)).hasSize(before);
  }

  private Tree workload(String id) {
    return api.get("/api/v1/workloads/" + id).body();
  }

  private void refuse(String verb, Resource resource, String name) {
    api.cluster.beforeWrites((called, what, which) -> {
      if (called.equals(verb) && what.equals(resource) && which.equals(name)) {
        throw new ApiException(403, "Forbidden", "not allowed here");
      }
    });
  }
}
