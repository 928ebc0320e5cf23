package io.berth.schema.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.FieldValidation;
import io.berth.schema.Types;
import io.berth.schema.Vectors;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PatcherTest {

  private static final Patcher PATCHER = new Patcher(Types.kubernetes());

  private static final String REJECTED =
      "the server rejected our request due to an error in our request";

  private enum Mode {
    JSON,
    MERGE,
    STRATEGIC
  }

  record Refusal(Mode mode, String patch, int code, String reason, String message) {}

  static final List<Refusal> REFUSALS =
      List.of(
          new Refusal(Mode.STRATEGIC, "{", 400, "BadRequest", "invalid JSON patch"),
          new Refusal(Mode.STRATEGIC, "", 400, "BadRequest", "invalid JSON patch"),
          new Refusal(
              Mode.STRATEGIC,
              "[]",
              400,
              "BadRequest",
              "json: cannot unmarshal array into Go value of type map[string]interface {}"),
          new Refusal(
              Mode.STRATEGIC,
              template("{'containers':[{'$patch':'merge','name':'c'}]}"),
              500,
              "",
              "merging lists cannot yet be specified in the patch"),
          new Refusal(
              Mode.STRATEGIC,
              template(
                  "{'$setElementOrder/containers':[{'name':'d'}],"
                      + "'containers':[{'name':'c','image':'app:3'}]}"),
              500,
              "",
              "The order in patch list:\n[map[image:app:3 name:c]]\n doesn't match $setElementOrder"
                  + " list:\n[map[name:d]]\n"),
          new Refusal(
              Mode.STRATEGIC,
              template("{'containers':[{'image':'x'}]}"),
              500,
              "",
              "map: map[image:x] does not contain declared merge key: name"),
          new Refusal(
              Mode.STRATEGIC,
              template("{'containers':[{'$retainKeys':['name'],'name':'c','image':'x'}]}"),
              400,
              "BadRequest",
              "invalid patch format of retainKeys"),
          new Refusal(
              Mode.STRATEGIC,
              "{'spec':'x'}",
              422,
              "Invalid",
              " \"\" is invalid: patch: Invalid value: \"map[spec:x]\": cannot restore struct from:"
                  + " string"),
          new Refusal(
              Mode.STRATEGIC,
              "{'metadata':{'labels':['a']}}",
              422,
              "Invalid",
              " \"\" is invalid: patch: Invalid value: \"map[metadata:map[labels:[a]]]\": cannot"
                  + " restore map from slice"),
          new Refusal(
              Mode.STRATEGIC,
              "{'spec':{'replicas':'many'}}",
              422,
              "Invalid",
              " \"\" is invalid: patch: Invalid value: \"map[spec:map[replicas:many]]\":"
                  + " unrecognized type: int32"),
          new Refusal(
              Mode.JSON,
              "{}",
              400,
              "BadRequest",
              "error decoding patch: json: cannot unmarshal object into Go value of type"
                  + " []handlers.jsonPatchOp"),
          new Refusal(
              Mode.JSON,
              "[{'op':5}]",
              400,
              "BadRequest",
              "error decoding patch: json: cannot unmarshal number into Go struct field"
                  + " jsonPatchOp.op of type string"),
          new Refusal(
              Mode.JSON,
              "['x']",
              400,
              "BadRequest",
              "error decoding patch: json: cannot unmarshal string into Go value of type"
                  + " handlers.jsonPatchOp"),
          new Refusal(Mode.JSON, "[{'op':'explode','path':'/spec'}]", 422, "Invalid", REJECTED),
          new Refusal(Mode.JSON, "[{'op':'remove'}]", 422, "Invalid", REJECTED),
          new Refusal(
              Mode.JSON,
              "[{'op':'test','path':'/spec/replicas','value':5}]",
              422,
              "Invalid",
              REJECTED),
          new Refusal(
              Mode.JSON,
              "[{'op':'remove','path':'/metadata/labels/none'}]",
              422,
              "Invalid",
              REJECTED));

  @ParameterizedTest(name = "{0} {1}")
  @FieldSource("REFUSALS")
  void refuses(Refusal refusal) {
    var thrown =
        catchThrowableOfType(
            ApiException.class, () -> patch(refusal.mode(), refusal.patch(), FieldValidation.WARN));

    assertThat(thrown).hasMessage(refusal.message());
    assertThat(thrown.code()).isEqualTo(refusal.code());
    assertThat(thrown.reason()).isEqualTo(refusal.reason());
  }

  @Test
  void patchesAsKubernetesDoes() {
    for (var vector : Vectors.read("patches.jsonl.gz")) {
      var patch = vector.textOrEmpty("patch");
      var error = vector.text("error");
      if (error == null) {
        assertThat(raw(vector)).as(patch).isEqualTo(vector.get("result"));
      } else {
        assertThatThrownBy(() -> raw(vector))
            .as(patch)
            .isInstanceOf(ApiException.class)
            .hasMessage(vector.textOrEmpty("mode").equals("json") ? REJECTED : error);
      }
    }
  }

  @Test
  void newElementsGoFirst() {
    var patched =
        patch(Mode.STRATEGIC, template("{'containers':[{'name':'e'}]}"), FieldValidation.WARN);

    assertThat(names(patched)).containsExactly("e", "c", "d");
  }

  @Test
  void unknownFieldsAreWarnedAboutOrRefused() {
    var body = "{'data':1,'metadata':{'x':1,'x':2}}";

    assertThat(PATCHER.merge(bytes(body), deployment(), FieldValidation.WARN).warnings())
        .containsExactly(
            "duplicate field \"metadata.x\"",
            "unknown field \"data\"",
            "unknown field \"metadata.x\"");
    assertThatThrownBy(() -> PATCHER.merge(bytes(body), deployment(), FieldValidation.STRICT))
        .hasMessageStartingWith(" \"\" is invalid: patch: Invalid value: \"{")
        .hasMessageEndingWith(
            "strict decoding error: duplicate field \"metadata.x\", unknown field \"data\","
                + " unknown field \"metadata.x\"");
  }

  @Test
  void tooManyOperationsAreRefused() {
    var operation = "{'op':'test','path':'/kind','value':'Deployment'}";
    var body = "[" + (operation + ",").repeat(JsonPatch.MAX_OPERATIONS) + operation + "]";

    assertThatThrownBy(() -> patch(Mode.JSON, body, FieldValidation.WARN))
        .hasMessage(
            "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got"
                + " 10001");
  }

  @Test
  void copiesThatDoubleAreStopped() {
    var copies = new StringBuilder("[{'op':'add','path':'/metadata/annotations','value':{'a':'");
    copies.append("x".repeat(1000)).append("'}}");
    for (int i = 0; i < 40; i++) {
      copies.append(",{'op':'copy','from':'/metadata/annotations','path':'/metadata/annotations/");
      copies.append(i).append("'}");
    }

    assertThatThrownBy(() -> patch(Mode.JSON, copies + "]", FieldValidation.WARN))
        .hasMessage(REJECTED);
  }

  private static Tree patch(Mode mode, String patch, FieldValidation validation) {
    return switch (mode) {
      case JSON -> PATCHER.json(bytes(patch), deployment(), validation).tree();
      case MERGE -> PATCHER.merge(bytes(patch), deployment(), validation).tree();
      case STRATEGIC -> PATCHER.strategic(bytes(patch), deployment(), validation).tree();
    };
  }

  private static @Nullable Object raw(Tree vector) {
    var patch = vector.textOrEmpty("patch").getBytes(StandardCharsets.UTF_8);
    var object = vector.treeOrEmpty("object").copy();
    var type =
        Types.kubernetes().type(vector.textOrEmpty("apiVersion"), vector.textOrEmpty("kind"));
    return switch (vector.textOrEmpty("mode")) {
      case "json" -> JsonPatch.apply(patch, object).value();
      case "merge" -> MergePatch.apply(patch, object).value();
      default -> StrategicMerge.merge(object, Json.readLenient(patch), type);
    };
  }

  private static Tree deployment() {
    return Json.read(
        quoted(
            "{'kind':'Deployment','apiVersion':'apps/v1','metadata':{'name':'w','labels':{'l':'1'}},"
                + "'spec':{'replicas':1,'template':{'spec':{'containers':["
                + "{'name':'c','image':'app:1','resources':{}},"
                + "{'name':'d','image':'app:2','resources':{}}]}}}}"));
  }

  private static List<String> names(Tree deployment) {
    return deployment.trees("spec", "template", "spec", "containers").stream()
        .map(container -> container.textOrEmpty("name"))
        .toList();
  }

  private static String template(String spec) {
    return "{'spec':{'template':{'spec':" + spec + "}}}";
  }

  private static String quoted(String text) {
    return text.replace('\'', '"');
  }

  private static byte[] bytes(String patch) {
    return quoted(patch).getBytes(StandardCharsets.UTF_8);
  }
}
