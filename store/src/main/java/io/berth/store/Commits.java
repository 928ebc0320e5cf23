package io.berth.store;

import java.util.List;

/// Takes the changes of finished transactions, in order, and sees that they become visible.
interface Commits extends AutoCloseable {

  /// Called under the lock of the writers. The ticket says when the changes are visible.
  Ticket add(List<Change> changes, State after);

  /// The ticket of everything added so far.
  Ticket latest();

  /// Whether the bytes of every change are needed.
  default boolean isDurable() {
    return false;
  }

  /// Whether more can be added.
  default boolean isWritable() {
    return true;
  }

  @Override
  void close();

  /// Something to wait for.
  interface Ticket {

    Ticket DONE = () -> {};

    /// Whether so much is under way that even those should wait who need not.
    default boolean isFull() {
      return false;
    }

    /// Returns when the changes are durable and visible; throws when they never will be.
    void await();
  }
}
