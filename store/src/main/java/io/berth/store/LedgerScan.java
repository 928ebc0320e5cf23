package io.berth.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The files of a ledger as they look before RocksDB is asked, read only.
///
/// RocksDB is not asked: in one mode it drops a whole record whose length has changed, in the other
/// it does not open after a kill, and in both a type that changes from 1 to 5 keeps it reading
/// forever. Its list of files, the manifest, has the form of a log and is checked as well; the end
/// of it may be torn, since the log still has what was meant to be listed there.
///
/// `listed` says whether the manifest is there and whole, `tables` whether records have left the
/// logs for files that only the manifest can put in order. `torn` is the newest log when it ends
/// with a record that was not written whole; see [TornTail].
record LedgerScan(
    boolean listed, boolean tables, List<Log> logs, List<Damage> damages, @Nullable Log torn) {

  private static final LedgerScan EMPTY =
      new LedgerScan(false, false, List.of(), List.of(), null);

  private static final Pattern CURRENT = Pattern.compile("MANIFEST-\\d+\n");
  private static final Pattern LOG = Pattern.compile("\\d{1,18}\\.log");

  /// A log, and how far it can be read.
  record Log(Path file, WalScan scan) {

    long number() {
      return LedgerScan.number(file);
    }
  }

  static LedgerScan of(Path ledger) {
    try {
      return Files.isDirectory(ledger) ? scan(ledger) : EMPTY;
    } catch (IOException e) {
      throw new UnusableFolderException("cannot read the logs in %s: %s".formatted(ledger, e), e);
    }
  }

  private static LedgerScan scan(Path ledger) throws IOException {
    var damages = new ArrayList<Damage>();
    checkManifest(ledger, damages);
    boolean listed = damages.isEmpty() && Files.exists(ledger.resolve("CURRENT"));
    var logs = new ArrayList<Log>();
    for (var file : logFiles(ledger)) {
      logs.add(new Log(file, WalScan.of(Files.readAllBytes(file))));
    }
    Log torn = null;
    for (var log : logs) {
      boolean last = log.equals(logs.getLast());
      if (log.scan().damage() != null && last && log.scan().torn()) {
        torn = log;
      } else if (log.scan().damage() != null) {
        damages.add(damage(log.file(), log.scan()));
      }
    }
    return new LedgerScan(
        listed, holdsTables(ledger), List.copyOf(logs), List.copyOf(damages), torn);
  }

  private static void checkManifest(Path ledger, List<Damage> damages) throws IOException {
    var current = ledger.resolve("CURRENT");
    if (!Files.exists(current)) {
      if (holdsRecords(ledger)) {
        damages.add(new Damage(current, "is missing"));
      }
      return;
    }
    var name = Files.readString(current, StandardCharsets.ISO_8859_1);
    if (!CURRENT.matcher(name).matches()) {
      damages.add(new Damage(current, "is damaged: it does not name a manifest"));
      return;
    }
    var manifest = ledger.resolve(name.strip());
    if (!Files.exists(manifest)) {
      damages.add(new Damage(manifest, "is missing, and CURRENT names it"));
      return;
    }
    var scan = WalScan.of(Files.readAllBytes(manifest));
    if (scan.damage() != null && !scan.torn()) {
      damages.add(damage(manifest, scan));
    } else if (scan.end() == 0) {
      damages.add(new Damage(manifest, "is damaged: it holds no whole record"));
    }
  }

  // A first start that is killed may leave some files, but no records.
  private static boolean holdsRecords(Path ledger) throws IOException {
    for (var log : logFiles(ledger)) {
      if (Files.size(log) > 0) {
        return true;
      }
    }
    return holdsTables(ledger);
  }

  private static boolean holdsTables(Path ledger) throws IOException {
    try (var files = Files.list(ledger)) {
      return files.anyMatch(file -> file.toString().endsWith(".sst"));
    }
  }

  private static Damage damage(Path file, WalScan scan) {
    return new Damage(file, "is damaged at byte %d (%s)".formatted(scan.end(), scan.damage()));
  }

  private static List<Path> logFiles(Path ledger) throws IOException {
    try (Stream<Path> files = Files.list(ledger)) {
      return files
          .filter(file -> LOG.matcher(file.getFileName().toString()).matches())
          .sorted(Comparator.comparingLong(LedgerScan::number))
          .toList();
    }
  }

  private static long number(Path log) {
    var name = log.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }
}
