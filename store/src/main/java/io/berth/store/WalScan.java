package io.berth.store;

import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Reads a RocksDB log up to its end, or up to the first thing that cannot be right.
///
/// A log is blocks of 32 KiB. A block holds fragments: checksum (4 bytes), length (2), type (1),
/// content. A record is one fragment, or a first, some middle and a last one; fewer than 7 bytes at
/// the end of a block are filled with zeros. The checksum covers type and content, not the length,
/// which makes it possible to find out that a length is wrong.
///
/// `end` is where the last whole record ends. `damage` is `null` when nothing follows it; otherwise
/// `torn` says whether what follows can be a write that was interrupted.
record WalScan(int end, @Nullable String damage, boolean torn) {

  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int SECTOR = 512;

  private static final int FIRST = 2;
  private static final int MIDDLE = 3;

  static WalScan of(byte[] log) {
    int at = 0;
    int end = 0;
    while (at < log.length) {
      int room = BLOCK - at % BLOCK;
      if (room < HEADER) {
        at = Math.min(log.length, at + room);
        end = at;
        continue;
      }
      if (at + HEADER > log.length) {
        return new WalScan(end, "the log ends within a header", true);
      }
      int next = at + HEADER + length(log, at);
      if (next > log.length) {
        return new WalScan(end, "the log ends within a record", isTorn(log, at));
      }
      if (HEADER + length(log, at) > room || !isWhole(log, at, length(log, at))) {
        return new WalScan(end, "checksum mismatch", isUnwritten(log, at, next) && isTorn(log, at));
      }
      int type = log[at + 6];
      at = next;
      if (type != FIRST && type != MIDDLE) {
        end = at;
      }
    }
    return end == at
        ? new WalScan(end, null, false)
        : new WalScan(end, "the log ends within a record", true);
  }

  /// Whether the fragment at this place, and all behind it, can be the rest of one write.
  private static boolean isTorn(byte[] log, int at) {
    // With the right length it would be whole: then it is the length that has changed.
    if (isWhole(log, at, log.length - at - HEADER)) {
      return false;
    }
    // Whole fragments behind a bad one were written after it, hence it had been written too.
    for (int later = at + 1; later + HEADER < log.length; later++) {
      int length = length(log, later);
      if (length > 0 && later + HEADER + length <= log.length && isWhole(log, later, length)) {
        return false;
      }
    }
    return true;
  }

  // A file can grow before its content arrives: the missing sectors then read as zeros.
  private static boolean isUnwritten(byte[] log, int at, int next) {
    int from = Math.max(at, Math.min(next, log.length) - SECTOR);
    for (int i = from; i < log.length; i++) {
      if (log[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static int length(byte[] log, int at) {
    return Byte.toUnsignedInt(log[at + 4]) | Byte.toUnsignedInt(log[at + 5]) << 8;
  }

  private static boolean isWhole(byte[] log, int at, int length) {
    if (length < 0 || log[at + 6] == 0) {
      return false;
    }
    var crc = new CRC32C();
    crc.update(log, at + 6, 1 + length);
    return masked((int) crc.getValue()) == checksum(log, at);
  }

  private static int checksum(byte[] log, int at) {
    return Byte.toUnsignedInt(log[at])
        | Byte.toUnsignedInt(log[at + 1]) << 8
        | Byte.toUnsignedInt(log[at + 2]) << 16
        | Byte.toUnsignedInt(log[at + 3]) << 24;
  }

  // RocksDB stores checksums in this form, so that checksums of checksums stay meaningful.
  private static int masked(int crc) {
    return Integer.rotateRight(crc, 15) + 0xa282ead8;
  }
}
