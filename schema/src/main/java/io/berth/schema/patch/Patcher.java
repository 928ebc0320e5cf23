package io.berth.schema.patch;

import io.berth.api.ApiException;
import io.berth.api.FieldError;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.Canonical;
import io.berth.schema.Decoded;
import io.berth.schema.Decoder;
import io.berth.schema.DecodingException;
import io.berth.schema.Duplicates;
import io.berth.schema.FieldValidation;
import io.berth.schema.Type;
import io.berth.schema.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Patches objects of the type table.
///
/// `current` is the stored object, with `apiVersion` and `kind`; it stays as it is. The answer is
/// in canonical form and keeps these two, but is neither defaulted nor validated.
public final class Patcher {

  private final Types types;

  public Patcher(Types types) {
    this.types = types;
  }

  /// `application/json-patch+json`.
  public Decoded json(byte[] body, Tree current, FieldValidation validation) {
    return decoded(JsonPatch.apply(body, current), current, validation);
  }

  /// `application/merge-patch+json`.
  public Decoded merge(byte[] body, Tree current, FieldValidation validation) {
    return decoded(MergePatch.apply(body, current), current, validation);
  }

  /// `application/strategic-merge-patch+json`.
  public Decoded strategic(byte[] body, Tree current, FieldValidation validation) {
    var document = PatchBody.read(body);
    var patch = document.value() == null ? new Tree() : document.value();
    if (!(patch instanceof Tree changes)) {
      throw ApiException.badRequest(
          "json: cannot unmarshal %s into Go value of type map[string]interface {}"
              .formatted(PatchBody.kindOf(patch)));
    }
    var type = typeOf(current);
    var complaints = new ArrayList<>(Duplicates.of(document));
    var shown = changes.copy();
    var merged = StrategicMerge.merge(current.copy(), changes, type);
    try {
      var canonical = Canonical.ofMerged(type, merged, complaints);
      Canonical.keepReset(merged, canonical);
      return checked(canonical, current, complaints, validation, GoText.of(shown));
    } catch (DecodingException e) {
      throw invalidPatch(GoText.of(shown), String.valueOf(e.getMessage()));
    }
  }

  private Decoded decoded(Patched patched, Tree current, FieldValidation validation) {
    var complaints = new ArrayList<>(patched.complaints());
    var shown = Json.text(patched.value());
    checkKind(patched.value(), current, shown);
    try {
      int duplicates = complaints.size();
      var canonical = Canonical.ofPatched(typeOf(current), patched.tree(), complaints);
      if (complaints.size() > duplicates + 1) {
        // Kubernetes reads the patched object with its fields in order, and complains in that
        // order.
        complaints.subList(duplicates, complaints.size()).sort(null);
      }
      Canonical.keepReset(patched.tree(), canonical);
      return checked(canonical, current, complaints, validation, shown);
    } catch (DecodingException e) {
      throw invalidPatch(shown, firstProblem(patched.tree(), current, e));
    }
  }

  /// What is wrong with the first bad field: Kubernetes finds a patched object's fields sorted.
  private String firstProblem(Tree patched, Tree current, DecodingException found) {
    try {
      Canonical.ofPatched(typeOf(current), sorted(patched), new ArrayList<>());
      return String.valueOf(found.getMessage());
    } catch (DecodingException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static Tree sorted(Tree tree) {
    var sorted = new Tree();
    new TreeMap<>(tree.fields()).forEach((name, value) -> sorted.put(name, sortedValue(value)));
    return sorted;
  }

  private static @Nullable Object sortedValue(@Nullable Object value) {
    return switch (value) {
      case Tree tree -> sorted(tree);
      case List<?> list -> {
        var elements = new ArrayList<@Nullable Object>();
        list.forEach(each -> elements.add(sortedValue(each)));
        yield elements;
      }
      case null, default -> value;
    };
  }

  /// A patch may not turn the object into something else.
  private static void checkKind(@Nullable Object patched, Tree current, String shown) {
    if (patched instanceof Tree object && object.has("kind") && object.has("apiVersion")) {
      var kind = object.textOrEmpty("kind");
      var apiVersion = object.textOrEmpty("apiVersion");
      if (!kind.equals(current.textOrEmpty("kind"))
          || !apiVersion.equals(current.textOrEmpty("apiVersion"))) {
        throw invalidPatch(
            shown,
            Types.kubernetes().find(apiVersion, kind).isPresent()
                ? "converting (%s.%s) to (%s): unknown conversion"
                    .formatted(
                        apiVersion.substring(apiVersion.indexOf('/') + 1), kind, goType(current))
                : "no kind %s is registered for version %s in scheme \"%s\""
                    .formatted(
                        FieldError.quoted(kind),
                        FieldError.quoted(apiVersion),
                        "pkg/runtime/scheme.go:111"));
      }
    }
  }

  /// The internal type of a kind, by its package: `core.Pod`.
  private static String goType(Tree object) {
    var apiVersion = object.textOrEmpty("apiVersion");
    int end = apiVersion.indexOf('/');
    var group = end < 0 ? "core" : apiVersion.substring(0, end);
    return group.split("\\.", 2)[0] + "." + object.textOrEmpty("kind");
  }

  private static Decoded checked(
      Tree canonical,
      Tree current,
      List<String> complaints,
      FieldValidation validation,
      String shown) {
    canonical.put("kind", current.get("kind")).put("apiVersion", current.get("apiVersion"));
    if (validation == FieldValidation.STRICT && !complaints.isEmpty()) {
      throw invalidPatch(shown, Decoder.strictError(complaints));
    }
    return new Decoded(
        canonical, validation == FieldValidation.WARN ? List.copyOf(complaints) : List.of());
  }

  private Type typeOf(Tree current) {
    return types.type(current.textOrEmpty("apiVersion"), current.textOrEmpty("kind"));
  }

  /// Kubernetes shows what was wrong, but names neither kind nor object.
  public static ApiException invalidPatch(String shown, String problem) {
    var message = "Invalid value: %s: %s".formatted(Json.text(shown), problem);
    var cause = Tree.of("reason", "FieldValueInvalid", "message", message, "field", "patch");
    return new ApiException(
        422,
        "Invalid",
        " \"\" is invalid: patch: " + message,
        ApiException.withCauses(new Tree(), List.of(cause)));
  }
}
