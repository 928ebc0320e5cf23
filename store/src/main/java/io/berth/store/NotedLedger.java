package io.berth.store;

import java.time.Duration;
import java.util.List;

/// A ledger whose progress is noted in the data folder, about every second and at the end.
///
/// Used by the one thread that commits; the folder is released when the ledger is closed.
final class NotedLedger implements Ledger {

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Ledger ledger;
  private final DataFolder folder;
  private long revision;
  private long notedNanos = System.nanoTime();
  private boolean failed;

  NotedLedger(Ledger ledger, DataFolder folder, long revision) {
    this.ledger = ledger;
    this.folder = folder;
    this.revision = revision;
  }

  @Override
  public void append(List<Change> changes, long nowMillis, List<Change> forgotten) {
    failed = true;
    ledger.append(changes, nowMillis, forgotten);
    failed = false;
    revision = changes.getLast().revision();
    if (System.nanoTime() - notedNanos > INTERVAL.toNanos()) {
      folder.noteHead(revision, false);
      notedNanos = System.nanoTime();
    }
  }

  @Override
  public void close() {
    ledger.close();
    folder.noteHead(revision, !failed);
    folder.close();
  }
}
