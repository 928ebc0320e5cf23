package io.berth.schema.patch;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Orders the elements of a merged list; objects are told apart by a merge key, others by value.
///
/// Elements that the patch names stand in its order, the others in the order they had. Where the
/// two meet, an old element goes first only if it stood before the patched one already.
record ElementOrder(String mergeKey) {

  List<@Nullable Object> ordered(
      List<@Nullable Object> merged,
      List<@Nullable Object> patchOrder,
      List<@Nullable Object> old) {
    // Of several elements without a merge key, Kubernetes names one of the merged list first.
    merged.forEach(this::identity);
    var patched = positions(patchOrder);
    var before = positions(old);
    var named = new ArrayList<@Nullable Object>();
    var others = new ArrayList<@Nullable Object>();
    for (var element : merged) {
      (patched.containsKey(identity(element)) ? named : others).add(element);
    }
    sort(named, patched);
    sort(others, before);
    return interleaved(others, named, before);
  }

  /// Elements must all be objects, or all texts, and so on; lists of lists are not supported.
  void requireOneKind(List<@Nullable Object> old, List<@Nullable Object> change) {
    String kind = null;
    for (var list : List.of(old, change)) {
      for (var element : list) {
        if (element instanceof List) {
          throw new ApiException(
              422,
              "Invalid",
              "the server rejected our request due to an error in our request",
              new Tree());
        }
        var own = GoText.typeOf(element);
        if (kind != null && !kind.equals(own)) {
          throw StrategicMerge.error(
              "list element types are not identical: ["
                  + GoText.of(old)
                  + " "
                  + GoText.of(change)
                  + "]");
        }
        kind = own;
      }
    }
    if (kind == null) {
      throw StrategicMerge.error("no elements in any of the given slices");
    }
  }

  /// What tells an element from others.
  @Nullable Object identity(@Nullable Object element) {
    if (mergeKey.isEmpty()) {
      return element;
    }
    if (!(element instanceof Tree tree)) {
      throw StrategicMerge.wrongType("map[string]interface {}", element);
    }
    return StrategicMerge.required(tree, mergeKey);
  }

  private Map<@Nullable Object, Integer> positions(List<@Nullable Object> list) {
    var positions = new HashMap<@Nullable Object, Integer>();
    for (int i = 0; i < list.size(); i++) {
      positions.putIfAbsent(identity(list.get(i)), i);
    }
    return positions;
  }

  private void sort(List<@Nullable Object> elements, Map<@Nullable Object, Integer> positions) {
    elements.sort((a, b) ->
        Integer.compare(
            positions.getOrDefault(identity(a), -1), positions.getOrDefault(identity(b), -1)));
  }

  private List<@Nullable Object> interleaved(
      List<@Nullable Object> others,
      List<@Nullable Object> named,
      Map<@Nullable Object, Integer> before) {
    var all = new ArrayList<@Nullable Object>(others.size() + named.size());
    int i = 0;
    for (var element : named) {
      var position = before.get(identity(element));
      while (position != null
          && i < others.size()
          && stoodBefore(others.get(i), position, before)) {
        all.add(others.get(i++));
      }
      all.add(element);
    }
    all.addAll(others.subList(i, others.size()));
    return all;
  }

  private boolean stoodBefore(
      @Nullable Object element, int position, Map<@Nullable Object, Integer> before) {
    var own = before.get(identity(element));
    return own != null && own < position;
  }
}
