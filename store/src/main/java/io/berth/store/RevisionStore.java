package io.berth.store;

import io.berth.api.Crew;
import io.berth.api.Sharing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The store: transactions run one after another on `working`, the state that includes what is not
/// on disk yet; readers and watches follow the [Timeline], which [Commits] moves forward.
final class RevisionStore implements Store {

  /// Expired objects are removed in portions, so that nobody waits long for the lock.
  private static final int SWEEP = 500;

  private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);

  private final Settings settings;
  private final Sharing sharing;
  private final Codec codec;
  private final Timeline timeline;
  private final Commits commits;
  private final Expiries expiries;
  private final ReentrantLock writing = new ReentrantLock();
  private final Crew.Shift sweeper;

  /// One per resource that is written relaxed at all: a handful.
  private final ConcurrentMap<Range, Promise> promises = new ConcurrentHashMap<>();

  // Guarded by writing.
  private State working;
  private volatile boolean closed;

  RevisionStore(
      Settings settings, Timeline timeline, Commits commits, Expiries expiries, Sharing sharing) {
    this.settings = settings;
    this.sharing = sharing;
    this.codec = settings.codec().sharing(sharing);
    this.timeline = timeline;
    this.commits = commits;
    this.expiries = expiries;
    this.working = timeline.newest();
    this.sweeper = settings.crew().every(SWEEP_INTERVAL, "store sweeper", this::sweepIfOpen);
  }

  static RevisionStore inMemory(Settings settings) {
    return inMemory(settings, State.empty(1, settings.indexes()));
  }

  static RevisionStore inMemory(Settings settings, Store origin) {
    if (!(origin instanceof RevisionStore other) || other.commits.isDurable()) {
      throw new IllegalArgumentException("only a store in memory can be shared");
    }
    return inMemory(settings, other.timeline.newest());
  }

  private static RevisionStore inMemory(Settings settings, State start) {
    var timeline = new Timeline(start, start.revision(), List.of(), settings.retention(), _ -> {});
    var commits = new AtOnce(timeline, settings.clock());
    return new RevisionStore(
        settings, timeline, commits, new Expiries(settings.expiries()), new Sharing());
  }

  @Override
  public Crew crew() {
    return settings.crew();
  }

  @Override
  public boolean isWritable() {
    return commits.isWritable();
  }

  @Override
  public long revision() {
    return timeline.newest().revision();
  }

  @Override
  public long compactedRevision() {
    return timeline.compacted();
  }

  @Override
  public boolean awaitRevision(long revision, Duration timeout) throws InterruptedException {
    return timeline.revisions().await(revision, timeout);
  }

  @Override
  public Optional<Entry> find(Key key) {
    return newest(Range.of(key)).find(key);
  }

  @Override
  public Listing list(Range range, int limit) {
    return newest(range.everywhere()).list(range, null, limit);
  }

  @Override
  public Listing list(Key key) {
    var state = newest(Range.of(key));
    return new Listing(state.revision(), state.find(key).map(List::of).orElse(List.of()), 0);
  }

  @Override
  public Listing listAt(Range range, long revision, @Nullable Key after, int limit) {
    return timeline.listAt(range, revision, after, limit);
  }

  @Override
  public List<Entry> listBy(Index index, String value) {
    return timeline.newest().listBy(index, value);
  }

  @Override
  public Listing listBy(Index index, String value, Range range) {
    var state = newest(range.everywhere());
    var entries = new ArrayList<>(state.listBy(index, value));
    entries.removeIf(entry -> !range.contains(entry.key()));
    return new Listing(state.revision(), Collections.unmodifiableList(entries), 0);
  }

  @Override
  public <T extends @Nullable Object> T transact(Function<Transaction, T> work) {
    return transact(work, true);
  }

  @Override
  public <T extends @Nullable Object> T transactRelaxed(Function<Transaction, T> work) {
    return transact(work, false);
  }

  private <T extends @Nullable Object> T transact(Function<Transaction, T> work, boolean patient) {
    boolean wait = patient;
    // What a transaction has seen may not be on disk yet. Its answer, an exception too, waits until
    // that is, or a crash could take back what somebody already relies on.
    var ticket = Commits.Ticket.DONE;
    List<Change> written = List.of();
    writing.lock();
    try {
      checkMayBegin();
      ticket = commits.latest();
      var draft = new Draft(working, codec, sharing, expiries::covers);
      var result = run(work, draft);
      if (!draft.changes().isEmpty()) {
        ticket = commits.add(List.copyOf(draft.changes()), draft.state());
        working = draft.state();
        written = draft.changes();
        loosen(written);
      }
      wait |= ticket.isFull();
      if (!wait) {
        promise(draft.changes(), ticket);
      }
      return result;
    } finally {
      writing.unlock();
      encode(written);
      if (wait) {
        ticket.await();
      }
    }
  }

  // Outside the lock: for the disk, and for what holds nothing but its bytes.
  private void encode(List<Change> changes) {
    for (var change : changes) {
      var entry = change.entry();
      boolean live = change.type() != Change.Type.DELETED;
      if (commits.isDurable() || (live && expiries.covers(entry.key()))) {
        var _ = entry.bytes();
      }
    }
  }

  // What is no longer the newest is kept for history, and expiring objects are hardly read.
  private void loosen(List<Change> changes) {
    for (var change : changes) {
      if (change.previous() != null) {
        change.previous().loosen();
      }
      if (change.type() == Change.Type.DELETED || expiries.covers(change.entry().key())) {
        change.entry().loosen();
      }
    }
  }

  private void promise(List<Change> changes, Commits.Ticket ticket) {
    for (var change : changes) {
      promises.put(Range.of(change.entry().key()), new Promise(change.revision(), ticket));
    }
  }

  /// The newest state, with everything of this resource in it that was promised to be visible.
  private State newest(Range resource) {
    var promise = promises.get(resource);
    if (promise != null && promise.revision > timeline.newest().revision()) {
      promise.keep();
    }
    return timeline.newest();
  }

  private void checkMayBegin() {
    if (closed) {
      throw new StoreClosedException();
    }
    if (writing.getHoldCount() > 1) {
      throw new IllegalStateException("a transaction cannot start another one");
    }
  }

  private <T extends @Nullable Object> T run(Function<Transaction, T> work, Draft draft) {
    try {
      var result = work.apply(draft);
      expiries.account(draft, settings.clock().millis());
      return result;
    } finally {
      draft.end();
    }
  }

  @Override
  public Subscription watch(Range range, long afterRevision, Listener listener) {
    if (afterRevision < timeline.compacted()) {
      throw new CompactedException(afterRevision, timeline.compacted());
    }
    var watch = new Watch(settings.crew(), timeline, range, afterRevision, listener);
    watch.start();
    if (closed) {
      watch.end(new StoreClosedException());
    }
    return watch;
  }

  @Override
  public void compact(long revision) {
    timeline.compact(revision);
  }

  @Override
  public SaveReport save(Path file) {
    var state = timeline.newest();
    Snapshot.save(state, file, settings.clock().millis());
    return new SaveReport(state.objects().size(), state.revision());
  }

  @Override
  public Capture capture() {
    return new Snapshot.Captured(timeline.newest(), settings.clock().millis());
  }

  private void sweepIfOpen() {
    try {
      sweep();
    } catch (StoreClosedException | StoreFailedException e) {
      // The store is closing, or takes no more writes: what is due goes after the next start.
    }
  }

  /// Removes what has expired, and forgets history that is beyond the retention.
  void sweep() {
    long now = settings.clock().millis();
    int removed;
    do {
      removed =
          transactRelaxed(transaction -> {
            var due = expiries.due(now, SWEEP);
            due.forEach(transaction::delete);
            return due.size();
          });
    } while (removed == SWEEP);
    timeline.trim(now);
  }

  @Override
  public void close() {
    writing.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
    } finally {
      writing.unlock();
    }
    sweeper.close();
    commits.close();
    timeline.end(new StoreClosedException());
  }

  /// A relaxed write that its writer counts on and readers cannot see yet.
  private record Promise(long revision, Commits.Ticket ticket) {

    void keep() {
      try {
        ticket.await();
      } catch (StoreFailedException e) {
        // The write is lost, as a crash would have lost it. Reading goes on.
      }
    }
  }
}
