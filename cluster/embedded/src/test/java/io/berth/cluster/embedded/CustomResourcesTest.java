package io.berth.cluster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.admission.AdmissionChain;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Components of this process keep their state in custom resources.
class CustomResourcesTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final Resource PROJECTS =
      new Resource("example.com", "v1", "projects", "Project", false);

  private final Store store =
      Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
  private final ApiServer server = start();
  private final Cluster cluster =
      new InProcessCluster(server.registry(), "tester", InstantSource.system());

  private ApiServer start() {
    return new ApiServer(
        store, AUTHORITY, AdmissionChain.of(List.of(), List.of()), ServerSettings.plain());
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  @Test
  void aDefinitionIsServedAtOnce() {
    define("projects", "Project");

    var created = cluster.create(PROJECTS, project("a", 3));

    assertThat(created.number(0, "spec", "quota")).isEqualTo(3);
    assertThat(created.text("spec", "mode")).isEqualTo("fair");
    assertThat(created.number(0, "metadata", "generation")).isEqualTo(1);
    assertThat(cluster.list(PROJECTS, "", Cluster.Selection.ALL).items()).containsExactly(created);
  }

  @Test
  void patchesCountGenerationsAndStatusDoesNot() {
    define("projects", "Project");
    cluster.create(PROJECTS, project("a", 3));

    var patched = cluster.patch(PROJECTS, "", "a", null, Cluster.PatchType.MERGE, quota(4));
    var noted =
        cluster.patch(
            PROJECTS,
            "",
            "a",
            "status",
            Cluster.PatchType.MERGE,
            Tree.of("status", Tree.of("phase", "Ready"), "spec", Tree.of("quota", 9)));

    assertThat(patched.number(0, "metadata", "generation")).isEqualTo(2);
    assertThat(noted.number(0, "metadata", "generation")).isEqualTo(2);
    assertThat(noted.number(0, "spec", "quota")).isEqualTo(4);
    assertThat(noted.text("status", "phase")).isEqualTo("Ready");
  }

  @Test
  void watchesSeeWhatHappens() throws InterruptedException {
    define("projects", "Project");
    var revision = cluster.list(PROJECTS, "", Cluster.Selection.ALL).revision();
    var seen = new LinkedBlockingQueue<String>();
    try (var _ = cluster.watch(PROJECTS, "", Cluster.Selection.ALL, revision, noting(seen))) {
      cluster.create(PROJECTS, project("a", 1));
      cluster.patch(PROJECTS, "", "a", null, Cluster.PatchType.MERGE, quota(2));
      cluster.delete(PROJECTS, "", "a", Cluster.DeleteOptions.DEFAULT);

      assertThat(List.of(seen.take(), seen.take(), seen.take()))
          .containsExactly("added a", "modified a", "deleted a");
    }
  }

  @Test
  void whoeverSeesThatADefinitionIsEstablishedMayUseIt() throws InterruptedException {
    var definitions = Resource.CUSTOM_RESOURCE_DEFINITIONS;
    var revision = cluster.list(definitions, "", Cluster.Selection.ALL).revision();
    var seen = new LinkedBlockingQueue<Boolean>();
    var watcher =
        new Watcher() {
          @Override
          public void modified(Tree definition) {
            seen.add(isServed());
          }
        };
    try (var _ = cluster.watch(definitions, "", Cluster.Selection.ALL, revision, watcher)) {
      define("projects", "Project");

      assertThat(seen.take()).isTrue();
    }
  }

  private boolean isServed() {
    try {
      return cluster.list(PROJECTS, "", Cluster.Selection.ALL).items().isEmpty();
    } catch (ApiException e) {
      return false;
    }
  }

  private abstract static class Watcher implements Cluster.Watcher {

    @Override
    public void added(Tree object) {}

    @Override
    public void deleted(Tree object) {}

    @Override
    public void ended(boolean expired) {}
  }

  @Test
  void aDefinitionGoesWithItsObjectsAndWaitsForTheirFinalizers() {
    define("projects", "Project");
    var held = project("held", 1);
    held.child("metadata").put("finalizers", List.of("example.com/hold"));
    cluster.create(PROJECTS, held);
    cluster.create(PROJECTS, project("free", 1));

    cluster.delete(
        Resource.CUSTOM_RESOURCE_DEFINITIONS,
        "",
        "projects.example.com",
        Cluster.DeleteOptions.DEFAULT);

    assertThat(cluster.list(PROJECTS, "", Cluster.Selection.ALL).items())
        .extracting(each -> each.textOrEmpty("metadata", "name"))
        .containsExactly("held");
    assertThatThrownBy(() -> cluster.create(PROJECTS, project("late", 1)))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("create not allowed while custom resource definition is terminating");

    cluster.patch(
        PROJECTS,
        "",
        "held",
        null,
        Cluster.PatchType.MERGE,
        Tree.of("metadata", Tree.of("finalizers", null)));

    assertThat(
            cluster.list(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", Cluster.Selection.ALL).items())
        .isEmpty();
    assertThatThrownBy(() -> cluster.list(PROJECTS, "", Cluster.Selection.ALL))
        .isInstanceOf(ApiException.class)
        .hasMessage("the server could not find the requested resource");
  }

  @Test
  void namesAreTakenOnceAndFreedWithTheirDefinition() {
    define("projects", "Project");
    define("undertakings", "Project");

    assertThat(condition("undertakings", "NamesAccepted"))
        .containsExactly("False", "ListKindConflict", "\"ProjectList\" is already in use");
    assertThat(condition("undertakings", "Established"))
        .containsExactly("False", "NotAccepted", "not all names are accepted");

    cluster.delete(
        Resource.CUSTOM_RESOURCE_DEFINITIONS,
        "",
        "projects.example.com",
        Cluster.DeleteOptions.DEFAULT);

    assertThat(condition("undertakings", "Established"))
        .containsExactly("True", "InitialNamesAccepted", "the initial names have been accepted");
  }

  @Test
  void definitionsAreServedAgainAfterARestart() {
    define("projects", "Project");
    cluster.create(PROJECTS, project("a", 1));

    try (var restarted = start()) {
      var again = new InProcessCluster(restarted.registry(), "tester", InstantSource.system());

      assertThat(again.fetch(PROJECTS, "", "a").number(0, "spec", "quota")).isEqualTo(1);
    }
  }

  @Test
  void storedObjectsFollowTheSchemaOfToday() {
    define("projects", "Project");
    cluster.create(PROJECTS, project("a", 1));

    cluster.patch(
        Resource.CUSTOM_RESOURCE_DEFINITIONS,
        "",
        "projects.example.com",
        null,
        Cluster.PatchType.JSON,
        List.of(
            Tree.of(
                "op",
                "add",
                "path",
                "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/owner",
                "value",
                Tree.of("type", "string", "default", "nobody"))));

    assertThat(cluster.fetch(PROJECTS, "", "a").text("spec", "owner")).isEqualTo("nobody");
  }

  @Test
  void aVersionWhoseWebhookIsMissingSaysSo() {
    define("projects", "Project");
    cluster.create(PROJECTS, project("a", 1));
    var definition =
        cluster.fetch(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", "projects.example.com").copy();
    var versions = definition.child("spec").childList("versions");
    versions.add(definition.trees("spec", "versions").getFirst().copy().put("name", "v2"));
    ((Tree) versions.get(1)).put("storage", false);
    definition
        .child("spec")
        .put(
            "conversion",
            Tree.of(
                "strategy",
                "Webhook",
                "webhook",
                Tree.of(
                    "clientConfig",
                    Tree.of("url", "https://127.0.0.1:1/convert"),
                    "conversionReviewVersions",
                    List.of("v1"))));
    cluster.update(Resource.CUSTOM_RESOURCE_DEFINITIONS, null, definition);

    assertThat(cluster.fetch(PROJECTS, "", "a").number(0, "spec", "quota")).isEqualTo(1);
    assertThatThrownBy(() ->
            cluster.fetch(new Resource("example.com", "v2", "projects", "Project", false), "", "a"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining(
            "conversion webhook for example.com/v1, Kind=Project failed: Post"
                + " \"https://127.0.0.1:1/convert?timeout=30s\": dial tcp 127.0.0.1:1: connect:"
                + " connection refused");
  }

  @Test
  void theKindOfAnObjectStays() {
    define("projects", "Project");
    cluster.create(PROJECTS, project("a", 1));

    assertThatThrownBy(() ->
            cluster.patch(
                PROJECTS, "", "a", null, Cluster.PatchType.MERGE, Tree.of("kind", "Other")))
        .hasMessage(
            "Other.example.com \"a\" is invalid: kind: Invalid value: \"Other\": must be Project");
  }

  @Test
  void defaultsOfAnotherVersionAreOwnedAlthoughTheyAreNotStored() {
    define("projects", "Project");
    var definition =
        cluster.fetch(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", "projects.example.com").copy();
    var other = definition.trees("spec", "versions").getFirst().copy();
    other.put("name", "v2").put("storage", false);
    other.putAt(
        Tree.of("type", "string", "default", "red"),
        "schema",
        "openAPIV3Schema",
        "properties",
        "spec",
        "properties",
        "color");
    definition.child("spec").childList("versions").add(other);
    cluster.update(Resource.CUSTOM_RESOURCE_DEFINITIONS, null, definition);

    var created =
        cluster.create(
            new Resource("example.com", "v2", "projects", "Project", false), project("a", 1));

    assertThat(created.text("spec", "color")).isNull();
    var owned = created.trees("metadata", "managedFields").getFirst();
    assertThat(owned.treeOrEmpty("fieldsV1", "f:spec").names())
        .containsExactlyInAnyOrder(".", "f:quota", "f:mode", "f:color");
  }

  private List<String> condition(String plural, String type) {
    var definition =
        cluster.fetch(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", plural + ".example.com");
    return definition.trees("status", "conditions").stream()
        .filter(each -> each.textOrEmpty("type").equals(type))
        .flatMap(each ->
            List.of(
                each.textOrEmpty("status"), each.textOrEmpty("reason"), each.textOrEmpty("message"))
                .stream())
        .toList();
  }

  private void define(String plural, String kind) {
    var text =
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: PLURAL.example.com}
        spec:
          group: example.com
          scope: Cluster
          names: {plural: PLURAL, kind: KIND}
          versions:
            - name: v1
              served: true
              storage: true
              subresources: {status: {}}
              schema:
                openAPIV3Schema:
                  type: object
                  properties:
                    spec:
                      type: object
                      properties:
                        quota: {type: integer}
                        mode: {type: string, default: fair}
                    status:
                      type: object
                      properties:
                        phase: {type: string}
        """;
    cluster.create(
        Resource.CUSTOM_RESOURCE_DEFINITIONS,
        Yaml.read(text.replace("PLURAL", plural).replace("KIND", kind)));
  }

  private static Tree project(String name, long quota) {
    return Tree.of(
        "metadata", Tree.of("name", name), "spec", Tree.of("quota", quota, "unknown", true));
  }

  private static Tree quota(long quota) {
    return Tree.of("spec", Tree.of("quota", quota));
  }

  private static Cluster.Watcher noting(LinkedBlockingQueue<String> seen) {
    return new Cluster.Watcher() {
      @Override
      public void added(Tree object) {
        seen.add("added " + object.textOrEmpty("metadata", "name"));
      }

      @Override
      public void modified(Tree object) {
        seen.add("modified " + object.textOrEmpty("metadata", "name"));
      }

      @Override
      public void deleted(Tree object) {
        seen.add("deleted " + object.textOrEmpty("metadata", "name"));
      }

      @Override
      public void ended(boolean expired) {
        seen.add("ended");
      }
    };
  }
}
