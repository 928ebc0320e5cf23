package io.berth.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import org.rocksdb.RocksDBException;

/// A ledger opened for reading without touching it: its logs, each up to its first damage, are
/// copied into a folder of their own, and nothing is read behind one that is damaged.
///
/// Without its manifest, a ledger that has logs only is put together in that folder.
final class LedgerCopy implements AutoCloseable {

  /// Logs behind this number are newer than the one that a new ledger makes for itself.
  private static final long NEW_LEDGER = 1_000;

  private final Path scratch;
  private final RocksLedger ledger;

  private LedgerCopy(Path scratch, RocksLedger ledger) {
    this.scratch = scratch;
    this.ledger = ledger;
  }

  static LedgerCopy of(Path ledger, LedgerScan scan) throws RocksDBException {
    try {
      var scratch = Files.createTempDirectory("berth-ledger");
      try {
        return new LedgerCopy(scratch, open(ledger, scan, scratch));
      } catch (IOException | RocksDBException | RuntimeException e) {
        delete(scratch);
        throw e;
      }
    } catch (IOException e) {
      throw new UnusableFolderException("cannot copy the logs of %s: %s".formatted(ledger, e), e);
    }
  }

  private static RocksLedger open(Path ledger, LedgerScan scan, Path scratch)
      throws IOException, RocksDBException {
    if (scan.listed() || scan.tables()) {
      copyLogs(scan, scratch, 0);
      return RocksLedger.openReadOnly(ledger, scratch);
    }
    RocksLedger.open(scratch).close();
    copyLogs(scan, scratch, NEW_LEDGER);
    return RocksLedger.openReadOnly(scratch, scratch);
  }

  private static void copyLogs(LedgerScan scan, Path scratch, long offset) throws IOException {
    for (var log : scan.logs()) {
      var whole = Arrays.copyOf(Files.readAllBytes(log.file()), log.scan().end());
      Files.write(scratch.resolve("%06d.log".formatted(log.number() + offset)), whole);
      if (log.scan().damage() != null) {
        return;
      }
    }
  }

  RocksLedger ledger() {
    return ledger;
  }

  @Override
  public void close() {
    ledger.close();
    try {
      delete(scratch);
    } catch (IOException e) {
      throw new UnusableFolderException("cannot remove %s: %s".formatted(scratch, e), e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
