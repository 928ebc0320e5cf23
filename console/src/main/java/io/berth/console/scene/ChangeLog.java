package io.berth.console.scene;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// What changed last, by number: a ring that forgets the oldest. The scene's lock holds for it.
final class ChangeLog {

  private static final int KEPT = 1 << 16;

  private final Thing[] ring = new Thing[KEPT];
  private long next;

  /// A pod (`namespace/name`) or a node.
  record Thing(boolean isPod, String key) {}

  void add(Thing thing) {
    ring[(int) (next++ % KEPT)] = thing;
  }

  /// The number of the last change.
  long last() {
    return next;
  }

  /// Things that changed after this number, each once; nothing if that is not known any more.
  Optional<List<Thing>> since(long number) {
    if (number < 0 || number > next || next - number > KEPT) {
      return Optional.empty();
    }
    var things = new LinkedHashSet<Thing>();
    for (long at = number; at < next; at++) {
      things.add(ring[(int) (at % KEPT)]);
    }
    return Optional.of(List.copyOf(things));
  }
}
