package io.berth.store;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// How far a store had come: the file `HEAD`, written after every sync and before anybody is told.
///
/// So a ledger that ends before it has lost what somebody relies on. `identity` and the checksum of
/// the record of `revision` show whether the ledger beside it is the one it speaks of; folders of
/// earlier versions have neither. `clean` when the store was closed, rather than killed, there.
record Head(long revision, boolean clean, long checksum, String identity) {

  /// Always the same size, so that it is overwritten in place: one small write, and no new file.
  static final int BYTES = 96;

  /// There is no record of the revision, or its checksum was not noted.
  static final long NO_CHECKSUM = -1;

  /// What is wrong with a ledger if this is how far it had come; `null` when nothing is.
  @Nullable String objection(RocksLedger ledger, long newest) {
    if (newest < revision) {
      return "ends at revision %d although revision %d had been written"
          .formatted(newest, revision);
    }
    long found = ledger.checksum(revision);
    if (checksum != NO_CHECKSUM && found != NO_CHECKSUM && found != checksum) {
      return ("has another record of revision %d than the note HEAD beside it: one of them is of"
              + " another cluster, or the ledger was continued elsewhere")
          .formatted(revision);
    }
    if (!identity.isEmpty() && !identity.equals(ledger.identity())) {
      return "is not the ledger of the note HEAD beside it: one of them is of another cluster";
    }
    return null;
  }

  byte[] encoded() {
    var text = "%d %s %s %s".formatted(revision, clean ? "clean" : "open", hex(checksum), identity);
    var line = "%s %s".formatted(text, hex(crc(text)));
    return (line + " ".repeat(BYTES - 1 - line.length()) + "\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /// What [#encoded()] made, also in an earlier version; `null` for anything else.
  static @Nullable Head decoded(byte[] bytes) {
    var line = new String(bytes, StandardCharsets.ISO_8859_1).strip();
    int end = line.lastIndexOf(' ');
    if (end < 0 || !hex(crc(line.substring(0, end))).equals(line.substring(end + 1))) {
      return null;
    }
    var words = line.substring(0, end).split(" ", -1);
    try {
      long revision = Long.parseLong(words[0]);
      boolean clean = words[1].equals("clean");
      return words.length == 2
          ? new Head(revision, clean, NO_CHECKSUM, "")
          : new Head(revision, clean, Long.parseUnsignedLong(words[2], 16), words[3]);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return null;
    }
  }

  static long crc(String text) {
    return crc(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  static long crc(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  private static String hex(long number) {
    return Long.toHexString(number);
  }
}
