package io.berth.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The files of a ledger as they look before RocksDB is asked, read only.
///
/// RocksDB is not asked: in one mode it drops a whole record whose length has changed, in the other
/// it does not open after a kill, and in both a type that changes from 1 to 5 keeps it reading
/// forever. Its list of files, the manifest, has the form of a log and is checked as well; the end
/// of it may be torn, since the log still has what was meant to be listed there.
///
/// `manifest` is the one that CURRENT names or, when it names none, the newest; `tables` are files
/// for which records have left the logs, and which only a manifest can put in order. `torn` is the
/// newest log when it ends with a record that was not written whole; see [TornTail].
record LedgerScan(
    @Nullable Log manifest,
    List<Path> tables,
    List<Log> logs,
    List<Damage> damages,
    @Nullable Log torn) {

  private static final LedgerScan EMPTY =
      new LedgerScan(null, List.of(), List.of(), List.of(), null);

  private static final Pattern CURRENT = Pattern.compile("MANIFEST-\\d{1,18}\n");
  private static final Pattern MANIFEST = Pattern.compile("MANIFEST-\\d{1,18}");
  private static final Pattern TABLE = Pattern.compile("\\d{1,18}\\.sst");
  private static final Pattern LOG = Pattern.compile("\\d{1,18}\\.log");

  /// A log, or what has its form, and how far it can be read.
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
    var manifest = manifest(ledger, damages);
    var logs = new ArrayList<Log>();
    for (var file : files(ledger, LOG)) {
      logs.add(scanned(file));
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
        manifest, files(ledger, TABLE), List.copyOf(logs), List.copyOf(damages), torn);
  }

  private static @Nullable Log manifest(Path ledger, List<Damage> damages) throws IOException {
    var file = named(ledger, damages);
    if (file == null) {
      return null;
    }
    var manifest = scanned(file);
    if (manifest.scan().damage() != null && !manifest.scan().torn()) {
      damages.add(damage(file, manifest.scan()));
    } else if (manifest.scan().end() == 0) {
      damages.add(new Damage(file, "is damaged: it holds no whole record"));
    }
    return manifest.scan().end() == 0 ? null : manifest;
  }

  private static @Nullable Path named(Path ledger, List<Damage> damages) throws IOException {
    var current = ledger.resolve("CURRENT");
    var manifests = files(ledger, MANIFEST);
    var newest = manifests.isEmpty() ? null : manifests.getLast();
    if (!Files.exists(current)) {
      if (holdsRecords(ledger)) {
        damages.add(new Damage(current, "is missing"));
      }
      return newest;
    }
    var name = Files.readString(current, StandardCharsets.ISO_8859_1);
    if (!CURRENT.matcher(name).matches()) {
      damages.add(new Damage(current, "is damaged: it does not name a manifest"));
      return newest;
    }
    var manifest = ledger.resolve(name.strip());
    if (!Files.exists(manifest)) {
      damages.add(new Damage(manifest, "is missing, and CURRENT names it"));
      return newest;
    }
    return manifest;
  }

  // A first start that is killed may leave some files, but no records.
  private static boolean holdsRecords(Path ledger) throws IOException {
    for (var log : files(ledger, LOG)) {
      if (Files.size(log) > 0) {
        return true;
      }
    }
    return !files(ledger, TABLE).isEmpty();
  }

  private static Log scanned(Path file) throws IOException {
    return new Log(file, WalScan.of(Files.readAllBytes(file)));
  }

  private static Damage damage(Path file, WalScan scan) {
    return new Damage(file, "is damaged at byte %d (%s)".formatted(scan.end(), scan.damage()));
  }

  /// In the order of their numbers.
  private static List<Path> files(Path ledger, Pattern names) throws IOException {
    try (var files = Files.list(ledger)) {
      return files
          .filter(file -> names.matcher(file.getFileName().toString()).matches())
          .sorted(Comparator.comparingLong(LedgerScan::number))
          .toList();
    }
  }

  private static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().replaceAll("\\D", ""));
  }
}
