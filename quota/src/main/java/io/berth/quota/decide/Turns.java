package io.berth.quota.decide;

import io.berth.quota.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Takes items of queues in turn: at each level of the organization the queue whose claim comes
/// first, down to a queue with items, and of those the next.
///
/// An inner queue is weighed with what the best of its leaves would come with.
final class Turns<T> {

  /// What an item means for the queues above it.
  interface Scale<T> {

    /// The claim of `queue`, or of one above it, if the next item of a leaf is `item`.
    Claim claim(Queue queue, Leaf<T> leaf, T item);

    /// Whether the item is still to be taken.
    boolean isOpen(T item);
  }

  /// A queue and what is left of its items.
  static final class Leaf<T> {
    final Queue queue;
    final List<T> items;

    /// What has been taken before, by those who count it.
    final long[] gone = new long[Counted.COUNT];

    private int at;

    Leaf(Queue queue, List<T> items) {
      this.queue = queue;
      this.items = items;
    }
  }

  private final class Branch {
    final @Nullable Queue queue;
    final @Nullable Leaf<T> own;
    final PriorityQueue<Branch> children = new PriorityQueue<>(order);
    @Nullable Leaf<T> best;
    @Nullable Claim claim;

    Branch(@Nullable Queue queue, @Nullable Leaf<T> own) {
      this.queue = queue;
      this.own = own;
    }

    /// Weighs it with its best leaf. Returns whether there is one.
    boolean weigh() {
      best = own == null ? bestOfChildren() : own;
      if (best == null || !advance(best)) {
        best = null;
        return false;
      }
      if (queue != null) {
        claim = scale.claim(queue, best, best.items.get(best.at));
      }
      return true;
    }

    private @Nullable Leaf<T> bestOfChildren() {
      var first = children.peek();
      return first == null ? null : first.best;
    }
  }

  private final Scale<T> scale;
  private final Comparator<Branch> order;
  private final Map<Queue, Branch> branches = new HashMap<>();
  private final Branch root;

  Turns(Iterable<Leaf<T>> leaves, Scale<T> scale, Comparator<Claim> claims) {
    this.scale = scale;
    this.order = (a, b) -> claims.compare(claimOf(a), claimOf(b));
    this.root = new Branch(null, null);
    for (var leaf : leaves) {
      branches.put(leaf.queue, new Branch(leaf.queue, leaf));
    }
    for (var branch : List.copyOf(branches.values())) {
      grow(branch);
    }
    weighAll();
  }

  // Only what has been weighed is in line.
  private Claim claimOf(Branch branch) {
    return Objects.requireNonNull(branch.claim);
  }

  /// Makes the branches above.
  private void grow(Branch branch) {
    for (var above = parentOf(branch); above != null && !branches.containsKey(above); ) {
      branches.put(above, new Branch(above, null));
      above = above.parent;
    }
  }

  private @Nullable Queue parentOf(Branch branch) {
    return branch.queue == null ? null : branch.queue.parent;
  }

  /// After the books of many queues have changed.
  void weighAll() {
    branches.values().forEach(branch -> branch.children.clear());
    root.children.clear();
    var deepestFirst = new ArrayList<>(branches.values());
    deepestFirst.sort(Comparator.comparingInt(this::depth).reversed());
    for (var branch : deepestFirst) {
      if (branch.weigh()) {
        above(branch).children.add(branch);
      }
    }
    root.weigh();
  }

  private int depth(Branch branch) {
    int depth = 0;
    for (var queue = branch.queue; queue != null; queue = queue.parent) {
      depth++;
    }
    return depth;
  }

  private Branch above(Branch branch) {
    var parent = parentOf(branch);
    return parent == null ? root : branches.getOrDefault(parent, root);
  }

  boolean isEmpty() {
    return root.best == null;
  }

  /// The leaf whose turn it is.
  Leaf<T> leaf() {
    return Objects.requireNonNull(root.best);
  }

  T peek() {
    return leaf().items.get(leaf().at);
  }

  /// Goes on to the next, and weighs those anew who might have changed by the last.
  void advance() {
    var leaf = leaf();
    leaf.at++;
    var path = new ArrayList<Branch>();
    for (var queue = leaf.queue; queue != null; queue = queue.parent) {
      path.add(branches.getOrDefault(queue, root));
    }
    for (var branch : path.reversed()) {
      above(branch).children.remove();
    }
    for (var branch : path) {
      if (branch.weigh()) {
        above(branch).children.add(branch);
      }
    }
    root.weigh();
  }

  private boolean advance(Leaf<T> leaf) {
    while (leaf.at < leaf.items.size() && !scale.isOpen(leaf.items.get(leaf.at))) {
      leaf.at++;
    }
    return leaf.at < leaf.items.size();
  }
}
