package io.berth.server;

import static io.berth.server.TestServer.json;
import static io.berth.server.TestServer.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.server.http.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Lists in pages, and the forms in which answers and applied objects come.
class ReadingTest {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final TestServer server = new TestServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aListGoesOnAfterItsRevisionIsForgotten() {
    List.of("a", "b", "c").forEach(this::create);
    var first = json(server.get("admin", MAPS + "?limit=1"));
    create("d");
    server.store().compact(server.store().revision());

    var refused = json(server.get("admin", next(first)));

    assertThat(refused.number(0, "code")).isEqualTo(410);
    assertThat(refused.text("reason")).isEqualTo("Expired");
    assertThat(refused.text("message")).contains("or use the continue token in this response");
    var second = json(server.get("admin", next(refused)));
    assertThat(names(second)).containsExactly("b");
    assertThat(second.number(0, "metadata", "remainingItemCount")).isEqualTo(2);
    create("e");
    var third = json(server.get("admin", next(second).replace("limit=1", "limit=9")));
    assertThat(names(third)).containsExactly("c", "d");
    assertThat(third.text("metadata", "resourceVersion"))
        .isEqualTo(second.text("metadata", "resourceVersion"));
  }

  @Test
  void reviewsHaveNoRows() {
    var review =
        "{'kind':'SelfSubjectAccessReview','apiVersion':'authorization.k8s.io/v1','spec':"
            + "{'resourceAttributes':{'verb':'get','resource':'pods'}}}";

    var answer =
        ask(
            "application/json;as=Table;v=v1;g=meta.k8s.io",
            "POST",
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            review.replace('\'', '"'));

    assertThat(json(answer).number(0, "code")).isEqualTo(406);
    assertThat(json(answer).text("reason")).isEqualTo("NotAcceptable");
  }

  @Test
  void metadataComesInBinaryForm() {
    create("a");
    var accept = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io";

    var answer = text(ask(accept + ";v=v1,application/json", "GET", MAPS, ""));

    assertThat(answer).startsWith("k8s\0").contains("PartialObjectMetadataList", "default");
  }

  @Test
  void aRepeatedFieldIsRefusedOnlyWhenTheClientIsStrict() {
    var body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  a: '1'\n  a: '2'\n";
    var path = MAPS + "/m?fieldManager=me";

    var refused = json(apply(path + "&fieldValidation=Strict", body));
    var applied = json(apply(path, body));

    assertThat(refused.text("message"))
        .isEqualTo(
            "error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n"
                + "  line 6: key \"a\" already set in map");
    assertThat(applied.text("data", "a")).isEqualTo("2");
  }

  private Answer apply(String path, String body) {
    return server.ask(
        Map.of(
            "authorization",
            List.of("Bearer admin"),
            "content-type",
            List.of("application/apply-patch+yaml")),
        "PATCH",
        path,
        body.getBytes(StandardCharsets.UTF_8));
  }

  private Answer ask(String accept, String method, String path, String body) {
    return server.ask(
        Map.of("authorization", List.of("Bearer admin"), "accept", List.of(accept)),
        method,
        path,
        body.getBytes(StandardCharsets.UTF_8));
  }

  private void create(String name) {
    server.post(
        "admin",
        MAPS,
        "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'%s'}}".formatted(name));
  }

  private static String next(Tree list) {
    return MAPS + "?limit=1&continue=" + list.textOrEmpty("metadata", "continue");
  }

  private static List<String> names(Tree list) {
    return list.trees("items").stream().map(each -> each.textOrEmpty("metadata", "name")).toList();
  }
}
