package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What happens to an inference that is changed.
class RevisionsTest {

  private static final String BASE = "/api/v1/workloads/inferences/";

  private final Api api;
  private final String project;
  private final String inference;

  RevisionsTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of());
    this.project = api.project("team", "default");
    this.inference = submit("serve");
    awaitPod(1);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void aNewInferenceHasOneRevision() {
    var revision = revisions().getFirst();

    assertThat(revision.text("name")).isEqualTo("serve-00001");
    assertThat(revision.text("workloadId")).isEqualTo(inference);
    assertThat(revision.list("images")).containsExactly("x");
    assertThat(pods(revision)).hasSize(1);
    assertThat(pod().text("metadata", "labels", "berth.io/revision"))
        .isEqualTo(revision.text("id"));
    assertThat(api.get(BASE + inference + "/revisions/count").body().number(0, "count"))
        .isEqualTo(1);
  }

  @Test
  void everyChangeMakesOneAndItsPodsReplaceTheOthers() {
    patch("{compute: {cpuCoreRequest: 2}}");
    awaitPod(2);
    assertThat(pod().trees("spec", "containers").getFirst().text("resources", "requests", "cpu"))
        .isEqualTo("2");
    patch("{environmentVariables: [{name: A, value: b}]}");
    awaitPod(3);

    var all = revisions();

    assertThat(all).extracting(each -> each.text("phase")).startsWith("Stopped", "Stopped");
    assertThat(all.get(1).treeOrEmpty("environmentVariables")).isEqualTo(Tree.of());
    assertThat(all.get(2).treeOrEmpty("environmentVariables")).isEqualTo(Tree.of("A", "b"));
    assertThat(all.get(0).at("podsRequestedResources", "cpu", "request")).isEqualTo(0L);
    assertThat(all.get(2).at("podsRequestedResources", "cpu", "request")).isEqualTo(2L);
    assertThat(pods(all.get(0))).isEmpty();
    assertThat(pods(all.get(2))).hasSize(1);
    assertThat(
            api.get("/api/v1/workloads/pods?filterBy=revisionId==" + all.get(2).text("id"))
                .body()
                .list("pods"))
        .hasSize(1);
  }

  @Test
  void phasesBelongToTheRevisionOfTheirTime() {
    api.await(() -> !phases(revisions().getFirst()).isEmpty());
    patch("{image: y}");
    awaitPod(2);
    var all = revisions();

    for (var phase : phases(all.get(0))) {
      assertThat(phase)
          .isBetween(all.get(0).textOrEmpty("createdAt"), all.get(1).text("createdAt"));
    }
    assertThat(phases(all.get(1)))
        .allSatisfy(at -> assertThat(at).isGreaterThanOrEqualTo(all.get(1).text("createdAt")));
  }

  /// When the phases of a revision began.
  private List<String> phases(Tree revision) {
    return api
        .get(BASE + "revisions/%s/history".formatted(revision.text("id")))
        .body()
        .trees("records")
        .stream()
        .filter(each -> each.textOrEmpty("meta", "type").equals("PhaseUpdate"))
        .map(each -> each.textOrEmpty("meta", "creationTimestamp"))
        .toList();
  }

  @Test
  void theSameAgainChangesNothing() {
    patch("{image: x}");
    patch("{args: a}");
    awaitPod(2);

    assertThat(revisions()).hasSize(2);
  }

  @Test
  void theyAreThereAsLongAsTheWorkloadIsRemembered() {
    var id = revisions().getFirst().textOrEmpty("id");
    api.delete(BASE + inference);
    api.await(() ->
        !api.get(BASE + inference + "/revisions?deleted=true").body().list("revisions").isEmpty());

    assertThat(api.get(BASE + "revisions/" + id).body().text("deletedAt")).isNotNull();
    assertThat(api.get(BASE + inference + "/revisions").body().list("revisions")).isEmpty();
  }

  @Test
  void othersSeeNone() {
    var elsewhere = api.account("other", 5, "project", api.project("other", "default"));
    var id = revisions().getFirst().textOrEmpty("id");

    for (var path :
        List.of(inference + "/revisions", "revisions/" + id, "revisions/" + id + "/pods")) {
      assertThat(api.as(elsewhere, "GET", BASE + path, null).code()).isEqualTo(404);
    }
  }

  /// Waits for the pod of so many revisions.
  private void awaitPod(int revisions) {
    api.await(() -> {
      var all = revisions();
      return all.size() == revisions
          && api.cluster
              .find(Resource.PODS, "runai-team", "serve-0-0")
              .filter(pod ->
                  all.getLast()
                      .textOrEmpty("id")
                      .equals(pod.text("metadata", "labels", "berth.io/revision")))
              .isPresent()
          && !pods(all.getLast()).isEmpty();
    });
  }

  private Tree pod() {
    return api.cluster.fetch(Resource.PODS, "runai-team", "serve-0-0");
  }

  private List<Tree> revisions() {
    return api.get(BASE + inference + "/revisions").body().trees("revisions");
  }

  private List<Tree> pods(Tree revision) {
    return api.get(BASE + "revisions/%s/pods".formatted(revision.text("id"))).body().trees("pods");
  }

  private void patch(String spec) {
    var reply = api.patch(BASE + inference, Tree.of("spec", Yaml.read(spec)));
    assertThat(reply.code()).as(reply.answer().text()).isEqualTo(202);
  }

  private String submit(String name) {
    return api.post(
            BASE.substring(0, BASE.length() - 1),
            Tree.of(
                "name",
                name,
                "projectId",
                project,
                "clusterId",
                api.clusterId(),
                "spec",
                Yaml.read("{image: x, servingPort: {container: 80}}")))
        .body()
        .textOrEmpty("workloadId");
  }
}
