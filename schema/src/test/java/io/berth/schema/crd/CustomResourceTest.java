package io.berth.schema.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.Decoded;
import io.berth.schema.FieldValidation;
import io.berth.schema.Vectors;
import io.berth.schema.apply.FieldManager;
import io.berth.schema.apply.FieldSet;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CustomResourceTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-15T12:00:00Z"));

  private int created;
  private int refused;

  @Test
  void createsAsKubernetesDid() {
    for (var recorded : Vectors.read("crds.jsonl.gz")) {
      var scenario = Json.read(Json.text(recorded).replace("{ns}", "ns"));
      Map<String, CustomResource> versions = new HashMap<>();
      for (var step : scenario.trees("steps")) {
        replay(scenario.textOrEmpty("id"), step, versions);
      }
    }
    assertThat(created).isGreaterThan(20);
    assertThat(refused).isGreaterThanOrEqualTo(5);
  }

  private void replay(String id, Tree step, Map<String, CustomResource> versions) {
    var path = step.textOrEmpty("path");
    var expected = step.treeOrEmpty("expect");
    long code = expected.number(0, "code");
    if (path.startsWith("/apis/apiextensions") && code == 201) {
      read(step.treeOrEmpty("body"), versions);
      return;
    }
    var resource = versions.get(path.replaceAll("^/apis/([^/]+/[^/]+)/.*", "$1"));
    if (resource == null || !path.contains("/widgets")) {
      return;
    }
    if (step.textOrEmpty("headers", "Content-Type").startsWith("application/apply-patch")) {
      applyRefused(id, step, resource, expected, code);
    } else if (step.textOrEmpty("method").equals("POST") && code == 201) {
      checkCreated(id, resource, versions, decode(resource, step), expected);
    } else if (step.textOrEmpty("method").equals("POST") && code == 400) {
      checkRefused(id, resource, step, expected.textOrEmpty("body", "message"));
    }
  }

  private void checkRefused(String id, CustomResource resource, Tree step, String message) {
    // Which namespace an object may be in is for the server to say.
    if (!message.startsWith("the namespace of")) {
      assertThatThrownBy(() -> decode(resource, step))
          .as(id)
          .isInstanceOf(ApiException.class)
          .hasMessageStartingWith(message.replace("<any>", ""));
      refused++;
    }
  }

  private static void read(Tree definition, Map<String, CustomResource> versions) {
    var group = definition.textOrEmpty("spec", "group");
    var kind = definition.textOrEmpty("spec", "names", "kind");
    for (var version : definition.trees("spec", "versions")) {
      var apiVersion = group + "/" + version.textOrEmpty("name");
      var schema = version.treeOrEmpty("schema", "openAPIV3Schema");
      var resource = new CustomResource(apiVersion, kind, schema);
      versions.put(apiVersion, resource);
      if (version.flag("storage")) {
        versions.put("storage", resource);
      }
    }
  }

  private static Decoded decode(CustomResource resource, Tree step) {
    var path = step.textOrEmpty("path");
    var validation =
        path.contains("fieldValidation=Strict")
            ? FieldValidation.STRICT
            : path.contains("fieldValidation=Ignore")
                ? FieldValidation.IGNORE
                : FieldValidation.WARN;
    var body =
        step.get("body") instanceof String text
            ? text.getBytes(StandardCharsets.UTF_8)
            : Json.write(step.get("body"));
    return step.textOrEmpty("headers", "Content-Type").equals("application/yaml")
        ? resource.yaml(body, validation)
        : resource.json(body, validation);
  }

  private void checkCreated(
      String id,
      CustomResource resource,
      Map<String, CustomResource> versions,
      Decoded decoded,
      Tree expected) {
    // What the stored version does not have is gone when another one shows the object.
    var stored = versions.getOrDefault("storage", resource).stored(decoded.tree());
    assertThat(resource.shown(stored).get("spec")).as(id).isEqualTo(expected.at("body", "spec"));
    var warnings =
        expected.list("warnings").stream()
            .filter(text -> String.valueOf(text).contains("field"))
            .toList();
    assertThat(decoded.warnings()).as(id).isEqualTo(warnings);
    created++;
  }

  private void applyRefused(
      String id, Tree step, CustomResource resource, Tree expected, long code) {
    if (code != 500) {
      return;
    }
    var manager =
        new FieldManager(resource.structure(), resource.empty(), "", FieldSet.of("status"), CLOCK);
    assertThatThrownBy(
            () -> manager.apply(manager.empty(), step.treeOrEmpty("body").copy(), "m1", false))
        .as(id)
        .hasMessage(expected.textOrEmpty("body", "message"));
    refused++;
  }

  @Test
  void appliedFieldsAreOwnedByTheirKeys() {
    var schema =
        Json.read(
            "{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":{"
                + "\"ports\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\","
                + "\"x-kubernetes-list-map-keys\":[\"port\",\"proto\"],\"items\":"
                + "{\"type\":\"object\",\"properties\":{\"port\":{\"type\":\"integer\"},"
                + "\"proto\":{\"type\":\"string\",\"default\":\"TCP\"}}}},"
                + "\"free\":{\"type\":\"object\","
                + "\"x-kubernetes-preserve-unknown-fields\":true}}}}}");
    var resource = new CustomResource("example.com/v1", "Widget", schema);
    var manager =
        new FieldManager(resource.structure(), resource.empty(), "", FieldSet.of(), CLOCK);
    var applied =
        Json.read(
            "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},"
                + "\"spec\":{\"ports\":[{\"port\":1}],\"free\":{\"a\":{\"b\":[1]}}}}");

    var merged = manager.apply(manager.empty(), applied, "m1", false);

    assertThat(Json.text(merged.trees("metadata", "managedFields").getFirst().get("fieldsV1")))
        .isEqualTo(
            "{\"f:spec\":{\"f:free\":{\"f:a\":{\".\":{},\"f:b\":{}}},"
                + "\"f:ports\":{\"k:{\\\"port\\\":1,\\\"proto\\\":\\\"TCP\\\"}\":"
                + "{\".\":{},\"f:port\":{}}}}}");
    assertThat(List.copyOf(merged.names())).contains("spec");
  }

  @Test
  void embeddedObjectsHaveMetadataLikeAnyOther() {
    var schema =
        Json.read(
            """
            {"type": "object", "properties": {"spec": {"type": "object",
              "x-kubernetes-preserve-unknown-fields": true, "properties": {
                "template": {"type": "object", "x-kubernetes-embedded-resource": true,
                  "x-kubernetes-preserve-unknown-fields": true},
                "more": {"type": "array", "items": {"type": "object",
                  "x-kubernetes-embedded-resource": true}}}}}}
            """);
    var box = new CustomResource("example.com/v1", "Box", schema);
    var body =
        """
        {"apiVersion": "example.com/v1", "kind": "Box", "metadata": {"name": "b"}, "spec": {
          "template": {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "p", "namespace": "n", "color": "red"}},
          "more": [{"apiVersion": "v1", "kind": "Pod", "metadata": {"size": 1}}]}}
        """
            .getBytes(StandardCharsets.UTF_8);

    var decoded = box.json(body, FieldValidation.WARN);

    assertThat(decoded.tree().treeOrEmpty("spec", "template", "metadata"))
        .isEqualTo(Tree.of("name", "p", "namespace", "n"));
    assertThat(decoded.warnings())
        .containsExactlyInAnyOrder(
            "unknown field \"spec.template.metadata.color\"",
            "unknown field \"spec.more[0].metadata.size\"");
  }
}
