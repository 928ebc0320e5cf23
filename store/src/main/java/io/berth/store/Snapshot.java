package io.berth.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.rocksdb.RocksDBException;

/// All objects at one revision in one file, and how to make a data folder of it.
///
/// The file is a mark, the format, the revision, the number of objects, then revision, length and
/// [LedgerRecord] of each, and a checksum over all of it. It is written under another name and
/// moved when it is whole and on disk.
final class Snapshot {

  private static final long MARK = 0x62657274_68736e31L; // "berthsn1"
  private static final int FORMAT = 1;

  /// A restored store continues this far behind the snapshot: clients that had seen later revisions
  /// of the lost one must not meet them again with other content.
  static final long GAP = 1_000_000_000;

  private static final int MAX_RECORD_BYTES = 64 << 20;

  private Snapshot() {}

  /// Writes a state while the store goes on.
  static void save(State state, Path file, long nowMillis) {
    var temporary = file.resolveSibling(file.getFileName() + ".new");
    try {
      PrivateFiles.create(temporary);
      write(state, temporary, nowMillis);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UnusableFolderException("cannot write snapshot %s: %s".formatted(file, e), e);
    }
  }

  private static void write(State state, Path file, long nowMillis) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      write(state, Channels.newOutputStream(channel), nowMillis);
      channel.force(true);
    }
  }

  private static void write(State state, OutputStream sink, long nowMillis) throws IOException {
    var checked = new CheckedOutputStream(new BufferedOutputStream(sink, 1 << 16), new CRC32C());
    var out = new DataOutputStream(checked);
    out.writeLong(MARK);
    out.writeInt(FORMAT);
    out.writeLong(state.revision());
    out.writeInt(state.objects().size());
    for (var node : state.objects()) {
      var entry = node.value();
      var record = new LedgerRecord(false, nowMillis, entry.key(), entry.bytes()).encoded();
      out.writeLong(entry.revision());
      out.writeInt(record.length);
      out.write(record);
    }
    out.writeLong(checked.getChecksum().getValue());
    out.flush();
  }

  /// A state on its way to a stream.
  record Captured(State state, long nowMillis) implements Store.Capture {

    @Override
    public Store.SaveReport report() {
      return new Store.SaveReport(state.objects().size(), state.revision());
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      write(state, out, nowMillis);
    }
  }

  /// Fills a new data folder from a file, which is read twice: it is checked before it is used.
  static RestoreReport restore(Path file, Path folder) {
    try {
      var contents = read(file, (_, _) -> {});
      if (Files.exists(folder) && !PrivateFiles.isEmpty(folder)) {
        throw new UnusableFolderException(
            "%s is not empty; restore into a new folder".formatted(folder));
      }
      try (var data = DataFolder.open(folder)) {
        data.noteDurably(load(file, contents, data));
      }
      return new RestoreReport(contents.count(), contents.revision(), contents.revision() + GAP);
    } catch (IOException e) {
      throw new UnusableFolderException("cannot restore snapshot %s: %s".formatted(file, e), e);
    }
  }

  static void check(Path file) {
    try {
      var _ = read(file, (_, _) -> {});
    } catch (IOException e) {
      throw new UnusableFolderException("cannot read snapshot %s: %s".formatted(file, e), e);
    }
  }

  private static Head load(Path file, Contents contents, DataFolder data) throws IOException {
    try (var ledger = RocksLedger.open(data.ledger())) {
      ledger.identify();
      read(file, ledger::load);
      ledger.loaded(new Base(contents.revision() + GAP, contents.count(), contents.revisionSum()));
      return ledger.head(contents.revision() + GAP, true);
    } catch (RocksDBException e) {
      throw DurableStore.refusal(data.ledger(), e);
    }
  }

  private static Contents read(Path file, Sink sink) throws IOException {
    try (var raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      var checked = new CheckedInputStream(raw, new CRC32C());
      return read(file, new DataInputStream(checked), checked, sink);
    } catch (EOFException e) {
      throw new CorruptStoreException("snapshot %s ends early".formatted(file), e);
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  private static Contents read(Path file, DataInputStream in, CheckedInputStream checked, Sink sink)
      throws IOException, RocksDBException {
    if (in.readLong() != MARK) {
      throw new CorruptStoreException("%s is not a snapshot".formatted(file));
    }
    int format = in.readInt();
    if (format != FORMAT) {
      throw new UnusableFolderException(
          "snapshot %s has format %d; this version reads format %d"
              .formatted(file, format, FORMAT));
    }
    long revision = in.readLong();
    int count = in.readInt();
    long revisionSum = 0;
    for (int i = 0; i < count; i++) {
      long recordRevision = in.readLong();
      int length = in.readInt();
      if (length < 0 || length > MAX_RECORD_BYTES) {
        throw new CorruptStoreException(
            "snapshot %s is damaged: object %d of %d has length %d"
                .formatted(file, i + 1, count, length));
      }
      sink.accept(recordRevision, in.readNBytes(length));
      revisionSum += recordRevision;
    }
    long computed = checked.getChecksum().getValue();
    if (in.readLong() != computed || in.read() >= 0) {
      throw new CorruptStoreException(
          "snapshot %s is damaged: its checksum does not match".formatted(file));
    }
    return new Contents(revision, count, revisionSum);
  }

  private record Contents(long revision, int count, long revisionSum) {}

  private interface Sink {
    void accept(long revision, byte[] record) throws RocksDBException;
  }
}
