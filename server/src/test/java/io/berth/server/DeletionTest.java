package io.berth.server;

import static io.berth.server.TestServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What an object held is free once it has gone, whichever way it went.
class DeletionTest {

  private static final String SERVICES = "/api/v1/namespaces/default/services";

  private final TestServer server = new TestServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aServiceGivesBackItsAddressAndPorts() {
    create("");
    server.ask("admin", "DELETE", SERVICES + "/web", "");

    assertThat(code(create(""))).isEqualTo(201);
  }

  @Test
  void aServiceGivesThemBackAlsoWhenItsLastFinalizerGoes() {
    assertThat(code(create("'finalizers':['example.com/keep'],"))).isEqualTo(201);
    server.ask("admin", "DELETE", SERVICES + "/web", "");
    assertThat(code(create(""))).isEqualTo(422);

    dropFinalizers("");

    assertThat(code(json(server.get("admin", SERVICES + "/web")))).isEqualTo(404);
    var again = create("");
    assertThat(again.text("message")).isNull();
    assertThat(again.text("spec", "clusterIP")).isEqualTo("10.96.7.7");
  }

  @Test
  void aRehearsalGivesNothingBack() {
    create("'finalizers':['example.com/keep'],");
    server.ask("admin", "DELETE", SERVICES + "/web", "");

    dropFinalizers("?dryRun=All");

    var other =
        json(
            server.post(
                "admin",
                SERVICES,
                "{'kind':'Service','apiVersion':'v1','metadata':{'name':'other'},"
                    + "'spec':{'clusterIP':'10.96.7.7','ports':[{'port':80}]}}"));
    assertThat(other.textOrEmpty("message")).contains("provided IP is already allocated");
  }

  @Test
  void aNameIsTakenUntilItsObjectHasGone() {
    var maps = "/api/v1/namespaces/default/configmaps";
    var body =
        "{'kind':'ConfigMap','apiVersion':'v1',"
            + "'metadata':{'name':'m','finalizers':['example.com/a']}}";
    server.post("admin", maps, body);
    assertThat(json(server.post("admin", maps, body)).text("message"))
        .isEqualTo("configmaps \"m\" already exists");

    server.ask("admin", "DELETE", maps + "/m", "");

    assertThat(json(server.post("admin", maps, body)).text("message"))
        .isEqualTo("object is being deleted: configmaps \"m\" already exists");
  }

  private Tree create(String metadata) {
    return json(
        server.post(
            "admin",
            SERVICES,
            ("{'kind':'Service','apiVersion':'v1','metadata':{%s'name':'web'},'spec':{"
                    + "'type':'NodePort','clusterIP':'10.96.7.7',"
                    + "'ports':[{'port':80,'nodePort':30777}]}}")
                .formatted(metadata)));
  }

  private void dropFinalizers(String query) {
    var body = "{\"metadata\":{\"finalizers\":null}}";
    var _ = patch(SERVICES + "/web" + query, "merge-patch+json", body);
  }

  private Tree patch(String path, String type, String body) {
    var headers =
        Map.of(
            "authorization", List.of("Bearer admin"),
            "content-type", List.of("application/" + type));
    return json(server.ask(headers, "PATCH", path, body.getBytes(StandardCharsets.UTF_8)));
  }

  private static long code(Tree answer) {
    return answer.number(201, "code");
  }
}
