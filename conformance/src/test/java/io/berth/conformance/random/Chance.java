package io.berth.conformance.random;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// Seeded choices: the same seed makes the same case on every machine.
final class Chance {

  private final SplittableRandom random;

  Chance(long seed) {
    this.random = new SplittableRandom(seed);
  }

  boolean percent(int percent) {
    return random.nextInt(100) < percent;
  }

  /// From `low` to `high`, both included.
  int between(int low, int high) {
    return random.nextInt(low, high + 1);
  }

  @SafeVarargs
  final <T> T one(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  <T> T one(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /// Between `low` and `high` different ones of the choices.
  List<String> some(int low, int high, String... choices) {
    var left = new ArrayList<>(List.of(choices));
    var picked = new ArrayList<String>();
    int count = between(low, Math.min(high, choices.length));
    while (picked.size() < count) {
      picked.add(left.remove(random.nextInt(left.size())));
    }
    return picked;
  }

  <T> List<Object> many(int low, int high, Supplier<T> each) {
    var list = new ArrayList<Object>();
    int count = between(low, high);
    for (int i = 0; i < count; i++) {
      list.add(each.get());
    }
    return list;
  }
}
