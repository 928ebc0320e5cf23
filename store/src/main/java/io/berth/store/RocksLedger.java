package io.berth.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/// The ledger in RocksDB: one record per change under its revision, and the [Base].
///
/// Keys are `r` and the revision, eight bytes, so that records lie in the order in which they were
/// written and a write touches one place. Every write carries the object once; the newest state is
/// what is left after reading all records in order. `b` holds the base.
final class RocksLedger implements Ledger {

  private static final byte RECORD = 'r';
  private static final byte[] BASE = {'b'};
  private static final long MEMTABLE_BYTES = 32L << 20;

  private final Path path;
  private final Options options;
  private final RocksDB db;
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private Base base;

  private RocksLedger(Path path, Options options, RocksDB db, Base base) {
    this.path = path;
    this.options = options;
    this.db = db;
    this.base = base;
  }

  /// Opens what is there, or makes a new one. The log must end with a whole record: see [WalTail].
  static RocksLedger open(Path path) throws RocksDBException {
    loadLibrary();
    makePrivate(path);
    var options = options();
    RocksDB db;
    try {
      db = RocksDB.open(options, path.toString());
    } catch (RocksDBException e) {
      options.close();
      throw e;
    }
    var base = db.get(BASE);
    return new RocksLedger(path, options, db, base == null ? Base.START : Base.decoded(base));
  }

  /// The library makes files that all may read, and the folder around this one may be open to all.
  private static void makePrivate(Path path) {
    try {
      PrivateFiles.createFolder(path);
      PrivateFiles.close(path);
    } catch (IOException e) {
      throw new UnusableFolderException("cannot make %s private: %s".formatted(path, e), e);
    }
  }

  static void loadLibrary() {
    RocksDB.loadLibrary();
  }

  private static Options options() {
    return new Options()
        .setCreateIfMissing(true)
        .setWalRecoveryMode(WALRecoveryMode.AbsoluteConsistency)
        .setParanoidChecks(true)
        .setWriteBufferSize(MEMTABLE_BYTES)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setAvoidFlushDuringShutdown(true)
        .setAvoidFlushDuringRecovery(true)
        .setSkipStatsUpdateOnDbOpen(true)
        .setMaxOpenFiles(64)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setKeepLogFileNum(2);
  }

  Base base() {
    return base;
  }

  /// Hands all records to `recovery`, in the order of their revisions.
  void replay(Recovery recovery) throws RocksDBException {
    try (var iterator = db.newIterator()) {
      iterator.seek(new byte[] {RECORD});
      while (iterator.isValid()) {
        recovery.add(revision(iterator.key()), iterator.value());
        iterator.next();
      }
      iterator.status();
    }
  }

  @Override
  public void append(List<Change> changes, long nowMillis, List<Change> forgotten) {
    try (var batch = new WriteBatch()) {
      for (var change : changes) {
        batch.put(key(change.revision()), LedgerRecord.of(change, nowMillis).encoded());
      }
      var newBase = base.after(forgotten);
      if (!forgotten.isEmpty()) {
        drop(batch, forgotten);
        batch.put(BASE, newBase.encoded());
      }
      db.write(synced, batch);
      base = newBase;
    } catch (RocksDBException e) {
      throw new StoreFailedException(
          "cannot write to %s: %s; writes are refused until the store is opened again"
              .formatted(path, e.getMessage()),
          e);
    }
  }

  // A record is needed until what replaced it has left history; a deletion, until it has itself.
  private static void drop(WriteBatch batch, List<Change> forgotten) throws RocksDBException {
    for (var change : forgotten) {
      if (change.previous() != null) {
        batch.delete(key(change.previous().revision()));
      }
      if (change.type() == Change.Type.DELETED) {
        batch.delete(key(change.revision()));
      }
    }
  }

  /// Puts one object of a snapshot into an empty ledger; [#loaded] makes all of them durable.
  void load(long revision, byte[] encoded) throws RocksDBException {
    db.put(key(revision), encoded);
  }

  void loaded(Base newBase) throws RocksDBException {
    db.put(synced, BASE, newBase.encoded());
    base = newBase;
  }

  private static byte[] key(long revision) {
    return ByteBuffer.allocate(1 + Long.BYTES).put(RECORD).putLong(revision).array();
  }

  private static long revision(byte[] key) {
    if (key.length != 1 + Long.BYTES || key[0] != RECORD) {
      throw new CorruptStoreException(
          "there is an unknown key \"%s\"".formatted(new String(key, StandardCharsets.ISO_8859_1)));
    }
    return ByteBuffer.wrap(key, 1, Long.BYTES).getLong();
  }

  @Override
  public void close() {
    synced.close();
    db.close();
    options.close();
  }
}
