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

  private int smallestPod;
  private long smallestPart;

  Holding(Queue queue) {
    this.queue = queue;
  }

  /// After units came or went.
  void sort() {
    units.sort(Unit.ORDER);
    Arrays.fill(least, Long.MAX_VALUE);
    smallestPod = Integer.MAX_VALUE;
    smallestPart = Long.MAX_VALUE;
    for (var unit : units) {
      smallestPod = Math.min(smallestPod, unit.largestPod);
      smallestPart = Math.min(smallestPart, unit.largestPart);
      for (int r = 0; r < least.length; r++) {
        least[r] = Math.min(least[r], unit.amounts[r]);
      }
    }
  }

  /// Those that could be lost with a side, or else be moved.
  List<Unit> takeable(Side side, Elsewhere elsewhere) {
    boolean anyLoss = !units.isEmpty() && side.canLose(least);
    if (!anyLoss && !elsewhere.takes(smallestPod, smallestPart)) {
      return List.of();
    }
    var found = new ArrayList<Unit>();
    for (var unit : units) {
      if (elsewhere.takes(unit) || (anyLoss && side.canLose(unit.amounts))) {
        found.add(unit);
      }
    }
    return found;
  }
}
