package io.berth.store;

import java.util.Optional;
import java.util.function.Function;

/// Objects by key under one revision counter, with history for watches.
///
/// Safe for any number of threads. Writers queue behind one another; readers never wait for them.
public interface Store extends AutoCloseable {

  /// The newest revision that readers can see.
  long revision();

  /// The oldest revision from which a watch can still start.
  long compactedRevision();

  Optional<Entry> find(Key key);

  /// The newest state of a range.
  Listing list(Range range);

  /// The state of a range at a retained revision; throws [CompactedException] when it is too old.
  Listing listAt(Range range, long revision);

  /// Runs `work` alone, and returns its result once every write of it is on disk and visible.
  ///
  /// When `work` throws, nothing is written and the exception is passed on. Each put and delete
  /// gets a revision of its own. `work` must be quick and must not block.
  <T> T transact(Function<Transaction, T> work);

  /// Like [#transact] but does not wait for the disk: for events and heartbeats, whose loss in a
  /// crash nobody notices.
  <T> T transactRelaxed(Function<Transaction, T> work);

  /// Changes of a range after a revision, in order, each exactly once.
  ///
  /// The listener is called on a thread of the store and must return at once. Throws
  /// [CompactedException] when the revision is no longer retained.
  Subscription watch(Range range, long afterRevision, Listener listener);

  /// Forgets history up to and including this revision.
  void compact(long revision);

  @Override
  void close();

  /// Receives changes.
  interface Listener {

    void changed(Change change);

    /// Nothing in the range changed up to this revision: what a bookmark may say.
    void progressed(long revision);
  }

  /// Ends a watch when closed.
  interface Subscription extends AutoCloseable {

    @Override
    void close();
  }
}
