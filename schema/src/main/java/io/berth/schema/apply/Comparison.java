package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which fields one object has and another has not, or has otherwise.
final class Comparison {

  private FieldSet removed = new FieldSet();
  private FieldSet modified = new FieldSet();
  private FieldSet added = new FieldSet();
  private final List<String> path = new ArrayList<>();

  private Comparison() {}

  static Comparison of(Structure structure, Tree before, Tree after) {
    var comparison = new Comparison();
    comparison.compare(structure, before, after);
    return comparison;
  }

  /// The comparison without these fields and what lies below them.
  Comparison without(FieldSet ignored) {
    var rest = new Comparison();
    rest.removed = removed.recursiveDifference(ignored);
    rest.modified = modified.recursiveDifference(ignored);
    rest.added = added.recursiveDifference(ignored);
    return rest;
  }

  FieldSet removed() {
    return removed;
  }

  FieldSet changed() {
    return modified.union(added);
  }

  boolean isSame() {
    return removed.isEmpty() && modified.isEmpty() && added.isEmpty();
  }

  private void compare(Structure structure, @Nullable Object before, @Nullable Object after) {
    if (Absent.is(before)) {
      added.insert(path, all(structure, after));
      return;
    }
    var given = Absent.is(after) ? before : after;
    boolean leaf =
        switch (Structure.resolve(structure, given)) {
          case Structure.ObjectStructure object -> compareObjects(object, before, after);
          case Structure.ListStructure list -> compareLists(list, before, after);
          case Structure.Leaf _, Structure.Untyped _ -> true;
        };
    if (leaf) {
      compareWhole(before, after);
    } else if (Absent.is(after)) {
      removed.insert(path);
    }
  }

  /// A value that was not there: it and everything below it.
  private static FieldSet all(Structure structure, @Nullable Object value) {
    var set = new FieldSet(true);
    switch (Structure.resolve(structure, value)) {
      case Structure.ObjectStructure object when !object.atomic() -> {
        if (value instanceof Tree tree) {
          tree.forEach((name, each) -> {
            var below = object.at(name);
            if (below != null) {
              set.put(PathElement.field(name), all(below, each));
            }
          });
        }
      }
      case Structure.ListStructure list when list.associative() -> {
        for (var element : Absent.list(value)) {
          var step = PathElement.element(list, element);
          if (set.put(step, all(list.element(), element)) != null) {
            // Elements with the same keys cannot be told apart, so they are owned as one.
            set.put(step, new FieldSet(true));
          }
        }
      }
      case Structure.ObjectStructure _,
          Structure.ListStructure _,
          Structure.Leaf _,
          Structure.Untyped _ -> {}
    }
    return set;
  }

  private void compareWhole(@Nullable Object before, @Nullable Object after) {
    if (Absent.is(after)) {
      removed.insert(path);
    } else if (!Objects.equals(before, after)) {
      modified.insert(path);
    }
  }

  /// Answers whether the object counts as a whole: atomic ones do, and empty ones.
  private boolean compareObjects(
      Structure.ObjectStructure structure, @Nullable Object before, @Nullable Object after) {
    if (structure.atomic() || (Absent.isEmptyObject(before) && Absent.isEmptyObject(after))) {
      return true;
    }
    var old = Absent.object(before);
    var now = Absent.object(after);
    if (old != null) {
      old.forEach((name, _) -> compareField(structure, old, now, name));
    }
    if (now != null) {
      now.forEach((name, _) -> {
        if (old == null || !old.has(name)) {
          compareField(structure, old, now, name);
        }
      });
    }
    return false;
  }

  private void compareField(
      Structure.ObjectStructure structure, @Nullable Tree old, @Nullable Tree now, String name) {
    var below = structure.at(name);
    if (below != null && !sameAbove(old, now, name)) {
      path.add(PathElement.field(name));
      compare(below, Absent.orValue(old, name), Absent.orValue(now, name));
      path.removeLast();
    }
  }

  /// Whether `spec`, `status` or the like is the same as a whole: then nothing below it is looked
  /// at. Only asked near the top, so that a difference far below is not searched for again at each
  /// level.
  private boolean sameAbove(@Nullable Tree old, @Nullable Tree now, String name) {
    return path.size() < 2
        && old != null
        && now != null
        && old.get(name) instanceof Tree before
        && before.equals(now.get(name));
  }

  private boolean compareLists(
      Structure.ListStructure structure, @Nullable Object before, @Nullable Object after) {
    var old = Absent.list(before);
    var now = Absent.list(after);
    if (!structure.associative() || (old.isEmpty() && now.isEmpty())) {
      return true;
    }
    var oldByStep = byStep(structure, old);
    var nowByStep = byStep(structure, now);
    Set<String> steps = new LinkedHashSet<>(oldByStep.keySet());
    steps.addAll(nowByStep.keySet());
    for (var step : steps) {
      path.add(step);
      compareElements(
          structure.element(),
          oldByStep.getOrDefault(step, List.of()),
          nowByStep.getOrDefault(step, List.of()));
      path.removeLast();
    }
    return false;
  }

  private static Map<String, List<@Nullable Object>> byStep(
      Structure.ListStructure structure, List<?> elements) {
    var byStep = new LinkedHashMap<String, List<@Nullable Object>>();
    for (var element : elements) {
      byStep
          .computeIfAbsent(PathElement.element(structure, element), _ -> new ArrayList<>(1))
          .add(element);
    }
    return byStep;
  }

  /// Elements with the same keys cannot be told apart, so they are compared as one.
  private void compareElements(
      Structure element, List<@Nullable Object> old, List<@Nullable Object> now) {
    if (old.size() <= 1 && now.size() <= 1) {
      compare(element, firstOf(old), firstOf(now));
    } else if (old.size() >= 2 && now.size() >= 2) {
      if (!old.equals(now)) {
        modified.insert(path);
      }
    } else if (old.size() >= 2) {
      if (!now.isEmpty()) {
        compare(element, Absent.ABSENT, now.getFirst());
      }
      removed.insert(path);
    } else {
      if (!old.isEmpty()) {
        compare(element, old.getFirst(), Absent.ABSENT);
      }
      added.insert(path);
    }
  }

  private static @Nullable Object firstOf(List<@Nullable Object> elements) {
    return elements.isEmpty() ? Absent.ABSENT : elements.getFirst();
  }
}
