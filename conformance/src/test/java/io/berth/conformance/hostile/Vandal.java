package io.berth.conformance.hostile;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// Damages objects: wrong types, absurd numbers, huge and strange texts, missing and doubled parts.
final class Vandal {

  private static final List<@Nullable Object> POISON = poison();

  private final IntUnaryOperator pick;

  /// `pick` gives a number from 0 up to, but not including, its argument.
  Vandal(IntUnaryOperator pick) {
    this.pick = pick;
  }

  /// Changes `count` places somewhere in the object.
  void damage(Tree object, int count) {
    for (int i = 0; i < count; i++) {
      damage(object);
    }
  }

  private void damage(Tree object) {
    var names = List.copyOf(object.names());
    if (names.isEmpty()) {
      object.put("unknown", poisonous());
      return;
    }
    var name = names.get(pick.applyAsInt(names.size()));
    var value = object.get(name);
    if (value instanceof Tree child && pick.applyAsInt(8) > 0) {
      damage(child);
    } else if (value instanceof List<?> list && !list.isEmpty() && pick.applyAsInt(8) > 0) {
      object.put(name, damaged(list));
    } else if (pick.applyAsInt(6) == 0) {
      object.remove(name);
    } else {
      object.put(name, poisonous());
    }
  }

  private List<@Nullable Object> damaged(List<?> list) {
    var damaged = new ArrayList<@Nullable Object>(list);
    int i = pick.applyAsInt(damaged.size());
    if (damaged.get(i) instanceof Tree child && pick.applyAsInt(5) > 0) {
      damage(child);
    } else if (pick.applyAsInt(3) == 0) {
      damaged.add(Tree.copyOf(damaged.get(i)));
    } else {
      damaged.set(i, poisonous());
    }
    return damaged;
  }

  private @Nullable Object poisonous() {
    return Tree.copyOf(POISON.get(pick.applyAsInt(POISON.size())));
  }

  private static List<@Nullable Object> poison() {
    var poison = new ArrayList<@Nullable Object>();
    poison.add(null);
    poison.addAll(List.of(0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, 1e300, -0.5, true));
    poison.addAll(
        List.of("", " ", "-1", "1e999999999", "9".repeat(400), "0x10", "Infinity", "NaN"));
    poison.addAll(List.of("-5Gi", "1.5m", "99999999999Ei", "2Gb", "1e", "..", "\u0000", "💥"));
    poison.addAll(List.of("In", "Gt", "Equal", "Maybe", "NoSchedule", "DoNotSchedule"));
    poison.add("x".repeat(100_000));
    poison.add(Tree.of("a", Tree.of("b", Tree.of("c", List.of()))));
    poison.add(new ArrayList<>(List.of(1L, "a", Tree.of())));
    poison.add(new Tree());
    poison.add(new ArrayList<@Nullable Object>());
    return poison;
  }
}
