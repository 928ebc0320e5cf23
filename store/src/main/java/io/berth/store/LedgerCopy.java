package io.berth.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import org.rocksdb.RocksDBException;

/// A ledger opened for reading without touching it, in a folder of its own: logs and manifest are
/// copied, each up to its first damage, and nothing is read behind a log that is damaged; tables
/// are linked.
///
/// Without a manifest, a ledger that has logs only becomes a new one with these.
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
        return new LedgerCopy(scratch, open(scan, scratch));
      } catch (IOException | RocksDBException | RuntimeException e) {
        delete(scratch);
        throw e;
      }
    } catch (IOException e) {
      throw new UnusableFolderException("cannot copy %s: %s".formatted(ledger, e), e);
    }
  }

  private static RocksLedger open(LedgerScan scan, Path scratch)
      throws IOException, RocksDBException {
    var manifest = scan.manifest();
    if (manifest != null) {
      copy(manifest, scratch.resolve(manifest.file().getFileName()));
      Files.writeString(scratch.resolve("CURRENT"), manifest.file().getFileName() + "\n");
    } else if (scan.tables().isEmpty()) {
      RocksLedger.open(scratch).close();
    }
    for (var table : scan.tables()) {
      Files.createSymbolicLink(scratch.resolve(table.getFileName()), table.toRealPath());
    }
    copyLogs(scan, scratch, manifest == null ? NEW_LEDGER : 0);
    return RocksLedger.openReadOnly(scratch);
  }

  private static void copyLogs(LedgerScan scan, Path scratch, long offset) throws IOException {
    for (var log : scan.logs()) {
      copy(log, scratch.resolve("%06d.log".formatted(log.number() + offset)));
      if (log.scan().damage() != null) {
        return;
      }
    }
  }

  private static void copy(LedgerScan.Log log, Path target) throws IOException {
    Files.write(target, Arrays.copyOf(Files.readAllBytes(log.file()), log.scan().end()));
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
