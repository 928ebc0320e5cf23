package io.berth.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/// Cuts a half-written record off the end of the newest log, if nobody was told that it succeeded.
///
/// A process that dies, or a machine that loses power, may leave a record of which only a part
/// reached the disk. A damage at the same place looks the same, but there somebody was told: what
/// tells them apart is [Head]. The cut part is kept in a file beside the log.
final class TornTail {

  private TornTail() {}

  /// Cuts and says so, or refuses before anything is changed.
  static String cut(Path ledger, LedgerScan scan, LedgerScan.Log torn, @Nullable Head head) {
    try {
      long newest = newestWithout(ledger, scan, head);
      return cut(torn, newest, head);
    } catch (IOException e) {
      throw new UnusableFolderException("cannot cut %s: %s".formatted(torn.file(), e), e);
    }
  }

  /// The last revision before the torn record.
  private static long newestWithout(Path ledger, LedgerScan scan, @Nullable Head head) {
    try (var copy = LedgerCopy.of(ledger, scan)) {
      long newest = copy.ledger().newest();
      var objection = head == null ? null : head.objection(copy.ledger(), newest);
      if (objection != null) {
        throw new Damage(ledger, objection).refusal();
      }
      return newest;
    } catch (RocksDBException e) {
      throw DurableStore.refusal(ledger, e);
    }
  }

  private static String cut(LedgerScan.Log torn, long newest, @Nullable Head head)
      throws IOException {
    var log = torn.file();
    int end = torn.scan().end();
    var all = Files.readAllBytes(log);
    var kept = log.resolveSibling("%s.cut-at-%d".formatted(log.getFileName(), end));
    Files.write(kept, Arrays.copyOfRange(all, end, all.length));
    try (var channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(end);
      channel.force(true);
    }
    return ("the last %d bytes of %s, behind revision %d, were a record that had not been written"
            + " whole%s; they were cut off, and are kept in %s")
        .formatted(all.length - end, log, newest, told(head), kept.getFileName());
  }

  private static String told(@Nullable Head head) {
    return head == null
        ? ", and without the note HEAD it cannot be said whether somebody had been told of it"
        : ", and nobody had been told of it";
  }
}
