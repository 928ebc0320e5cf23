package io.berth.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The folder of a durable store: who uses it, in which format it is, and how far it had come.
///
/// `LOCK` is held while the store is open, and names the process. `FORMAT` is written first and
/// never changes. `HEAD` notes, about every second, a revision that is surely on disk: a ledger
/// that ends before it has lost something. `ledger/` belongs to RocksDB.
final class DataFolder implements AutoCloseable {

  private static final int FORMAT = 1;

  /// With less space free, a store would open only to fail at one of its first writes.
  private static final long LEAST_BYTES = 4 << 20;

  private static final String LOCK_FILE = "LOCK";
  private static final String FORMAT_FILE = "FORMAT";
  private static final String HEAD_FILE = "HEAD";
  private static final Set<String> OWN_BEFORE_FORMAT = Set.of(LOCK_FILE, FORMAT_FILE + ".new");

  private final Path path;
  private final FileChannel channel;
  private final FileLock lock;

  private DataFolder(Path path, FileChannel channel, FileLock lock) {
    this.path = path;
    this.channel = channel;
    this.lock = lock;
  }

  /// Takes the folder, making it when there is none.
  static DataFolder open(Path path) {
    try {
      PrivateFiles.createFolder(path);
      checkSpace(path);
      var folder = lock(path);
      try {
        folder.checkFormat();
      } catch (IOException | RuntimeException e) {
        folder.close();
        throw e;
      }
      return folder;
    } catch (IOException e) {
      throw new UnusableFolderException("cannot open data folder %s: %s".formatted(path, e), e);
    }
  }

  private static void checkSpace(Path path) throws IOException {
    long free = Files.getFileStore(path).getUsableSpace();
    if (free < LEAST_BYTES) {
      throw new UnusableFolderException(
          "the disk of data folder %s is full: %d KiB are free, at least %d KiB are needed"
              .formatted(path, free >> 10, LEAST_BYTES >> 10));
    }
  }

  private static DataFolder lock(Path path) throws IOException {
    checkOurs(path);
    var file = path.resolve(LOCK_FILE);
    var channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    var lock = tryLock(channel);
    if (lock == null) {
      channel.close();
      throw new UnusableFolderException(
          "data folder %s is in use by process %s; stop it first, or choose another folder"
              .formatted(path, Files.readString(file).strip()));
    }
    channel.truncate(0);
    var pid = ProcessHandle.current().pid() + "\n";
    channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
    return new DataFolder(path, channel, lock);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static void checkOurs(Path path) throws IOException {
    if (Files.exists(path.resolve(FORMAT_FILE))) {
      return;
    }
    try (var files = Files.list(path)) {
      var stranger =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !OWN_BEFORE_FORMAT.contains(name))
              .findFirst();
      if (stranger.isPresent()) {
        throw new UnusableFolderException(
            "%s is not a data folder: it holds %s but no file FORMAT; choose an empty folder"
                .formatted(path, stranger.get()));
      }
    }
  }

  private void checkFormat() throws IOException {
    var file = path.resolve(FORMAT_FILE);
    if (!Files.exists(file)) {
      replace(FORMAT_FILE, FORMAT + "\n", true);
      return;
    }
    var text = Files.readString(file).strip();
    int format;
    try {
      format = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new CorruptStoreException(
          "%s says \"%s\" where a number is expected".formatted(file, text), e);
    }
    if (format > FORMAT) {
      throw new UnusableFolderException(
          ("data folder %s has format %d, and this version reads formats up to %d;"
                  + " use the version that wrote it, or a newer one")
              .formatted(path, format, FORMAT));
    }
  }

  Path ledger() {
    return path.resolve("ledger");
  }

  /// Notes that everything up to this revision is on disk.
  void noteHead(long revision, boolean clean) {
    try {
      var text = revision + (clean ? " clean" : " open");
      replace(HEAD_FILE, text + " " + crc(text) + "\n", false);
    } catch (IOException e) {
      // The note is a second line of defence; the ledger itself will say that the disk is full.
    }
  }

  /// What was last noted; `null` when there is no note, or none that can be trusted.
  @Nullable Head head() {
    try {
      var parts = List.of(Files.readString(path.resolve(HEAD_FILE)).strip().split(" "));
      if (parts.size() != 3 || !crc(parts.get(0) + " " + parts.get(1)).equals(parts.get(2))) {
        return null;
      }
      return new Head(Long.parseLong(parts.get(0)), parts.get(1).equals("clean"));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new UnusableFolderException("cannot read the note HEAD in " + path + ": " + e, e);
    }
  }

  private static String crc(String text) {
    var crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    return Long.toHexString(crc.getValue());
  }

  private void replace(String name, String text, boolean durably) throws IOException {
    var temporary = path.resolve(name + ".new");
    Files.writeString(temporary, text);
    if (durably) {
      sync(temporary);
    }
    Files.move(
        temporary,
        path.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    if (durably) {
      sync(path);
    }
  }

  private static void sync(Path fileOrFolder) throws IOException {
    try (var opened = FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }

  @Override
  public void close() {
    try {
      lock.release();
      channel.close();
    } catch (IOException e) {
      throw new UnusableFolderException("cannot release data folder " + path + ": " + e, e);
    }
  }

  /// `clean` when the store was closed, rather than killed, at this revision.
  record Head(long revision, boolean clean) {}
}
