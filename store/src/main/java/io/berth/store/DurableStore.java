package io.berth.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/// Opens stores on disk: take the folder, open the ledger, read it all, start.
final class DurableStore {

  private DurableStore() {}

  static Store.Opened open(Path path, Settings settings) {
    long start = System.nanoTime();
    var folder = DataFolder.open(path);
    try {
      var notes = new ArrayList<String>();
      var ledger = openLedger(folder, notes);
      try {
        var recovered = recover(folder, ledger, settings, notes);
        var store = start(folder, ledger, recovered, settings);
        var took = Duration.ofNanos(System.nanoTime() - start);
        return new Store.Opened(store, report(recovered, took, notes));
      } catch (RuntimeException e) {
        ledger.close();
        throw e;
      }
    } catch (RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  private static RocksLedger openLedger(DataFolder folder, List<String> notes) {
    var path = folder.ledger();
    var scan = LedgerScan.of(path);
    if (!scan.damages().isEmpty()) {
      throw scan.damages().getFirst().refusal();
    }
    if (scan.torn() != null) {
      notes.add(TornTail.cut(path, scan, scan.torn(), folder.head()));
    }
    try {
      return RocksLedger.open(path);
    } catch (RocksDBException e) {
      throw refusal(path, e);
    }
  }

  private static boolean isCorruption(RocksDBException e) {
    return e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption;
  }

  static RuntimeException refusal(Path path, RocksDBException e) {
    return isCorruption(e)
        ? new CorruptStoreException(
            "%s is damaged: %s; it was left as it is".formatted(path, e.getMessage()), e)
        : new UnusableFolderException("cannot open %s: %s".formatted(path, e.getMessage()), e);
  }

  private static Recovery.Recovered recover(
      DataFolder folder, RocksLedger ledger, Settings settings, List<String> notes) {
    var recovery = new Recovery(settings, ledger.base());
    try {
      ledger.replay(recovery);
    } catch (RocksDBException e) {
      throw refusal(folder.ledger(), e);
    }
    var recovered = recovery.finish();
    checkHead(folder, ledger, recovered, notes);
    return recovered;
  }

  private static void checkHead(
      DataFolder folder, RocksLedger ledger, Recovery.Recovered recovered, List<String> notes) {
    var head = folder.head();
    long revision = recovered.state().revision();
    if (head == null) {
      if (revision > Base.START.revision()) {
        notes.add(
            "%s is missing or damaged: whether revisions behind %d are missing cannot be said"
                .formatted(folder.headFile(), revision));
      }
      return;
    }
    var objection = head.objection(ledger, revision);
    if (objection != null) {
      throw new Damage(folder.ledger(), objection).refusal();
    }
    if (!head.clean()) {
      notes.add(
          "the last run did not end cleanly; everything up to revision %d is there"
              .formatted(revision));
    }
  }

  private static Store start(
      DataFolder folder, RocksLedger ledger, Recovery.Recovered recovered, Settings settings) {
    var forgotten = new Forgotten();
    var timeline =
        new Timeline(
            recovered.state(),
            recovered.base().revision(),
            recovered.history(),
            settings.retention(),
            forgotten::add);
    identify(folder, ledger);
    folder.noteDurably(ledger.head(recovered.state().revision(), false));
    var noted = new NotedLedger(ledger, folder, recovered.state().revision());
    var commits = new GroupCommit(noted, timeline, forgotten, settings.clock());
    return new RevisionStore(
        settings, timeline, commits, recovered.expiries(), recovered.sharing());
  }

  private static void identify(DataFolder folder, RocksLedger ledger) {
    try {
      ledger.identify();
    } catch (RocksDBException e) {
      throw refusal(folder.ledger(), e);
    }
  }

  private static OpenReport report(
      Recovery.Recovered recovered, Duration took, List<String> notes) {
    return new OpenReport(
        recovered.state().revision(),
        recovered.base().revision(),
        recovered.state().objects().size(),
        took,
        List.copyOf(notes));
  }
}
