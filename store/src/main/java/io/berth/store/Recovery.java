package io.berth.store;

import io.berth.api.Sharing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rebuilds state and history from the records of a ledger, handed in by revision, and checks that
/// none is missing.
final class Recovery {

  /// Between two steps, lists at a revision take back single changes.
  private static final int STEP = 1000;

  private final Settings settings;
  private final Base base;
  private final Sharing sharing = new Sharing();
  private final Codec codec;
  private final Names names = new Names();
  private final Map<Key, Entry> live = new HashMap<>();
  private final List<Change> history = new ArrayList<>();
  private final List<Long> historyMillis = new ArrayList<>();
  private final Expiries expiries;
  private Base found = new Base(0, 0, 0);
  private long revision;

  Recovery(Settings settings, Base base) {
    this.settings = settings;
    this.base = base;
    this.codec = settings.codec().sharing(sharing);
    this.revision = base.revision();
    this.expiries = new Expiries(settings.expiries());
  }

  void add(long recordRevision, byte[] encoded) {
    var record = decoded(recordRevision, encoded);
    var entry = new Entry(record.key(), recordRevision, record.bytes(), codec);
    var previous = live.get(record.key());
    if (recordRevision <= base.revision()) {
      check(!record.deleted() && previous == null, recordRevision, "should have been compacted");
      found = new Base(0, found.count() + 1, found.revisionSum() + recordRevision);
    } else {
      check(recordRevision == revision + 1, revision + 1, "is missing");
      check(!record.deleted() || previous != null, recordRevision, "deletes what is not there");
      revision = recordRevision;
    }
    var change = new Change(type(record, previous), entry, previous);
    apply(change, record.writtenMillis());
  }

  private LedgerRecord decoded(long recordRevision, byte[] encoded) {
    try {
      return LedgerRecord.decoded(encoded, names);
    } catch (IllegalArgumentException e) {
      throw new CorruptStoreException(
          "the record of revision %d cannot be read: %s".formatted(recordRevision, e.getMessage()));
    }
  }

  private static Change.Type type(LedgerRecord record, @Nullable Entry previous) {
    if (record.deleted()) {
      return Change.Type.DELETED;
    }
    return previous == null ? Change.Type.ADDED : Change.Type.MODIFIED;
  }

  private void apply(Change change, long writtenMillis) {
    var key = change.entry().key();
    if (change.type() == Change.Type.DELETED) {
      live.remove(key);
    } else {
      live.put(key, change.entry());
    }
    expiries.note(change, writtenMillis);
    if (change.revision() > base.revision()) {
      history.add(change);
      historyMillis.add(writtenMillis);
    }
  }

  private static void check(boolean holds, long recordRevision, String trouble) {
    if (!holds) {
      throw new CorruptStoreException(
          "the record of revision %d %s".formatted(recordRevision, trouble));
    }
  }

  /// To be called when all records are in.
  Recovered finish() {
    if (found.count() != base.count() || found.revisionSum() != base.revisionSum()) {
      throw new CorruptStoreException(
          "of the %d objects as of revision %d, %d were found"
              .formatted(base.count(), base.revision(), found.count()));
    }
    var entries = new ArrayList<>(live.values());
    entries.sort((one, other) -> one.key().compareTo(other.key()));
    hold(entries);
    var state = State.of(revision, entries, settings.indexes());
    return new Recovered(state, base, steps(state), expiries, sharing);
  }

  // Decoding takes most of the time of opening, and every core helps.
  private void hold(List<Entry> entries) {
    entries.parallelStream().filter(entry -> !expiries.covers(entry.key())).forEach(Recovery::hold);
  }

  private static void hold(Entry entry) {
    try {
      entry.hold();
    } catch (RuntimeException e) {
      throw new CorruptStoreException(
          "the object %s of revision %d cannot be decoded: %s"
              .formatted(entry.key(), entry.revision(), e.getMessage()));
    }
  }

  /// The history in steps, made from the newest to the oldest and returned in order.
  private List<Step> steps(State newest) {
    var steps = new ArrayList<Step>();
    var objects = newest.objects();
    int end = history.size();
    while (end > 0) {
      int start = Math.max(0, end - STEP);
      var changes = history.subList(start, end);
      var step = new Step(changes.size(), changes, objects, historyMillis.get(end - 1));
      steps.addFirst(step);
      objects = step.at(changes.getFirst().revision() - 1, _ -> true);
      end = start;
    }
    return steps;
  }

  /// What a ledger held.
  record Recovered(
      State state, Base base, List<Step> history, Expiries expiries, Sharing sharing) {}
}
