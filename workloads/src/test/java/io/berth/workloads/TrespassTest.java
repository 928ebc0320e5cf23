package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Ways to what is somebody else's: none of them leads there.
class TrespassTest {

  private static final int DEPARTMENT_ADMINISTRATOR = 2;
  private static final int RESEARCHER = 5;

  private final Api api;
  private final String own;
  private final String other;
  private final String researcher;

  TrespassTest() throws InterruptedException {
    this.api = new Api();
    api.node("n", Map.of());
    this.own = api.project("own", "default");
    this.other = api.project("other", "default");
    this.researcher = api.account("researcher", RESEARCHER, "project", own);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  // ---- names -----------------------------------------------------------------------------------

  @Test
  void whetherANameIsFreeIsToldToWhoMaySeeIt() {
    var template =
        Tree.of(
            "meta", Tree.of("name", "secret-plan", "scopeType", "project", "scopeId", other),
            "spec", Tree.of("image", "x"));
    assertThat(api.post("/api/v1/workload-templates/trainings", template).code()).isEqualTo(202);

    assertThat(available("secret-plan", other).code()).isEqualTo(403);
    assertThat(available("secret-plan", other).answer().text())
        .isEqualTo(available("nothing", other).answer().text());
    assertThat(available("nothing", own).code()).isEqualTo(204);
  }

  private Api.Reply available(String name, String project) {
    var path =
        "/api/v1/workload-templates/name-availability?templateName=%s&scopeType=project&scopeId=%s"
            .formatted(name, project);
    return api.as(researcher, "GET", path, null);
  }

  @Test
  void assetsOfOneScopeKeepTheirNamesApart() {
    var path = "/api/v1/asset/compute";
    api.post(path, asset("one"));
    var two = api.post(path, asset("two")).body().textOrEmpty("meta", "id");
    var renamed = Tree.of("meta", Tree.of("name", "one"), "spec", Tree.of("cpuCoreRequest", 1));

    assertThat(api.put(path + "/" + two, renamed).code()).isEqualTo(409);

    renamed.putAt("two", "meta", "name");
    assertThat(api.put(path + "/" + two, renamed).code()).isEqualTo(202);
  }

  @Test
  void templatesOfOneScopeKeepTheirNamesApart() {
    var path = "/api/v1/workload-templates/trainings";
    api.post(path, template("one"));
    var two = api.post(path, template("two")).body().textOrEmpty("meta", "id");
    var renamed = Tree.of("meta", Tree.of("name", "one"), "spec", Tree.of("image", "y"));

    assertThat(api.put(path + "/" + two, renamed).code()).isEqualTo(409);
    assertThat(api.patch(path + "/" + two, renamed).code()).isEqualTo(409);

    renamed.putAt("two", "meta", "name");
    assertThat(api.put(path + "/" + two, renamed).code()).isEqualTo(200);
  }

  private static Tree template(String name) {
    return Tree.of(
        "meta", Tree.of("name", name, "scopeType", "tenant"), "spec", Tree.of("image", "x"));
  }

  private static Tree asset(String name) {
    return Tree.of(
        "meta", Tree.of("name", name, "scope", "tenant"), "spec", Tree.of("cpuCoreRequest", 1));
  }

  // ---- namespaces ------------------------------------------------------------------------------

  /// Whoever runs pods in a namespace reads its secrets: Berth's own are among them.
  @Test
  void theNamespacesOfTheSystemAreNobodysProject() {
    for (var namespace : List.of("berth-system", "kube-system", "kube-public")) {
      var reply = api.post("/api/v1/org-unit/projects", project(namespace));
      assertThat(reply.code()).as(namespace).isEqualTo(400);
      assertThat(reply.message())
          .isEqualTo(
              "Bad request - requestedNamespace: namespace \"%s\" belongs to the system"
                  .formatted(namespace));
    }
  }

  @Test
  void aNamespaceThatIsThereIsForWhoMayMakeProjectsEverywhere() {
    api.cluster.create(Resource.NAMESPACES, Tree.of("metadata", Tree.of("name", "monitoring")));
    api.await(() -> knows("monitoring"));
    var department = api.get("/api/v1/org-unit/projects/" + own).body().textOrEmpty("parentId");
    var chief = api.account("chief", DEPARTMENT_ADMINISTRATOR, "department", department);

    var path = "/api/v1/org-unit/projects";
    assertThat(api.as(chief, "POST", path, project("monitoring")).code()).isEqualTo(403);
    assertThat(api.as(chief, "POST", path, project("new-one")).code()).isEqualTo(201);
    assertThat(api.post(path, project("monitoring").put("name", "adopted")).code()).isEqualTo(201);
  }

  /// The layer knows a namespace when it knows one that came later.
  private boolean knows(String namespace) {
    return api.cluster.find(Resource.NAMESPACES, "", namespace).isPresent();
  }

  private Tree project(String namespace) {
    return Tree.of(
        "name",
        "p",
        "clusterId",
        api.clusterId(),
        "requestedNamespace",
        namespace,
        "resources",
        List.of());
  }

  // ---- accounting ------------------------------------------------------------------------------

  /// They say how much of its quota a pod uses, and where.
  @Test
  void annotationsThatBerthSetsAreNotTheUsers() {
    for (var name : List.of("berth.io/gpus", "berth.io/gpu-devices", "berth.io/planned-node")) {
      var spec = "{image: x, annotations: [{name: %s, value: '0'}]}".formatted(name);
      var reply = api.submit("trainings", "w", own, spec);
      assertThat(reply.code()).isEqualTo(400);
      assertThat(reply.message())
          .isEqualTo(
              "Bad request - spec.annotations: \"%s\" is set by Berth itself; choose another name"
                  .formatted(name));
    }
  }

  @Test
  void aPodWithNonsenseOnItHarmsNobody() {
    api.cluster.create(
        Resource.PODS,
        Tree.of(
            "metadata",
            Tree.of(
                "name",
                "stray",
                "namespace",
                "runai-own",
                "labels",
                Tree.of("berth.io/project", "own"),
                "annotations",
                Tree.of(
                    "berth.io/gpus", "many",
                    "berth.io/gpu-devices", "first",
                    "berth.io/planned-node", "n")),
            "spec",
            Tree.of("containers", List.of(Tree.of("name", "c", "image", "x")))));

    api.submit("trainings", "w", own, "{image: x}");

    api.await(() ->
        api.cluster
            .find(Resource.PODS, "runai-own", "w-0-0")
            .filter(pod -> pod.trees("spec", "schedulingGates").isEmpty())
            .isPresent());
    assertThat(api.get("/api/v1/org-unit/projects").code()).isEqualTo(200);
  }

  // ---- streams ---------------------------------------------------------------------------------

  /// What was allowed when it began need not be allowed for ever.
  @Test
  void aStreamEndsWithTheRightToIt() throws Exception {
    var rule =
        api.get("/api/v1/authorization/access-rules?filterBy=roleId==" + RESEARCHER)
            .body()
            .trees("accessRules")
            .getFirst();
    var began = new CountDownLatch(1);
    var sent = new CopyOnWriteArrayList<String>();
    var stream = CompletableFuture.runAsync(() -> follow(began, sent));
    api.submit("trainings", "mine", own, "{image: x}");
    began.await();

    api.delete("/api/v1/authorization/access-rules/" + rule.get("id"));
    api.submit("trainings", "later", own, "{image: x}");

    stream.get();
    assertThat(sent.toString()).contains("\"mine\"");
  }

  private void follow(CountDownLatch began, List<String> sent) {
    var answer =
        api.workloads.answer(
            new Request(
                "GET",
                "/api/v1/workloads/watch",
                Map.of(),
                Map.of("authorization", List.of("Bearer " + researcher)),
                "127.0.0.1",
                () -> new byte[0]));
    try {
      ((Answer.Stream) answer)
          .feed()
          .writeTo(
              new Answer.Outlet() {
                @Override
                public void send(byte[] bytes) {
                  sent.add(new String(bytes, StandardCharsets.UTF_8));
                  if (sent.toString().contains("\"mine\"")) {
                    began.countDown();
                  }
                }

                @Override
                public void onClose(Runnable action) {}
              });
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
