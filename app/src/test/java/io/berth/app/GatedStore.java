package io.berth.app;

import io.berth.store.Entry;
import io.berth.store.Index;
import io.berth.store.Key;
import io.berth.store.Listing;
import io.berth.store.Range;
import io.berth.store.Store;
import io.berth.store.StoreClosedException;
import io.berth.store.Transaction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A store whose last write is a matter of one moment, as when a process is killed: whoever comes
/// later is refused, in the middle of whatever they were doing. Until then its disk may be slow.
final class GatedStore implements Store {

  private final Store store;
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
  private boolean shut;
  private volatile Duration delay = Duration.ZERO;

  GatedStore(Store store) {
    this.store = store;
  }

  void shut() {
    gate.writeLock().lock();
    try {
      shut = true;
    } finally {
      gate.writeLock().unlock();
    }
  }

  /// Every write takes this much longer from now on.
  void slow(Duration by) {
    delay = by;
  }

  @Override
  public <T extends @Nullable Object> T transact(Function<Transaction, T> work) {
    enter();
    try {
      return store.transact(work);
    } finally {
      gate.readLock().unlock();
    }
  }

  @Override
  public <T extends @Nullable Object> T transactRelaxed(Function<Transaction, T> work) {
    enter();
    try {
      return store.transactRelaxed(work);
    } finally {
      gate.readLock().unlock();
    }
  }

  private void enter() {
    LockSupport.parkNanos(delay.toNanos());
    gate.readLock().lock();
    if (shut) {
      gate.readLock().unlock();
      throw new StoreClosedException();
    }
  }

  @Override
  public long revision() {
    return store.revision();
  }

  @Override
  public long compactedRevision() {
    return store.compactedRevision();
  }

  @Override
  public boolean awaitRevision(long revision, Duration timeout) throws InterruptedException {
    return store.awaitRevision(revision, timeout);
  }

  @Override
  public Optional<Entry> find(Key key) {
    return store.find(key);
  }

  @Override
  public Listing list(Range range, int limit) {
    return store.list(range, limit);
  }

  @Override
  public Listing list(Key key) {
    return store.list(key);
  }

  @Override
  public Listing listAt(Range range, long revision, @Nullable Key after, int limit) {
    return store.listAt(range, revision, after, limit);
  }

  @Override
  public List<Entry> listBy(Index index, String value) {
    return store.listBy(index, value);
  }

  @Override
  public Listing listBy(Index index, String value, Range range) {
    return store.listBy(index, value, range);
  }

  @Override
  public Subscription watch(Range range, long afterRevision, Listener listener) {
    return store.watch(range, afterRevision, listener);
  }

  @Override
  public void compact(long revision) {
    store.compact(revision);
  }

  @Override
  public SaveReport save(Path file) {
    return store.save(file);
  }

  @Override
  public Capture capture() {
    return store.capture();
  }

  @Override
  public void close() {
    store.close();
  }
}
