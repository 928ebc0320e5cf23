package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Lays an applied configuration over an object: what it names wins, the rest stays.
final class Merge {

  private Merge() {}

  static Tree of(Structure structure, Tree live, Tree applied) {
    return merge(structure, live, applied) instanceof Tree merged ? merged : new Tree();
  }

  private static @Nullable Object merge(
      Structure structure, @Nullable Object live, @Nullable Object applied) {
    var given = Absent.is(applied) ? live : applied;
    return switch (Structure.resolve(structure, given)) {
      case Structure.ObjectStructure object
          when !object.atomic() && !(Absent.isEmptyObject(live) && Absent.isEmptyObject(applied)) ->
          mergeObjects(object, Absent.object(live), Absent.object(applied));
      case Structure.ListStructure list
          when list.associative()
              && !(Absent.list(live).isEmpty() && Absent.list(applied).isEmpty()) ->
          mergeLists(list, Absent.list(live), Absent.list(applied));
      case Structure.ObjectStructure _,
          Structure.ListStructure _,
          Structure.Leaf _,
          Structure.Untyped _ ->
          Tree.copyOf(given);
    };
  }

  private static Object mergeObjects(
      Structure.ObjectStructure structure, @Nullable Tree live, @Nullable Tree applied) {
    var merged = new Tree();
    Set<String> names = new LinkedHashSet<>();
    if (live != null) {
      names.addAll(live.names());
    }
    if (applied != null) {
      names.addAll(applied.names());
    }
    for (var name : names) {
      var below = structure.at(name);
      var value =
          below == null
              ? Absent.orValue(applied == null ? live : applied, name)
              : merge(below, Absent.orValue(live, name), Absent.orValue(applied, name));
      if (!Absent.is(value)) {
        merged.put(name, value);
      }
    }
    return merged.isEmpty() ? Absent.ABSENT : merged;
  }

  /// Elements keep the order of the applied list; those it does not name stay where they were in
  /// relation to the live elements around them.
  private static Object mergeLists(
      Structure.ListStructure structure, List<?> live, List<?> applied) {
    var merging = new ListMerge(structure, live, applied);
    var merged = merging.merge();
    return merged.isEmpty() ? Absent.ABSENT : merged;
  }

  /// One merge of two lists; walks through both at once.
  private static final class ListMerge {

    private final Structure.ListStructure structure;
    private final List<?> live;
    private final List<String> liveSteps = new ArrayList<>();
    private final LinkedHashMap<String, @Nullable Object> liveByStep = new LinkedHashMap<>();
    private final List<String> appliedSteps;
    private final LinkedHashMap<String, @Nullable Object> appliedByStep = new LinkedHashMap<>();
    private final List<String> sharedSteps = new ArrayList<>();
    private final Set<String> done = new HashSet<>();
    private final List<@Nullable Object> merged = new ArrayList<>();
    private int nextShared;

    ListMerge(Structure.ListStructure structure, List<?> live, List<?> applied) {
      this.structure = structure;
      this.live = live;
      for (var element : live) {
        var step = PathElement.element(structure, element);
        // Elements that occur twice are not merged with anything.
        liveByStep.put(step, liveByStep.containsKey(step) ? null : element);
        liveSteps.add(step);
      }
      for (var element : applied) {
        appliedByStep.put(PathElement.element(structure, element), element);
      }
      appliedSteps = List.copyOf(appliedByStep.keySet());
      for (var step : appliedSteps) {
        if (liveByStep.containsKey(step)) {
          sharedSteps.add(step);
        }
      }
    }

    List<@Nullable Object> merge() {
      int l = 0;
      int a = 0;
      while (l < liveSteps.size() || a < appliedSteps.size()) {
        if (l < liveSteps.size() && a < appliedSteps.size()) {
          var step = liveSteps.get(l);
          if (step.equals(appliedSteps.get(a))) {
            take(step);
            l++;
            a++;
            nextShared++;
            continue;
          }
          if (appliedByStep.containsKey(step) && isAwaited() && !awaited().equals(step)) {
            l++;
            continue;
          }
        }
        if (l < liveSteps.size()) {
          var step = liveSteps.get(l);
          if (!appliedByStep.containsKey(step)) {
            add(Merge.merge(structure.element(), live.get(l), Absent.ABSENT));
            l++;
            continue;
          }
          if (done.contains(step)) {
            l++;
          }
        }
        if (a < appliedSteps.size()) {
          var step = appliedSteps.get(a);
          take(step);
          a++;
          if (isAwaited() && awaited().equals(step)) {
            nextShared++;
          }
        }
      }
      return merged;
    }

    private boolean isAwaited() {
      return nextShared < sharedSteps.size();
    }

    private String awaited() {
      return sharedSteps.get(nextShared);
    }

    private void take(String step) {
      done.add(step);
      var old = liveByStep.get(step);
      add(
          Merge.merge(
              structure.element(), old == null ? Absent.ABSENT : old, appliedByStep.get(step)));
    }

    private void add(@Nullable Object element) {
      if (!Absent.is(element)) {
        merged.add(element);
      }
    }
  }
}
