package io.berth.schema.crd;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Lists that are sets hold nothing twice, lists that are maps no keys twice.
final class ListTypes {

  private ListTypes() {}

  static void check(
      @Nullable Object value, StructuralSchema schema, FieldPath path, FieldErrors errors) {
    if (value instanceof Tree tree) {
      tree.fields()
          .forEach((name, each) -> {
            var property = schema.property(name);
            var additional = schema.additional();
            if (property != null) {
              check(each, property, path.child(name), errors);
            } else if (additional != null) {
              check(each, additional, path.key(name), errors);
            }
          });
    } else if (value instanceof List<?> list) {
      checkList(list, schema, path, errors);
      var items = schema.items();
      for (int i = 0; i < list.size() && items != null; i++) {
        check(list.get(i), items, path.index(i), errors);
      }
    }
  }

  private static void checkList(
      List<?> list, StructuralSchema schema, FieldPath path, FieldErrors errors) {
    switch (schema.listType()) {
      case "set" -> duplicates(list, path, errors);
      case "map" -> {
        for (int i = 0; i < list.size(); i++) {
          if (list.get(i) != null && !(list.get(i) instanceof Tree)) {
            errors.invalid(
                path.index(i), list.get(i), "must be an object for an array of list-type map");
            return;
          }
        }
        duplicates(keys(list, schema.listMapKeys()), path, errors);
      }
      default -> {}
    }
  }

  /// The keys of each element; what it does not have is left out.
  private static List<Map<String, @Nullable Object>> keys(List<?> list, List<String> names) {
    var keys = new ArrayList<Map<String, @Nullable Object>>();
    for (var element : list) {
      var key = new TreeMap<String, @Nullable Object>();
      if (element instanceof Tree tree) {
        for (var name : names) {
          if (tree.has(name)) {
            key.put(name, tree.get(name));
          }
        }
      }
      keys.add(key);
    }
    return keys;
  }

  /// Objects to the second of several equal elements only.
  private static void duplicates(List<?> elements, FieldPath path, FieldErrors errors) {
    var seen = new HashMap<@Nullable Object, Integer>();
    for (int i = 0; i < elements.size(); i++) {
      var element = elements.get(i);
      if (seen.merge(element, 1, Integer::sum) == 2) {
        errors.add(FieldError.duplicate(path.index(i), Sorted.of(element)));
      }
    }
  }
}
