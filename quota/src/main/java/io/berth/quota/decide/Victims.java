package io.berth.quota.decide;

import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// What may be taken for one ask, in the order in which it goes: from the queue with the worst
/// claim first, weighed as it is without what went before.
final class Victims implements Turns.Scale<Unit> {

  private static final long[] NOTHING = new long[Counted.COUNT];

  private final List<Turns.Leaf<Unit>> leaves = new ArrayList<>();

  /// So many at least.
  private int size;

  void add(Queue queue, List<Unit> units, Predicate<Unit> which) {
    var leaf = new Turns.Leaf<Unit>(queue);
    for (var unit : units) {
      if (which.test(unit)) {
        leaf.items.add(unit);
      }
    }
    if (!leaf.items.isEmpty()) {
      leaves.add(leaf);
      size += leaf.items.size();
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  void forEach(Consumer<Unit> each) {
    leaves.forEach(leaf -> leaf.items.forEach(each));
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

  /// All of them, as the books are now.
  List<Unit> inOrder() {
    var fresh = new ArrayList<Turns.Leaf<Unit>>();
    for (var leaf : leaves) {
      var copy = new Turns.Leaf<Unit>(leaf.queue);
      copy.items.addAll(leaf.items);
      fresh.add(copy);
    }
    var turns = new Turns<>(fresh, this, Claim.ORDER.reversed());
    var order = new ArrayList<Unit>(size);
    while (!turns.isEmpty()) {
      var unit = turns.peek();
      order.add(unit);
      var gone = turns.leaf().gone;
      for (int r = 0; r < gone.length; r++) {
        gone[r] = Amounts.add(gone[r], unit.amounts[r]);
      }
      turns.advance();
    }
    return order;
  }
}
