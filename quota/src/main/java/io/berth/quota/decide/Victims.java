package io.berth.quota.decide;

import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What may be taken for one ask, in the order in which it goes: from the queue with the worst
/// claim first, weighed as it is without what went before.
///
/// Most searches end after a few, so the order is worked out as far as somebody looks. Whoever does
/// sees to it that the books are as they were when the search began.
final class Victims implements Turns.Scale<Unit> {

  private static final long[] NOTHING = new long[Counted.COUNT];

  private final List<Turns.Leaf<Unit>> leaves = new ArrayList<>();
  private final List<Unit> order = new ArrayList<>();
  private @Nullable Turns<Unit> turns;

  /// `units` are in their order, and stay as they are during the search.
  void add(Queue queue, List<Unit> units) {
    if (!units.isEmpty()) {
      leaves.add(new Turns.Leaf<>(queue, units));
    }
  }

  boolean isEmpty() {
    return leaves.isEmpty();
  }

  void forEach(Consumer<Unit> each) {
    leaves.forEach(leaf -> leaf.items.forEach(each));
  }

  /// The one that goes after so many others, or `null` after the last.
  @Nullable Unit at(int index) {
    if (turns == null) {
      turns = new Turns<>(leaves, this, Claim.ORDER.reversed());
    }
    while (order.size() <= index && !turns.isEmpty()) {
      next(turns);
    }
    return index < order.size() ? order.get(index) : null;
  }

  private void next(Turns<Unit> line) {
    var unit = line.peek();
    unit.turn = order.size();
    order.add(unit);
    var gone = line.leaf().gone;
    for (int r = 0; r < gone.length; r++) {
      gone[r] = Amounts.add(gone[r], unit.amounts[r]);
    }
    line.advance();
  }

  @Override
  public boolean isOpen(Unit unit) {
    return true;
  }

  @Override
  public Claim claim(Queue queue, Turns.Leaf<Unit> leaf, Unit next) {
    var lost = leaf.gone.clone();
    for (int r = 0; r < lost.length; r++) {
      lost[r] = Amounts.add(lost[r], next.amounts[r]);
    }
    return Claim.of(queue, NOTHING, lost);
  }
}
