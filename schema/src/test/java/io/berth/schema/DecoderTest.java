package io.berth.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class DecoderTest {

  private static final Decoder DECODER = new Decoder(Types.kubernetes());

  record Refusal(String name, String body, String message) {}

  static final List<Refusal> REFUSALS =
      List.of(
          new Refusal(
              "unknown kind",
              "{\"apiVersion\":\"v1\",\"kind\":\"Pood\"}",
              "Pood in version \"v1\" cannot be handled as a Pod: no kind \"Pood\" is registered"
                  + " for version \"v1\" in scheme \"pkg/runtime/scheme.go:111\""),
          new Refusal(
              "wrong group",
              "{\"apiVersion\":\"apps/v1\",\"kind\":\"Pod\"}",
              "Pod in version \"v1\" cannot be handled as a Pod: no kind \"Pod\" is registered for"
                  + " version \"apps/v1\" in scheme \"pkg/runtime/scheme.go:111\""),
          new Refusal(
              "another kind",
              "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"items\":[]}",
              "PodList in version \"v1\" cannot be handled as a Pod: converting (v1.PodList) to"
                  + " (core.Pod): unknown conversion"),
          new Refusal(
              "kind is a number",
              "{\"kind\":5}",
              "the object provided is unrecognized (must be of type Pod): couldn't get"
                  + " version/kind; json parse error: json: cannot unmarshal number into Go struct"
                  + " field .kind of type string ({\"kind\":5})"),
          new Refusal(
              "not an object",
              "[]",
              "the object provided is unrecognized (must be of type Pod): couldn't get"
                  + " version/kind; json parse error: json: cannot unmarshal array into Go value of"
                  + " type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind"
                  + " string \"json:\\\"kind,omitempty\\\"\" } (5b5d)"),
          new Refusal(
              "inlined struct",
              "{\"spec\":{\"containers\":[{\"livenessProbe\":{\"httpGet\":{\"port\":true}}}]}}",
              "Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal bool into"
                  + " Go struct field"
                  + " HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type"
                  + " int32"),
          new Refusal(
              "exponent",
              "{\"spec\":{\"terminationGracePeriodSeconds\":1e+30}}",
              "Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal number"
                  + " 1e+30 into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type"
                  + " int64"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("REFUSALS")
  void refuses(Refusal refusal) {
    assertThatThrownBy(() -> pod(refusal.body(), FieldValidation.WARN))
        .isInstanceOf(ApiException.class)
        .hasMessage(refusal.message());
  }

  @Test
  void answersAsKubernetesDoes() {
    for (var vector : Vectors.read("decoding.jsonl.gz")) {
      var body = vector.textOrEmpty("body");
      var error = vector.text("error");
      if (error == null) {
        var decoded = decode(vector, FieldValidation.WARN);
        assertThat(withoutZeroPorts(written(decoded.tree()))).as(body).isEqualTo(expected(vector));
        assertThat(decoded.warnings()).as(body).isEqualTo(vector.list("strict"));
      } else {
        assertThatThrownBy(() -> decode(vector, FieldValidation.WARN))
            .as(body)
            .hasMessageEndingWith(": " + error);
      }
    }
  }

  /// The object as it is written: an empty list of owners means something only on its way in.
  private static Tree written(Tree decoded) {
    if (decoded.at("metadata", "managedFields") instanceof List<?> owners && owners.isEmpty()) {
      decoded.child("metadata").remove("managedFields");
    }
    return decoded;
  }

  @Test
  void anEmptyListOfOwnersTakesTheFieldsFromAll() {
    var decoded = pod("{\"metadata\": {\"managedFields\": []}}", FieldValidation.WARN);

    assertThat(decoded.tree().at("metadata", "managedFields")).isEqualTo(List.of());
  }

  @Test
  void canonicalFormOfACanonicalObjectIsItself() {
    for (var vector : Vectors.read("decoding.jsonl.gz")) {
      if (vector.text("error") == null) {
        var tree = written(decode(vector, FieldValidation.IGNORE).tree());
        var type =
            Types.kubernetes().type(vector.textOrEmpty("apiVersion"), vector.textOrEmpty("kind"));
        assertThat(Canonical.of(type, tree)).isEqualTo(tree);
      }
    }
  }

  @Test
  void strictDecodingNamesEveryField() {
    var body =
        "{\"metadata\":{\"name\":\"p\",\"name\":\"q\"},"
            + "\"spec\":{\"nodeSelektor\":{},\"containers\":[{\"image\":\"x\",\"image\":\"y\"}]}}";

    assertThatThrownBy(() -> pod(body, FieldValidation.STRICT))
        .hasMessage(
            "Pod in version \"v1\" cannot be handled as a Pod: strict decoding error: duplicate"
                + " field \"metadata.name\", unknown field \"spec.nodeSelektor\", duplicate field"
                + " \"spec.containers[0].image\"");
    assertThat(pod(body, FieldValidation.IGNORE).warnings()).isEmpty();
    assertThat(pod(body, FieldValidation.IGNORE).tree().text("metadata", "name")).isEqualTo("q");
  }

  @Test
  void yamlNamesTheLineOfADuplicate() {
    var body = "spec:\n  nodeName: a\n  nodeName: b\n  bogus: 1\n";

    assertThatThrownBy(() -> yaml(body, FieldValidation.STRICT))
        .hasMessage(
            "Pod in version \"v1\" cannot be handled as a Pod: strict decoding error: yaml:"
                + " unmarshal errors:\n  line 3: key \"nodeName\" already set in map, unknown field"
                + " \"spec.bogus\"");
    assertThat(yaml(body, FieldValidation.WARN).warnings())
        .containsExactly(
            "line 3: key \"nodeName\" already set in map", "unknown field \"spec.bogus\"");
    assertThat(yaml(body, FieldValidation.WARN).tree().text("spec", "nodeName")).isEqualTo("b");
  }

  @Test
  void anotherVersionOfTheKindIsRefused() {
    var body = "{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"HorizontalPodAutoscaler\"}";

    assertThatThrownBy(() ->
            DECODER.json(
                bytes(body), "autoscaling/v2", "HorizontalPodAutoscaler", FieldValidation.WARN))
        .hasMessage(
            "the API version in the data (autoscaling/v1) does not match the expected API version"
                + " (autoscaling/v2)");
  }

  private static Decoded decode(Tree vector, FieldValidation validation) {
    return DECODER.json(
        bytes(vector.textOrEmpty("body")),
        vector.textOrEmpty("apiVersion"),
        vector.textOrEmpty("kind"),
        validation);
  }

  // Kubernetes' decoder writes targetPort 0 where none is given, and its defaulting replaces it.
  private static Object expected(Tree vector) {
    return withoutZeroPorts(vector.treeOrEmpty("object"));
  }

  private static Tree withoutZeroPorts(Tree object) {
    var copy = object.copy();
    for (var port : copy.trees("spec", "ports")) {
      if (Long.valueOf(0).equals(port.get("targetPort")) || "".equals(port.get("targetPort"))) {
        port.remove("targetPort");
      }
    }
    return copy;
  }

  private static Decoded pod(String body, FieldValidation validation) {
    return DECODER.json(bytes(body), "v1", "Pod", validation);
  }

  private static Decoded yaml(String body, FieldValidation validation) {
    return DECODER.yaml(bytes(body), "v1", "Pod", validation);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void fieldsStandInKubernetesOrder() {
    var tree =
        pod("{\"status\":{},\"spec\":{},\"metadata\":{\"name\":\"p\"}}", FieldValidation.WARN);

    assertThat(Json.text(tree.tree()))
        .isEqualTo(
            "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\"},"
                + "\"spec\":{\"containers\":null},\"status\":{}}");
  }
}
