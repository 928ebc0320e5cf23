package io.berth.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
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
/// what is left after reading all records in order. `b` holds the base, `i` what tells this ledger
/// from those of other clusters.
final class RocksLedger implements Ledger {

  private static final byte RECORD = 'r';
  private static final byte[] BASE = {'b'};
  private static final byte[] IDENTITY = {'i'};
  private static final long MEMTABLE_BYTES = 32L << 20;

  private final Path path;
  private final Options options;
  private final RocksDB db;
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private Base base;
  private String identity;
  private long checksum = Head.NO_CHECKSUM;

  private RocksLedger(Path path, Options options, RocksDB db) throws RocksDBException {
    this.path = path;
    this.options = options;
    this.db = db;
    var foundBase = db.get(BASE);
    this.base = foundBase == null ? Base.START : Base.decoded(foundBase);
    var foundIdentity = db.get(IDENTITY);
    this.identity =
        foundIdentity == null ? "" : new String(foundIdentity, StandardCharsets.US_ASCII);
  }

  /// Opens what is there, or makes a new one. The log must end with a whole record: see [TornTail].
  static RocksLedger open(Path path) throws RocksDBException {
    loadLibrary();
    makePrivate(path);
    var options = options();
    return opened(path, options, () -> RocksDB.open(options, path.toString()));
  }

  /// Opens what is there for reading, and changes nothing.
  static RocksLedger openReadOnly(Path path) throws RocksDBException {
    loadLibrary();
    var options = options().setCreateIfMissing(false);
    return opened(path, options, () -> RocksDB.openReadOnly(options, path.toString()));
  }

  private static RocksLedger opened(Path path, Options options, Opening opening)
      throws RocksDBException {
    RocksDB db = null;
    try {
      db = opening.open();
      return new RocksLedger(path, options, db);
    } catch (RocksDBException e) {
      // Left open, it would keep its lock.
      if (db != null) {
        db.close();
      }
      options.close();
      throw e;
    }
  }

  private interface Opening {
    RocksDB open() throws RocksDBException;
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

  /// Empty for a ledger that was never opened by a version that gives one.
  String identity() {
    return identity;
  }

  /// Gives the ledger an identity, if it has none.
  void identify() throws RocksDBException {
    if (identity.isEmpty()) {
      identity = UUID.randomUUID().toString();
      db.put(synced, IDENTITY, identity.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /// How far the ledger has come, for the note of it.
  Head head(long revision, boolean clean) {
    return new Head(revision, clean, checksum, identity);
  }

  /// The checksum of the record of a revision, if there is one.
  long checksum(long revision) {
    try {
      var record = db.get(key(revision));
      return record == null ? Head.NO_CHECKSUM : Head.crc(record);
    } catch (RocksDBException e) {
      throw DurableStore.refusal(path, e);
    }
  }

  /// The newest revision of which there is a record, or the base.
  long newest() {
    try (var iterator = db.newIterator()) {
      iterator.seekToLast();
      return iterator.isValid() && iterator.key()[0] == RECORD
          ? Math.max(base.revision(), revision(iterator.key()))
          : base.revision();
    }
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

  /// Reads every block of every table, also those that no record is in any more.
  void verify() throws RocksDBException {
    db.verifyChecksum();
  }

  @Override
  public void append(List<Change> changes, long nowMillis, List<Change> forgotten) {
    try (var batch = new WriteBatch()) {
      var record = new byte[0];
      for (var change : changes) {
        record = LedgerRecord.of(change, nowMillis).encoded();
        batch.put(key(change.revision()), record);
      }
      var newBase = base.after(forgotten);
      if (!forgotten.isEmpty()) {
        drop(batch, forgotten);
        batch.put(BASE, newBase.encoded());
      }
      db.write(synced, batch);
      base = newBase;
      checksum = Head.crc(record);
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
