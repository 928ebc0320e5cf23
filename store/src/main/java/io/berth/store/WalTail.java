package io.berth.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Cuts a half-written record off the end of the newest log, and refuses every other damage.
///
/// A process that dies, or a machine that loses power, may leave a record of which only a part
/// reached the disk. Nobody was told that such a write succeeded. A changed bit looks almost the
/// same, but there somebody was; what tells them apart is in [WalScan]. The cut part is kept in a
/// file beside the ledger.
final class WalTail {

  private WalTail() {}

  /// Cuts a torn tail, and says so; empty when there is none. Throws [CorruptStoreException] for
  /// any other damage.
  ///
  /// RocksDB is not asked: in one mode it drops a whole record whose length has changed, in the
  /// other it does not open after a kill, and in both a type that changes from 1 to 5 keeps it
  /// reading forever. Its list of files, the manifest, has the same form and is checked as well;
  /// the end of it may be torn, since the log still has what was meant to be listed there.
  static Optional<String> trim(Path ledger) {
    try {
      checkManifest(ledger);
      var logs = logs(ledger);
      for (var log : logs) {
        var scan = WalScan.of(Files.readAllBytes(log));
        boolean last = log.equals(logs.getLast());
        if (scan.damage() != null && last && scan.torn()) {
          return Optional.of(cut(log, scan.end()));
        }
        if (scan.damage() != null) {
          throw damaged(log, scan);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UnusableFolderException("cannot read the log in %s: %s".formatted(ledger, e), e);
    }
  }

  private static void checkManifest(Path ledger) throws IOException {
    var current = ledger.resolve("CURRENT");
    if (!Files.exists(current)) {
      return;
    }
    var manifest = ledger.resolve(Files.readString(current, StandardCharsets.ISO_8859_1).strip());
    if (Files.exists(manifest)) {
      var scan = WalScan.of(Files.readAllBytes(manifest));
      if (scan.damage() != null && !scan.torn()) {
        throw damaged(manifest, scan);
      }
    }
  }

  private static CorruptStoreException damaged(Path file, WalScan scan) {
    return new CorruptStoreException(
        ("%s is damaged at byte %d (%s) and was left as it is;"
                + " restore a snapshot into another folder")
            .formatted(file, scan.end(), scan.damage()));
  }

  private static List<Path> logs(Path ledger) throws IOException {
    if (!Files.exists(ledger)) {
      return List.of();
    }
    try (var files = Files.list(ledger)) {
      return files
          .filter(file -> file.getFileName().toString().matches("\\d+\\.log"))
          .sorted(Comparator.comparingLong(WalTail::number))
          .toList();
    }
  }

  private static long number(Path log) {
    var name = log.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }

  private static String cut(Path log, int end) throws IOException {
    var all = Files.readAllBytes(log);
    var kept = log.resolveSibling("%s.cut-at-%d".formatted(log.getFileName(), end));
    Files.write(kept, Arrays.copyOfRange(all, end, all.length));
    try (var channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(end);
      channel.force(true);
    }
    return ("the last %d bytes of %s were a record that had not been written whole; they were cut"
            + " off, and are kept in %s")
        .formatted(all.length - end, log, kept.getFileName());
  }
}
