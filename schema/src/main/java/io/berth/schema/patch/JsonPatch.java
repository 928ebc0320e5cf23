package io.berth.schema.patch;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.Duplicates;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// RFC 6902 with the habits of the library Kubernetes uses: negative indexes count from the end,
/// what stands before a path's first slash is ignored, and a missing field passes a test for
/// `null`.
///
/// The whole patch applies or nothing does. Operations and what `copy` may add up to are bounded.
public final class JsonPatch {

  public static final int MAX_OPERATIONS = 10_000;

  /// The largest body there is: copies may not make more of an object than could be sent.
  static final long MAX_COPIED_BYTES = 3 << 20;

  private static final Set<String> KEYS = Set.of("op", "path", "from", "value");

  private @Nullable Object root;
  private long copiedBytes;

  private JsonPatch(@Nullable Object root) {
    this.root = root;
  }

  /// The patched copy of `current`, which stays as it is.
  public static Patched apply(byte[] body, Tree current) {
    var document = PatchBody.read(body);
    var complaints = new ArrayList<String>();
    for (var duplicate : Duplicates.of(document)) {
      complaints.add("json patch " + duplicate);
    }
    var operations = operations(document.value(), complaints);
    if (operations.size() > MAX_OPERATIONS) {
      throw new ApiException(
          413,
          "RequestEntityTooLarge",
          "Request entity too large: The allowed maximum operations in a JSON patch is %d, got %d"
              .formatted(MAX_OPERATIONS, operations.size()));
    }
    var patch = new JsonPatch(current.copy());
    for (var operation : operations) {
      patch.apply(operation);
    }
    return new Patched(patch.root, complaints);
  }

  /// The operations of a patch that came from elsewhere. Throws [ApiException] for what is none.
  public static List<Tree> operations(byte[] body) {
    return operations(PatchBody.read(body).value(), new ArrayList<>());
  }

  /// The patched copy of `current`, saying which operation does not fit.
  public static Tree apply(List<Tree> operations, Tree current) throws OperationException {
    var patch = new JsonPatch(current.copy());
    for (var operation : operations) {
      try {
        patch.apply(operation);
      } catch (ApiException e) {
        throw new OperationException(operation, patch.hasParent(operation.textOrEmpty("path")));
      }
    }
    return patch.root instanceof Tree tree ? tree : new Tree();
  }

  private boolean hasParent(String path) {
    try {
      return parent(path) != null;
    } catch (ApiException e) {
      return false;
    }
  }

  private static List<Tree> operations(@Nullable Object value, List<String> complaints) {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      throw cannotDecode(value, "value of type []handlers.jsonPatchOp");
    }
    var operations = new ArrayList<Tree>(list.size());
    for (int i = 0; i < list.size(); i++) {
      operations.add(operation(list.get(i), i, complaints));
    }
    return operations;
  }

  private static Tree operation(@Nullable Object element, int index, List<String> complaints) {
    if (element == null) {
      return new Tree();
    }
    if (!(element instanceof Tree operation)) {
      throw cannotDecode(element, "value of type handlers.jsonPatchOp");
    }
    for (var entry : operation.fields().entrySet()) {
      var name = entry.getKey();
      var value = entry.getValue();
      if (!KEYS.contains(name)) {
        complaints.add("json patch unknown field \"[%d].%s\"".formatted(index, name));
      } else if (!name.equals("value") && value != null && !(value instanceof String)) {
        throw cannotDecode(value, "struct field jsonPatchOp." + name + " of type string");
      }
    }
    return operation;
  }

  private static ApiException cannotDecode(Object value, String into) {
    return ApiException.badRequest(
        "error decoding patch: json: cannot unmarshal %s into Go %s"
            .formatted(PatchBody.kindOf(value), into));
  }

  private void apply(Tree operation) {
    var path = operation.text("path");
    if (path == null) {
      throw rejected();
    }
    switch (operation.textOrEmpty("op")) {
      case "add" -> add(path, operation.get("value"));
      case "remove" -> remove(path);
      case "replace" -> replace(path, operation.get("value"));
      case "move" -> add(path, remove(from(operation)));
      case "copy" -> add(path, copy(from(operation)));
      case "test" -> test(path, operation.get("value"));
      default -> throw rejected();
    }
  }

  private static String from(Tree operation) {
    var from = operation.text("from");
    if (from == null) {
      throw rejected();
    }
    return from;
  }

  private void add(String path, @Nullable Object value) {
    switch (parent(path)) {
      case Tree tree -> tree.put(key(path), value);
      case List<?> list -> {
        var elements = elements(list);
        var key = key(path);
        int size = elements.size();
        elements.add(key.equals("-") ? size : index(key, size + 1), value);
      }
      case null, default -> throw rejected();
    }
  }

  private @Nullable Object remove(String path) {
    return switch (parent(path)) {
      case Tree tree -> {
        if (!tree.has(key(path))) {
          throw rejected();
        }
        yield tree.remove(key(path));
      }
      case List<?> list -> elements(list).remove(index(key(path), list.size()));
      case null, default -> throw rejected();
    };
  }

  private void replace(String path, @Nullable Object value) {
    if (path.isEmpty()) {
      if (!(value instanceof Tree) && !(value instanceof List)) {
        throw rejected();
      }
      root = value;
      return;
    }
    switch (parent(path)) {
      case Tree tree -> tree.put(key(path), value);
      case List<?> list -> elements(list).set(index(key(path), list.size()), value);
      case null, default -> throw rejected();
    }
  }

  private @Nullable Object copy(String from) {
    var value = Tree.copyOf(valueAt(from));
    copiedBytes += Json.write(value).length;
    if (copiedBytes > MAX_COPIED_BYTES) {
      throw rejected();
    }
    return value;
  }

  private void test(String path, @Nullable Object expected) {
    var actual = path.isEmpty() ? root : valueAt(path);
    if (!Objects.equals(actual, expected)) {
      throw rejected();
    }
  }

  private @Nullable Object valueAt(String path) {
    return switch (parent(path)) {
      case Tree tree -> tree.get(key(path));
      case List<?> list -> list.get(index(key(path), list.size()));
      case null, default -> throw rejected();
    };
  }

  /// The object or list that holds what the path names, or `null` when there is none.
  private @Nullable Object parent(String path) {
    var parts = path.split("/", -1);
    if (parts.length < 2) {
      return null;
    }
    var container = root;
    for (int i = 1; i < parts.length - 1; i++) {
      container =
          switch (container) {
            case Tree tree -> tree.get(unescaped(parts[i]));
            case List<?> list -> list.get(index(unescaped(parts[i]), list.size()));
            case null, default -> null;
          };
    }
    return container;
  }

  private static String key(String path) {
    return unescaped(path.substring(path.lastIndexOf('/') + 1));
  }

  private static String unescaped(String part) {
    return part.indexOf('~') < 0 ? part : part.replace("~1", "/").replace("~0", "~");
  }

  private static int index(String key, int size) {
    int index;
    try {
      index = Integer.parseInt(key);
    } catch (NumberFormatException e) {
      throw rejected();
    }
    if (index < -size || index >= size) {
      throw rejected();
    }
    return index < 0 ? index + size : index;
  }

  @SuppressWarnings("unchecked")
  private static List<@Nullable Object> elements(List<?> list) {
    return (List<@Nullable Object>) list;
  }

  private static ApiException rejected() {
    return new ApiException(
        422,
        "Invalid",
        "the server rejected our request due to an error in our request",
        new Tree());
  }
}
