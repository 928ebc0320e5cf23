package io.berth.store;

import io.berth.api.Crew;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Objects by key under one revision counter, with history for watches.
///
/// Safe for any number of threads. Writers queue behind one another; readers never wait for them.
public interface Store extends AutoCloseable {

  /// A store that forgets everything when closed: for tests and throw-away clusters.
  static Store inMemory(Settings settings) {
    return RevisionStore.inMemory(settings);
  }

  /// A store in memory that begins with everything another one in memory holds now. They share it,
  /// so it costs nothing; what either writes, the other does not see.
  static Store inMemory(Settings settings, Store origin) {
    return RevisionStore.inMemory(settings, origin);
  }

  /// Begins to load, in the background, the native library that [#open] needs: about 70 ms, or 250
  /// when it lies in its jar.
  static void prepare() {
    Thread.ofPlatform().daemon().name("store prepare").start(RocksLedger::loadLibrary);
  }

  /// A store that keeps everything in a folder, made when it does not exist.
  ///
  /// Throws [UnusableFolderException] when the folder is in use, not ours, of a newer version or on
  /// a full disk, and [CorruptStoreException] when something in it is missing or damaged.
  static Opened open(Path folder, Settings settings) {
    return DurableStore.open(folder, settings);
  }

  /// Makes a new data folder from what [#save(Path)] wrote; `folder` must be empty or absent.
  static RestoreReport restore(Path file, Path folder) {
    return Snapshot.restore(file, folder);
  }

  /// Reads a file that [#save(Path)] wrote from end to end.
  ///
  /// Throws [CorruptStoreException] when it is damaged, or none.
  static void check(Path file) {
    Snapshot.check(file);
  }

  /// Looks through a data folder and says what is whole, without changing anything, also when it is
  /// in use.
  ///
  /// Throws [UnusableFolderException] when there is none.
  static Examination examine(Path folder, Settings settings) {
    return Examiner.examine(folder, settings);
  }

  /// Whose hands watches and housekeeping are in.
  default Crew crew() {
    return Crew.THREADS;
  }

  /// The newest revision that readers can see.
  long revision();

  /// Whether writes are taken: a store whose disk failed is read-only until it is opened again.
  default boolean isWritable() {
    return true;
  }

  /// The oldest revision from which a watch can still start, and that can still be listed.
  long compactedRevision();

  /// Waits until readers can see this revision; `false` when it did not come in time.
  boolean awaitRevision(long revision, Duration timeout) throws InterruptedException;

  Optional<Entry> find(Key key);

  /// The newest state of a range.
  default Listing list(Range range) {
    return list(range, Integer.MAX_VALUE);
  }

  /// The first `limit` objects of the newest state of a range.
  Listing list(Range range, int limit);

  /// The object of one key in the newest state, or none.
  Listing list(Key key);

  /// The state of a range at a retained revision; throws [CompactedException] when it is too old.
  default Listing listAt(Range range, long revision) {
    return listAt(range, revision, null, Integer.MAX_VALUE);
  }

  /// The first `limit` objects behind `after` as they were at a retained revision: the next page.
  ///
  /// Cheap: pages of one revision share its state, and none is copied. Throws [CompactedException]
  /// when the revision is too old, `IllegalArgumentException` when it is yet to come.
  Listing listAt(Range range, long revision, @Nullable Key after, int limit);

  /// The objects found under `value` in an index of [Settings#indexes()], newest state, key order.
  List<Entry> listBy(Index index, String value);

  /// Those of them that lie in a range, and the revision of that state.
  Listing listBy(Index index, String value, Range range);

  /// Runs `work` alone, and returns its result once every write of it is on disk and visible.
  ///
  /// When `work` throws, nothing is written and the exception is passed on. Each put and delete
  /// gets a revision of its own. `work` must be quick, must not block, and must not start another
  /// transaction.
  <T extends @Nullable Object> T transact(Function<Transaction, T> work);

  /// Like [#transact] but does not wait for the disk: for events and heartbeats, whose loss in a
  /// crash nobody notices.
  ///
  /// Reads of the same resource that start afterwards do see the writes.
  <T extends @Nullable Object> T transactRelaxed(Function<Transaction, T> work);

  /// Changes of a range after a revision, in order, each exactly once.
  ///
  /// Every watch is an errand of its own that calls the listener, possibly before this method
  /// returns. A listener may block: writers and other watches do not notice, and changes wait in
  /// the history that all watches share. One that falls behind what is retained is ended. Throws
  /// [CompactedException] when the revision is no longer retained.
  Subscription watch(Range range, long afterRevision, Listener listener);

  /// Forgets history up to and including this revision.
  void compact(long revision);

  /// Writes all objects of the newest state into one file, while everything goes on.
  ///
  /// The file appears whole or not at all, readable by its owner only.
  SaveReport save(Path file);

  /// The newest state, to be written where one likes while everything goes on.
  Capture capture();

  /// Ends all watches and waits for writes under way.
  @Override
  void close();

  /// What a snapshot holds.
  record SaveReport(int objects, long revision) {}

  /// A state that no write can change any more, and how to write it: as [#save] does, to a stream.
  interface Capture {

    SaveReport report();

    void writeTo(OutputStream out) throws IOException;
  }

  /// A store, and what opening it found.
  record Opened(Store store, OpenReport report) {}

  /// Receives changes, on one thread, one call at a time.
  interface Listener {

    void changed(Change change);

    /// All changes of the range up to this revision have been delivered: what a bookmark may say.
    ///
    /// Called when asked for by [Subscription#requestProgress()].
    void progressed(long revision);

    /// The store ended the watch, and calls no more: with a [CompactedException] for a listener
    /// that fell behind, with what it threw for one that threw, with [StoreClosedException].
    void ended(RuntimeException cause);
  }

  /// Ends a watch when closed: at most the call under way still completes.
  interface Subscription extends AutoCloseable {

    /// Has [Listener#progressed(long)] called once everything up to now has been delivered.
    void requestProgress();

    @Override
    void close();
  }
}
