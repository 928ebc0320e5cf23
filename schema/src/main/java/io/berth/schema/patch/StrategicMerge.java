package io.berth.schema.patch;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.schema.Field;
import io.berth.schema.Scalar;
import io.berth.schema.Shape;
import io.berth.schema.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Kubernetes' own patch: like a merge patch, but lists whose elements have a merge key are merged
/// element by element, and directives say what cannot be said by values.
///
/// | directive | in | does |
/// |---|---|---|
/// | `$patch: replace` | an object, or a list element | what stands beside it replaces the old |
/// | `$patch: delete` | an object, or a list element | removes it |
/// | `$retainKeys` | an object | removes every key that is not listed |
/// | `$deleteFromPrimitiveList/f` | beside list `f` | removes these values |
/// | `$setElementOrder/f` | beside list `f` | orders the merged list |
///
/// Without an order, new elements go before old ones. Refusals are Kubernetes': those of a wrong
/// directive format have code 400, others 500 without a reason.
final class StrategicMerge {

  private static final String DIRECTIVE = "$patch";
  private static final String RETAIN_KEYS = "$retainKeys";
  private static final String DELETE_FROM = "$deleteFromPrimitiveList";
  private static final String ELEMENT_ORDER = "$setElementOrder";

  private StrategicMerge() {}

  /// Merges `patch` into `original`; both are changed on the way.
  static Tree merge(Tree original, Tree patch, Type type) {
    return mergeObject(original, patch, new Node(type, "struct"));
  }

  /// What the table says about the object at hand; `type` is `null` where Go has no struct.
  private record Node(@Nullable Type type, String goKind) {

    Field field(String name) {
      if (type == null) {
        throw goKind.equals("struct")
            ? noSuchField("RawExtension", name)
            : error("merging an object in json but data type is not struct, instead is: " + goKind);
      }
      var field = type.field(name);
      if (field == null) {
        throw noSuchField(type.simpleName(), name);
      }
      return field;
    }

    static Node below(Field field) {
      if (field.shape() == Shape.MAP || field.shape() == Shape.MAP_OF_LISTS) {
        return new Node(null, "map");
      }
      boolean message = field.scalar() == Scalar.MESSAGE && !field.type().isUnion();
      return new Node(message ? field.type() : null, "struct");
    }

    private static ApiException noSuchField(String struct, String name) {
      return error(
          "unable to find api field in struct %s for the json field \"%s\""
              .formatted(struct, name));
    }
  }

  private static Tree mergeObject(Tree original, Tree patch, Node node) {
    if (patch.has(DIRECTIVE)) {
      return directed(patch);
    }
    retainKeys(original, patch);
    mergeOrderedLists(original, patch, node);
    for (var name : List.copyOf(patch.names())) {
      mergeField(original, name, patch.get(name), node);
    }
    return original;
  }

  private static Tree directed(Tree patch) {
    var directive = patch.get(DIRECTIVE);
    if ("replace".equals(directive)) {
      patch.remove(DIRECTIVE);
      return patch;
    }
    if ("delete".equals(directive)) {
      return new Tree();
    }
    throw unknownDirective(directive, patch);
  }

  private static void mergeField(Tree original, String name, @Nullable Object change, Node node) {
    boolean deletes = name.startsWith(DELETE_FROM);
    var key = deletes ? fieldOf(name, DELETE_FROM, "primitive list") : name;
    if (change == null) {
      original.remove(key);
      return;
    }
    var old = original.get(key);
    if (!original.has(key) || kindOf(old) != kindOf(change)) {
      if (!deletes) {
        take(original, key, change);
      }
      return;
    }
    switch (change) {
      case Tree tree -> {
        var field = node.field(key);
        var merged =
            field.patchStrategies().contains("replace")
                ? tree
                : mergeObject((Tree) Objects.requireNonNull(old), tree, Node.below(field));
        original.put(key, merged);
      }
      case List<?> list ->
          original.put(
              key, mergeList(elements(old), elements(list), listField(node, key), deletes));
      default -> original.put(key, change);
    }
  }

  /// Puts a value where there was none, without its nulls and without what directives remove.
  private static void take(Tree original, String key, Object change) {
    dropNulls(change);
    var kept = withoutDirectives(change);
    if (kept == null) {
      original.remove(key);
    } else {
      original.put(key, kept);
    }
  }

  private static Field listField(Node node, String key) {
    var field = node.field(key);
    if (field.shape() != Shape.LIST) {
      throw error("expected slice or array type, but got: " + node.goKind());
    }
    return field;
  }

  private static void retainKeys(Tree original, Tree patch) {
    if (!patch.has(RETAIN_KEYS)) {
      return;
    }
    if (!(patch.remove(RETAIN_KEYS) instanceof List<?> keys)) {
      throw badFormat("retainKeys");
    }
    var retained = new HashSet<Object>(keys);
    for (var entry : patch.fields().entrySet()) {
      var name = entry.getKey();
      boolean about = name.startsWith(DELETE_FROM) || name.startsWith(ELEMENT_ORDER);
      if (entry.getValue() != null && !about && !retained.contains(name)) {
        throw badFormat("retainKeys");
      }
    }
    for (var name : List.copyOf(original.names())) {
      if (!retained.contains(name)) {
        original.remove(name);
      }
    }
  }

  private static void mergeOrderedLists(Tree original, Tree patch, Node node) {
    for (var name : List.copyOf(patch.names())) {
      if (name.startsWith(ELEMENT_ORDER)) {
        mergeOrderedList(original, patch, node, name);
      }
    }
  }

  private static void mergeOrderedList(Tree original, Tree patch, Node node, String directive) {
    var order = list(patch.remove(directive));
    var key = fieldOf(directive, ELEMENT_ORDER, "setElementOrder list");
    var old = original.has(key) ? list(original.get(key)) : null;
    var change = patch.has(key) ? list(patch.get(key)) : null;
    var field = listField(node, key);
    checkOrder(change, order, field.patchMergeKey());
    if (old == null && change == null) {
      return;
    }
    List<@Nullable Object> merged;
    if (change == null) {
      merged = Objects.requireNonNull(old);
    } else if (old == null) {
      merged = elements(withoutDirectives(change));
    } else {
      merged = mergeList(new ArrayList<>(old), change, field, false);
    }
    var before = old == null ? List.<@Nullable Object>of() : old;
    var elements = new ElementOrder(field.patchMergeKey());
    elements.requireOneKind(before, change == null ? List.of() : change);
    original.put(key, elements.ordered(merged, order, before));
    patch.remove(key);
  }

  /// The patch's elements must stand in the directive, in the same order.
  private static void checkOrder(
      @Nullable List<@Nullable Object> change, List<@Nullable Object> order, String mergeKey) {
    if (change == null || change.isEmpty() || order.isEmpty()) {
      return;
    }
    var elements = new ElementOrder(mergeKey);
    int next = 0;
    int at = 0;
    var kept = mergeKey.isEmpty() ? change : withoutDeletions(change);
    while (next < kept.size() && at < order.size()) {
      if (kept.get(next) instanceof Tree tree && tree.has(DIRECTIVE)) {
        next++;
        continue;
      }
      if (Objects.equals(elements.identity(kept.get(next)), elements.identity(order.get(at)))) {
        next++;
      }
      at++;
    }
    if (next < kept.size() && at >= order.size()) {
      throw error(
          "The order in patch list:\n%s\n doesn't match %s list:\n%s\n"
              .formatted(GoText.of(change), ELEMENT_ORDER, GoText.of(order)));
    }
  }

  private static List<@Nullable Object> withoutDeletions(List<@Nullable Object> list) {
    var kept = new ArrayList<@Nullable Object>();
    for (var element : list) {
      if (!(element instanceof Tree tree)) {
        throw wrongType("map[string]interface {}", element);
      }
      if (!"delete".equals(tree.get(DIRECTIVE))) {
        kept.add(tree);
      }
    }
    return kept;
  }

  private static List<@Nullable Object> mergeList(
      List<@Nullable Object> old, List<@Nullable Object> change, Field field, boolean deletes) {
    if (!deletes && !field.patchStrategies().contains("merge")) {
      return change;
    }
    if (old.isEmpty() && change.isEmpty()) {
      return old;
    }
    var elements = new ElementOrder(field.patchMergeKey());
    elements.requireOneKind(old, change);
    var first = old.isEmpty() ? change.getFirst() : old.getFirst();
    if (!(first instanceof Tree)) {
      return mergeScalars(old, change, deletes);
    }
    if (field.patchMergeKey().isEmpty()) {
      throw error("cannot merge lists without merge key for struct");
    }
    return mergeObjects(old, change, field);
  }

  private static List<@Nullable Object> mergeScalars(
      List<@Nullable Object> old, List<@Nullable Object> change, boolean deletes) {
    if (deletes) {
      var kept = new ArrayList<>(old);
      kept.removeAll(new HashSet<>(change));
      return kept;
    }
    var merged = new LinkedHashSet<@Nullable Object>(old);
    merged.addAll(change);
    return new ElementOrder("").ordered(new ArrayList<>(merged), change, old);
  }

  private static List<@Nullable Object> mergeObjects(
      List<@Nullable Object> old, List<@Nullable Object> change, Field field) {
    var key = field.patchMergeKey();
    var plain = new ArrayList<@Nullable Object>();
    var removed = new HashSet<@Nullable Object>();
    boolean replaces = false;
    for (var element : change) {
      var tree = (Tree) Objects.requireNonNull(element);
      if (!tree.has(DIRECTIVE)) {
        plain.add(tree);
      } else if ("delete".equals(tree.get(DIRECTIVE))) {
        removed.add(required(tree, key));
      } else if ("replace".equals(tree.get(DIRECTIVE))) {
        replaces = true;
      } else if ("merge".equals(tree.get(DIRECTIVE))) {
        throw error("merging lists cannot yet be specified in the patch");
      } else {
        throw unknownDirective(tree.get(DIRECTIVE), tree);
      }
    }
    if (replaces) {
      checkKeys(plain, key);
      return plain;
    }
    var before = new ArrayList<>(old);
    before.removeIf(element -> element instanceof Tree tree && removed.contains(tree.get(key)));
    var merged = mergeElements(before, plain, field);
    return new ElementOrder(key).ordered(merged, plain, before);
  }

  private static List<@Nullable Object> mergeElements(
      List<@Nullable Object> before, List<@Nullable Object> plain, Field field) {
    var key = field.patchMergeKey();
    var node = Node.below(field);
    var merged = new ArrayList<>(before);
    var positions = new HashMap<@Nullable Object, Integer>();
    for (int i = 0; i < merged.size(); i++) {
      if (merged.get(i) instanceof Tree tree && tree.has(key)) {
        positions.putIfAbsent(tree.get(key), i);
      }
    }
    for (var element : plain) {
      var tree = (Tree) Objects.requireNonNull(element);
      var identity = required(tree, key);
      var at = positions.get(identity);
      if (at == null) {
        positions.put(identity, merged.size());
        merged.add(tree);
      } else {
        merged.set(at, mergeObject((Tree) Objects.requireNonNull(merged.get(at)), tree, node));
      }
    }
    return merged;
  }

  private static void checkKeys(List<@Nullable Object> elements, String key) {
    for (var element : elements) {
      required((Tree) Objects.requireNonNull(element), key);
    }
  }

  static Object required(Tree element, String key) {
    var value = element.get(key);
    if (value == null) {
      throw error(
          "map: %s does not contain declared merge key: %s".formatted(GoText.of(element), key));
    }
    return value;
  }

  private static String fieldOf(String directive, String prefix, String what) {
    if (!directive.startsWith(prefix + "/")) {
      throw badFormat(what);
    }
    return directive.substring(prefix.length() + 1);
  }

  private static void dropNulls(@Nullable Object value) {
    if (value instanceof Tree tree) {
      for (var name : List.copyOf(tree.names())) {
        if (tree.get(name) == null) {
          tree.remove(name);
        } else {
          dropNulls(tree.get(name));
        }
      }
    } else if (value instanceof List<?> list) {
      list.forEach(StrategicMerge::dropNulls);
    }
  }

  /// The value without objects that hold a directive, or `null` when it is one itself.
  private static @Nullable Object withoutDirectives(Object value) {
    if (value instanceof Tree tree) {
      if (tree.has(DIRECTIVE)) {
        return null;
      }
      for (var name : List.copyOf(tree.names())) {
        var inner = tree.get(name);
        var kept = inner == null ? null : withoutDirectives(inner);
        if (inner != null && kept == null) {
          tree.remove(name);
        } else {
          tree.put(name, kept);
        }
      }
      return tree;
    }
    if (value instanceof List<?> list) {
      var kept = new ArrayList<@Nullable Object>(list.size());
      for (var element : list) {
        var inner = element == null ? null : withoutDirectives(element);
        if (element == null || inner != null) {
          kept.add(inner);
        }
      }
      return kept;
    }
    return value;
  }

  private static @Nullable Class<?> kindOf(@Nullable Object value) {
    return value == null ? null : value instanceof List ? List.class : value.getClass();
  }

  private static List<@Nullable Object> list(@Nullable Object value) {
    if (value instanceof List<?>) {
      return elements(value);
    }
    throw wrongType("[]interface {}", value);
  }

  @SuppressWarnings("unchecked")
  private static List<@Nullable Object> elements(@Nullable Object list) {
    return (List<@Nullable Object>) Objects.requireNonNull(list);
  }

  static ApiException wrongType(String expected, @Nullable Object actual) {
    return error("expected a %s, but received a %s".formatted(expected, GoText.typeOf(actual)));
  }

  private static ApiException unknownDirective(@Nullable Object directive, Tree element) {
    var shown =
        directive instanceof String || directive instanceof Tree || directive instanceof List<?>
            ? GoText.of(directive)
            : "%%!s(%s=%s)".formatted(GoText.typeOf(directive), GoText.of(directive));
    return error("unknown patch type: %s in map: %s".formatted(shown, GoText.of(element)));
  }

  private static ApiException badFormat(String what) {
    return ApiException.badRequest("invalid patch format of " + what);
  }

  static ApiException error(String message) {
    return new ApiException(500, "", message);
  }
}
