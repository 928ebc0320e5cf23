package io.berth.schema.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.Types;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/// Who owns what in values that Kubernetes types do not describe, as kube-apiserver 1.37 answers.
class FreeValuesTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-15T12:00:00Z"));

  @Test
  void examplesAndDefaultsMayBeAnyJson() {
    var schema =
        """
        {"default": "x", "example": 7, "enum": ["x", 1, {"a": true}, null],
         "properties": {"a": {"default": {"deep": {"list": [1]}}, "example": [1, "b"]}},
         "additionalProperties": {"default": false}, "items": {"enum": [1.5]}}
        """;
    var version = "{\"name\": \"v1\", \"schema\": {\"openAPIV3Schema\": " + schema + "}}";
    var definition = "{\"spec\": {\"versions\": [" + version + "]}}";

    assertThat(owned("apiextensions.k8s.io/v1", "CustomResourceDefinition", definition))
        .isEqualTo(Json.read("{\"f:spec\": {\"f:versions\": {}}}"));
  }

  @Test
  void anEmbeddedObjectIsOwnedAsAWhole() {
    var owned =
        owned("apps/v1", "ControllerRevision", "{\"revision\": 1, \"data\": {\"a\": {\"b\": 1}}}");

    assertThat(owned.has("f:revision")).isTrue();
    assertThat(owned.tree("f:data")).isEqualTo(new Tree());
  }

  /// Kubernetes notices what is no port only when it decodes the result.
  @Test
  void whereTextOrNumberStandsAnythingMayBeOwned() {
    var budget = "{\"spec\": {\"minAvailable\": {\"a\": [1]}}}";

    assertThat(
            owned("policy/v1", "PodDisruptionBudget", budget)
                .tree("f:spec", "f:minAvailable", "f:a"))
        .isEqualTo(new Tree());
  }

  @Test
  void anAmountIsOneValue() {
    var quota = "{\"spec\": {\"hard\": {\"cpu\": {\"a\": 1}}}}";

    assertThatThrownBy(() -> owned("v1", "ResourceQuota", quota))
        .hasMessageContaining(".spec.hard.cpu: expected any scalar, got");
  }

  private static Tree owned(String apiVersion, String kind, String rest) {
    var manager =
        FieldManager.of(Types.kubernetes(), apiVersion, kind, "", FieldSet.of("status"), CLOCK);
    var object = Json.read(rest).put("apiVersion", apiVersion).put("kind", kind);
    object.child("metadata").put("name", "a");
    var result = manager.apply(manager.empty(), object, "me", false);
    return result.trees("metadata", "managedFields").getFirst().treeOrEmpty("fieldsV1");
  }
}
