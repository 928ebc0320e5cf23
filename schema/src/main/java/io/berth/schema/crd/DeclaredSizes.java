package io.berth.schema.crd;

import io.berth.api.Tree;
import io.berth.schema.cel.Sizes;
import io.berth.schema.cel.Span;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How large the values of a schema can be in one request: by `maxItems`, `maxProperties` and
/// `maxLength`, or else by what fits into a request of three mebibytes.
final class DeclaredSizes implements Sizes {

  private static final long REQUEST = 3L << 20;
  private static final Tree TEXT = Tree.of("type", "string");

  private final Value root;

  private DeclaredSizes(Value root) {
    this.root = root;
  }

  /// The sizes of the values of `schema`, or `null` when expressions do not see it.
  static @Nullable DeclaredSizes of(Tree schema, boolean resourceRoot) {
    var root = value(schema, resourceRoot);
    return root == null ? null : new DeclaredSizes(root);
  }

  /// How often such a value can stand in one request.
  long cardinality() {
    return REQUEST / (root.smallest + 1);
  }

  @Override
  public @Nullable Span of(List<String> path) {
    var value = root;
    for (var step : path.subList(1, path.size())) {
      value =
          switch (step) {
            case "@items", "@values" -> value.element;
            case "@keys" -> value.key;
            default -> value.fields.get(step);
          };
      if (value == null) {
        return null;
      }
    }
    return new Span(0, value.most);
  }

  /// `most` is the number of elements or characters, `smallest` the bytes of its shortest form.
  private record Value(
      long most,
      long smallest,
      @Nullable Value key,
      @Nullable Value element,
      Map<String, Value> fields) {

    static Value scalar(long most, long smallest) {
      return new Value(most, smallest, null, null, Map.of());
    }
  }

  private static @Nullable Value value(Tree schema, boolean resourceRoot) {
    if (schema.flag("x-kubernetes-int-or-string")) {
      return Value.scalar(maxLength(schema, REQUEST - 2, 4), 1);
    }
    return switch (schema.textOrEmpty("type")) {
      case "array" -> list(schema);
      case "object" -> object(resourceRoot ? withMeta(schema) : schema);
      case "string" -> text(schema);
      case "boolean" -> Value.scalar(0, 4);
      case "number", "integer" -> Value.scalar(0, 1);
      default -> null;
    };
  }

  private static Value text(Tree schema) {
    return switch (schema.textOrEmpty("format")) {
      case "byte" -> Value.scalar(maxLength(schema, REQUEST - 2, 1), 2);
      case "duration" -> Value.scalar(32, 3);
      case "date" -> Value.scalar(12, 12);
      case "date-time" -> Value.scalar(32, 21);
      default -> Value.scalar(maxLength(schema, longest(schema), 4), 2);
    };
  }

  private static long maxLength(Tree schema, long otherwise, int bytesEach) {
    return schema.get("maxLength") instanceof Long length
        ? Math.max(0, length) * bytesEach
        : otherwise;
  }

  /// The longest of the values a text can have.
  private static long longest(Tree schema) {
    var values = schema.list("enum");
    if (values.isEmpty()) {
      return REQUEST - 2;
    }
    return values.stream()
        .mapToLong(each -> each instanceof String text ? bytes(text) : 0)
        .max()
        .orElse(0);
  }

  private static @Nullable Value list(Tree schema) {
    var items = schema.tree("items");
    var element = items == null ? null : nested(items);
    if (element == null) {
      return null;
    }
    long most =
        schema.get("maxItems") instanceof Long given
            ? Math.max(0, given)
            : (REQUEST - 2) / (element.smallest + 1);
    return new Value(most, 2, null, element, Map.of());
  }

  private static @Nullable Value nested(Tree schema) {
    return value(schema, schema.flag("x-kubernetes-embedded-resource"));
  }

  private static @Nullable Value object(Tree schema) {
    if (schema.get("additionalProperties") instanceof Tree additional) {
      var element = nested(additional);
      if (element == null) {
        return null;
      }
      long most =
          schema.get("maxProperties") instanceof Long given
              ? Math.max(0, given)
              : (REQUEST - 2) / (element.smallest + 6);
      return new Value(most, 2, Value.scalar(0, 2), element, Map.of());
    }
    var fields = new HashMap<String, Value>();
    var required = schema.list("required");
    long smallest = 2;
    for (var property : schema.treeOrEmpty("properties").fields().entrySet()) {
      var field = property.getValue() instanceof Tree tree ? nested(tree) : null;
      if (field == null) {
        continue;
      }
      var name = property.getKey();
      var escaped = Identifiers.escape(name);
      if (escaped != null) {
        fields.put(escaped, field);
      }
      if (required.contains(name)
          && property.getValue() instanceof Tree tree
          && tree.get("default") == null) {
        smallest += bytes(name) + field.smallest + 4;
      }
    }
    return new Value(0, smallest, null, null, fields);
  }

  private static int bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
  }

  /// What every resource has, whether its schema says so or not.
  private static Tree withMeta(Tree schema) {
    var properties = schema.treeOrEmpty("properties");
    if (isText(properties, "kind")
        && isText(properties, "apiVersion")
        && properties.textOrEmpty("metadata", "type").equals("object")
        && isText(properties.treeOrEmpty("metadata", "properties"), "name")
        && isText(properties.treeOrEmpty("metadata", "properties"), "generateName")) {
      return schema;
    }
    var whole = properties.copy();
    whole.put("kind", TEXT).put("apiVersion", TEXT);
    whole.put(
        "metadata",
        Tree.of("type", "object", "properties", Tree.of("name", TEXT, "generateName", TEXT)));
    return schema.copy().put("properties", whole);
  }

  private static boolean isText(Tree properties, String name) {
    return properties.textOrEmpty(name, "type").equals("string");
  }
}
