package io.berth.store;

import java.util.List;

/// A ledger whose progress is noted in the data folder after every sync, before anybody is told.
///
/// So nothing acknowledged can be cut off as if nobody knew of it. The note is not synced, which
/// would double the cost of a write: a machine that loses power may have an older one, and only
/// then does a damage behind it look like a write under way. Used by the one thread that commits;
/// the folder is released when the ledger is closed.
final class NotedLedger implements Ledger {

  private final RocksLedger ledger;
  private final DataFolder folder;
  private long revision;
  private boolean failed;

  NotedLedger(RocksLedger ledger, DataFolder folder, long revision) {
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
    folder.note(ledger.head(revision, false));
  }

  @Override
  public void close() {
    ledger.close();
    folder.noteDurably(ledger.head(revision, !failed));
    folder.close();
  }
}
