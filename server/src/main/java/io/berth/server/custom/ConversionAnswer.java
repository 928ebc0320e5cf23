package io.berth.server.custom;

import io.berth.api.ApiException;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import io.berth.schema.patch.GoText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The answer of a conversion webhook, checked as Kubernetes checks it: as many objects as were
/// sent, each the same one in the wanted version. Of the metadata, labels and annotations may
/// change; whatever else a webhook does to it is undone.
///
/// `name` says in messages which webhook this is.
record ConversionAnswer(String name, String apiVersion, List<Tree> originals) {

  private static final String GROUP = "apiextensions.k8s.io/";

  List<Tree> objects(Tree review, String version, String id) {
    var response = response(review, version, id);
    var result = response.treeOrEmpty("result");
    if (!result.textOrEmpty("status").equals("Success")) {
      var message = result.textOrEmpty("message");
      throw failed(
          message.isEmpty()
              ? "response.result.status was '%s', not 'Success'"
                  .formatted(result.textOrEmpty("status"))
              : message);
    }
    var given = response.list("convertedObjects");
    if (given.size() != originals.size()) {
      throw error(
          "%s returned %d objects, expected %d".formatted(name, given.size(), originals.size()));
    }
    var objects = new ArrayList<Tree>(given.size());
    for (int i = 0; i < given.size(); i++) {
      objects.add(checked(i, given.get(i)));
    }
    return objects;
  }

  private Tree response(Tree review, String version, String id) {
    var givenVersion = review.textOrEmpty("apiVersion");
    var kind = review.textOrEmpty("kind");
    boolean known = givenVersion.equals(GROUP + "v1") || givenVersion.equals(GROUP + "v1beta1");
    if (!kind.isEmpty() && !(known && kind.equals("ConversionReview"))) {
      throw failed(
          "no kind \"%s\" is registered for version \"%s\" in scheme \"pkg/runtime/scheme.go:111\""
              .formatted(kind, givenVersion));
    }
    if (!kind.isEmpty() && !givenVersion.equals(GROUP + version)) {
      throw failed(
          "converting (%s.ConversionReview) to (%s.ConversionReview): unknown conversion"
              .formatted(givenVersion.substring(GROUP.length()), version));
    }
    boolean strict = version.equals("v1");
    if (strict && kind.isEmpty()) {
      throw failed(
          "expected webhook response of %sv1, Kind=ConversionReview, got %s, Kind="
              .formatted(GROUP, givenVersion.contains("/") ? givenVersion : "/" + givenVersion));
    }
    var response = review.tree("response");
    if (response == null) {
      throw failed("no response provided");
    }
    var answered = response.textOrEmpty("uid");
    if (strict && !answered.equals(id)) {
      throw failed("expected response.uid=\"%s\", got \"%s\"".formatted(id, answered));
    }
    return response;
  }

  private Tree checked(int index, @Nullable Object given) {
    var object = object(given);
    var original = originals.get(index);
    var version = object.textOrEmpty("apiVersion");
    var kind = original.textOrEmpty("kind");
    if (!version.equals(apiVersion)) {
      throw error(
          "%s returned invalid object at index %d: invalid groupVersion (expected %s, received %s)"
              .formatted(name, index, apiVersion, version));
    }
    if (!object.textOrEmpty("kind").equals(kind)) {
      throw error(
          "%s returned invalid object at index %d: invalid kind (expected %s, received %s)"
              .formatted(name, index, kind, object.textOrEmpty("kind")));
    }
    checkSame("name", "name", original, object);
    checkSame("namespace", "namespace", original, object);
    checkSame("UID", "uid", original, object);
    return restored(original, object);
  }

  private static Tree object(@Nullable Object given) {
    if (given == null) {
      throw error("unexpected end of JSON input");
    }
    if (!(given instanceof Tree object)) {
      throw error(
          "json: cannot unmarshal %s into Go value of type map[string]interface {}"
              .formatted(given instanceof List<?> ? "array" : goKind(given)));
    }
    if (object.textOrEmpty("kind").isEmpty()) {
      throw error("Object 'Kind' is missing in '%s'".formatted(Json.text(object)));
    }
    return object.copy();
  }

  private static String goKind(Object scalar) {
    return switch (scalar) {
      case String _ -> "string";
      case Boolean _ -> "bool";
      default -> "number";
    };
  }

  private void checkSame(String shown, String field, Tree original, Tree object) {
    var expected = original.textOrEmpty("metadata", field);
    var actual = object.textOrEmpty("metadata", field);
    if (!expected.equals(actual)) {
      throw error(
          "%s returned invalid object: must have the same %s: %s != %s"
              .formatted(name, shown, expected, actual));
    }
  }

  /// The metadata of the original with the labels and annotations of the converted object.
  private Tree restored(Tree original, Tree object) {
    if (!(object.get("metadata") instanceof Tree answered)) {
      throw invalidMetadata(
          object.has("metadata")
              ? "invalid metadata of type %s in converted object"
                  .formatted(GoText.typeOf(object.get("metadata")))
              : "missing metadata in converted object");
    }
    var meta = original.treeOrEmpty("metadata").copy();
    for (var field : List.of("labels", "annotations")) {
      var value = answered.get(field);
      if (value == null) {
        meta.remove(field);
      } else {
        meta.put(field, checkedTexts(field, value, meta.get(field)));
      }
    }
    return object.put("metadata", meta);
  }

  private Tree checkedTexts(String field, Object given, @Nullable Object before) {
    if (!(given instanceof Tree texts)) {
      throw invalidMetadata(
          "invalid metadata.%s of type %s in converted object"
              .formatted(field, GoText.typeOf(given)));
    }
    texts
        .fields()
        .forEach((key, value) -> {
          if (!(value instanceof String)) {
            throw invalidMetadata(
                "metadata.%s[%s] must be a string, but is %s in converted object"
                    .formatted(field, key, GoText.typeOf(value)));
          }
        });
    if (!texts.equals(before)) {
      checkForm(field, texts);
    }
    return texts;
  }

  private void checkForm(String field, Tree texts) {
    var errors = new FieldErrors();
    var metadata = Cursor.of(FieldPath.of("metadata"), null, errors);
    if (field.equals("labels")) {
      ObjectMeta.validateLabels(metadata.at("labels").with(texts));
    } else {
      // Kubernetes' own slip: the path it shows is not the name of the field.
      ObjectMeta.validateAnnotations(metadata.at("annotation").with(texts));
    }
    if (!errors.isEmpty()) {
      throw invalidMetadata(errors.message());
    }
  }

  private ApiException invalidMetadata(String problem) {
    return error("%s returned invalid metadata: %s".formatted(name, problem));
  }

  private ApiException failed(String problem) {
    return error("%s failed: %s".formatted(name, problem));
  }

  private static ApiException error(String message) {
    return new ApiException(500, "", message);
  }
}
