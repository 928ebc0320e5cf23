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
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The folder of a durable store: who uses it, in which format it is, and how far it had come.
///
/// `LOCK` is held while the store is open, and names the process. `FORMAT` is written first and
/// never changes. `HEAD` says how far the ledger has come: see [Head]. `ledger/` belongs to
/// RocksDB.
final class DataFolder implements AutoCloseable {

  private static final int FORMAT = 1;

  /// With less space free, a store would open only to fail at one of its first writes.
  private static final long LEAST_BYTES = 4 << 20;

  private static final String LOCK_FILE = "LOCK";
  private static final String FORMAT_FILE = "FORMAT";
  private static final String HEAD_FILE = "HEAD";
  private static final String LEDGER = "ledger";
  private static final Set<String> OWN_BEFORE_FORMAT = Set.of(LOCK_FILE, FORMAT_FILE + ".new");

  private static final Pattern MATTERS =
      Pattern.compile("FORMAT|HEAD|ledger/(CURRENT|MANIFEST-\\d+|\\d+\\.(log|sst))");

  private final Path path;
  private final FileChannel channel;
  private final FileLock lock;
  private @Nullable FileChannel heads;

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
        folder.prepareFormat();
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
              .formatted(path, named(file)));
    }
    channel.truncate(0);
    var pid = ProcessHandle.current().pid() + "\n";
    channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
    return new DataFolder(path, channel, lock);
  }

  /// The process that its lock file names.
  private static String named(Path lockFile) throws IOException {
    return Files.readString(lockFile, StandardCharsets.ISO_8859_1).replaceAll("\\D", "");
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
    if (Files.exists(path.resolve(HEAD_FILE)) || Files.exists(path.resolve(LEDGER))) {
      throw new Damage(path.resolve(FORMAT_FILE), "is missing from a data folder").refusal();
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

  private void prepareFormat() throws IOException {
    if (Files.exists(path.resolve(FORMAT_FILE))) {
      checkFormat(path);
    } else {
      writeFormat();
    }
  }

  /// Throws when this version does not read what is in the folder, or nobody can tell.
  static void checkFormat(Path path) throws IOException {
    var file = path.resolve(FORMAT_FILE);
    if (!Files.exists(file)) {
      throw new Damage(file, "is missing from a data folder").refusal();
    }
    var text = Files.readString(file, StandardCharsets.ISO_8859_1);
    if (!text.matches("[1-9]\\d{0,8}\n")) {
      throw new Damage(file, "is damaged: it does not hold the number of a format").refusal();
    }
    int format = Integer.parseInt(text.strip());
    if (format > FORMAT) {
      throw new UnusableFolderException(
          ("data folder %s has format %d, and this version reads formats up to %d;"
                  + " use the version that wrote it, or a newer one")
              .formatted(path, format, FORMAT));
    }
  }

  Path ledger() {
    return ledger(path);
  }

  static Path ledger(Path path) {
    return path.resolve(LEDGER);
  }

  /// Whether a file, named from the folder, is needed to open it.
  static boolean matters(Path file) {
    return MATTERS.matcher(file.toString()).matches();
  }

  /// The process that has the folder open, or `""`; asks without writing.
  static String user(Path path) {
    var file = path.resolve(LOCK_FILE);
    if (!Files.isRegularFile(file)) {
      return "";
    }
    try (var opened = FileChannel.open(file, StandardOpenOption.READ);
        var free = opened.tryLock(0, Long.MAX_VALUE, true)) {
      return free == null ? named(file) : "";
    } catch (OverlappingFileLockException e) {
      return String.valueOf(ProcessHandle.current().pid());
    } catch (IOException e) {
      return "";
    }
  }

  Path headFile() {
    return path.resolve(HEAD_FILE);
  }

  /// Notes how far the ledger has come; in place, hence quick.
  void note(Head head) {
    try {
      if (heads == null) {
        heads = openHead();
      }
      heads.write(ByteBuffer.wrap(head.encoded()), 0);
    } catch (IOException e) {
      // The note is a second line of defence; the ledger itself will say that the disk is full.
    }
  }

  /// [#note(Head)] that outlives a loss of power: for the first one of a run, and the last.
  void noteDurably(Head head) {
    note(head);
    try {
      if (heads != null) {
        heads.force(true);
      }
    } catch (IOException e) {
      // As above.
    }
  }

  private FileChannel openHead() throws IOException {
    var file = path.resolve(HEAD_FILE);
    boolean isNew = !Files.exists(file);
    var opened = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (isNew) {
      sync(path);
    }
    return opened;
  }

  /// What was last noted; `null` when there is no note, or none that can be trusted.
  @Nullable Head head() {
    return head(path);
  }

  static @Nullable Head head(Path path) {
    try {
      return Head.decoded(Files.readAllBytes(path.resolve(HEAD_FILE)));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new UnusableFolderException("cannot read the note HEAD in " + path + ": " + e, e);
    }
  }

  private void writeFormat() throws IOException {
    var temporary = path.resolve(FORMAT_FILE + ".new");
    Files.writeString(temporary, FORMAT + "\n");
    sync(temporary);
    Files.move(
        temporary,
        path.resolve(FORMAT_FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    sync(path);
  }

  private static void sync(Path fileOrFolder) throws IOException {
    try (var opened = FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }

  @Override
  public void close() {
    try {
      if (heads != null) {
        heads.close();
      }
      lock.release();
      channel.close();
    } catch (IOException e) {
      throw new UnusableFolderException("cannot release data folder " + path + ": " + e, e);
    }
  }
}
