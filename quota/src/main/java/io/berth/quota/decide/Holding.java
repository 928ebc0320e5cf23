package io.berth.quota.decide;

import io.berth.quota.Counted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What may be taken from one project, what goes first at the front.
final class Holding {

  final Queue queue;
  final List<Unit> units = new ArrayList<>();

  /// No unit has less of anything.
  private final long[] least = new long[Counted.COUNT];

  Holding(Queue queue) {
    this.queue = queue;
  }

  /// After units came or went.
  void sort() {
    units.sort(Unit.ORDER);
    Arrays.fill(least, Long.MAX_VALUE);
    for (var unit : units) {
      for (int r = 0; r < least.length; r++) {
        least[r] = Math.min(least[r], unit.amounts[r]);
      }
    }
  }

  /// Those that could be lost to a side, and those that could be moved where no device is free.
  List<Unit> within(Side side) {
    boolean any = side.canLose(least);
    var found = new ArrayList<Unit>();
    for (var unit : units) {
      if (!unit.holdsDevices || (any && side.canLose(unit.amounts))) {
        found.add(unit);
      }
    }
    return found;
  }
}
