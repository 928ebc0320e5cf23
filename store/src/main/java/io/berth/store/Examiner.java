package io.berth.store;

import io.berth.store.Examination.Finding;
import io.berth.store.Examination.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/// Goes through a data folder as opening would, with the same checks, but goes on behind the first
/// damage and writes nothing there: logs are read in a copy, the rest is opened for reading.
final class Examiner {

  /// A store that is in use drops files under our eyes; then another look helps.
  private static final int LOOKS = 3;

  private final Path folder;
  private final Settings settings;
  private final String user;
  private final TreeMap<String, Finding> files = new TreeMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private @Nullable State good;

  private Examiner(Path folder, Settings settings, String user) {
    this.folder = folder;
    this.settings = settings;
    this.user = user;
  }

  static Examination examine(Path folder, Settings settings) {
    if (!Files.isDirectory(folder)) {
      throw new UnusableFolderException("there is no data folder %s".formatted(folder));
    }
    var examination = look(folder, settings);
    for (int i = 1; i < LOOKS && !examination.user().isEmpty() && !examination.isWhole(); i++) {
      examination = look(folder, settings);
    }
    return examination;
  }

  private static Examination look(Path folder, Settings settings) {
    return new Examiner(folder, settings, DataFolder.user(folder)).examine();
  }

  private Examination examine() {
    Head head = null;
    try {
      listFiles();
      checkFormat();
      head = DataFolder.head(folder);
      var scan = LedgerScan.of(DataFolder.ledger(folder));
      note(scan);
      read(scan, head);
    } catch (IOException | UnusableFolderException e) {
      findings.add(damaged(folder, String.valueOf(e.getMessage())));
    }
    var all = new ArrayList<>(files.values());
    all.addAll(findings);
    return new Examination(folder, all, user, head == null ? 0 : head.revision(), good);
  }

  private void listFiles() throws IOException {
    try (var found = Files.walk(folder)) {
      for (var file : found.filter(Files::isRegularFile).toList()) {
        if (DataFolder.matters(folder.relativize(file))) {
          put(file, Verdict.WHOLE, "");
        }
      }
    }
  }

  private void checkFormat() throws IOException {
    try {
      DataFolder.checkFormat(folder);
    } catch (CorruptStoreException | UnusableFolderException e) {
      put(folder.resolve("FORMAT"), Verdict.DAMAGED, String.valueOf(e.getMessage()));
    }
  }

  private void note(LedgerScan scan) {
    scan.damages().forEach(damage -> put(damage.file(), Verdict.DAMAGED, damage.what()));
    var torn = scan.torn();
    if (torn != null) {
      var what = "ends with a record that is not whole, at byte %d".formatted(torn.scan().end());
      put(torn.file(), Verdict.TOLD, user.isEmpty() ? what : "is being written");
    }
  }

  private void read(LedgerScan scan, @Nullable Head head) {
    var path = DataFolder.ledger(folder);
    try (var copy = LedgerCopy.of(path, scan)) {
      var recovery = new Recovery(settings, copy.ledger().base());
      replay(copy.ledger(), recovery);
      var recovered = recovery.finish().state();
      good = recovered;
      compare(copy.ledger(), recovered.revision(), head);
      copy.ledger().verify();
    } catch (RocksDBException | CorruptStoreException e) {
      findings.add(damaged(path, String.valueOf(e.getMessage())));
    }
  }

  /// Reads up to the first trouble: what lies before it is a state that once was.
  private void replay(RocksLedger ledger, Recovery recovery) {
    try {
      ledger.replay(recovery);
    } catch (RocksDBException | CorruptStoreException e) {
      findings.add(damaged(DataFolder.ledger(folder), String.valueOf(e.getMessage())));
    }
  }

  private void compare(RocksLedger ledger, long newest, @Nullable Head head) {
    if (head == null && newest > Base.START.revision()) {
      put(
          folder.resolve("HEAD"),
          Verdict.TOLD,
          "is missing or damaged; what it notes is not known");
      return;
    }
    // What is read of a store in use may be older than the note that is read of it.
    var objection = head == null || !user.isEmpty() ? null : head.objection(ledger, newest);
    if (objection != null) {
      findings.add(damaged(DataFolder.ledger(folder), objection));
      // One that is too short is ours up to there; of another nobody knows whose it is.
      good = newest < Objects.requireNonNull(head).revision() ? good : null;
    }
  }

  private void put(Path file, Verdict verdict, String words) {
    var name = folder.relativize(file).toString();
    files.put(name, new Finding(name, verdict, words));
  }

  private Finding damaged(Path file, String words) {
    return new Finding(folder.relativize(file).toString(), Verdict.DAMAGED, words);
  }
}
