package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.PODS;
import static io.berth.store.Samples.namesAndValues;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Damages the files of a closed store in every way that disks do, and checks that opening either
/// gives exactly what had been written, or refuses and says where, or, for a record that was not
/// written whole, cuts it off and says so.
///
/// `-Ddamage.flips=N` sets how many bits are changed, `-Ddamage.seed=S` which.
class DamageTest {

  private static final int FLIPS = Integer.getInteger("damage.flips", 60);
  private static final long SEED = Long.getLong("damage.seed", 11);
  private static final int WRITES = 40;

  @TempDir private Path temporary = Path.of("");
  private Path original = temporary;
  private List<List<String>> states = List.of();

  @BeforeEach
  void writeOriginal() {
    original = temporary.resolve("original");
    var random = new Random(SEED);
    var newStates = new ArrayList<List<String>>();
    try (var store = Store.open(original, Settings.of(JSON)).store()) {
      newStates.add(List.of());
      for (int i = 0; i < WRITES; i++) {
        var name = "p" + random.nextInt(5);
        // Some records span several blocks of the log.
        var value = i + "-" + "x".repeat(random.nextInt(10) == 0 ? 50_000 : 300);
        store.transact(t -> t.put(podKey("default", name), pod("default", name, value)));
        newStates.add(namesAndValues(store.list(PODS)));
      }
    }
    states = newStates;
  }

  @Test
  void changedBitsAreNoticed() throws Exception {
    var random = new Random(SEED);
    var files = files(original);
    int refused = 0;
    for (int i = 0; i < FLIPS; i++) {
      var file = files.get(random.nextInt(files.size()));
      int size = (int) Files.size(original.resolve(file));
      int at = random.nextInt(size);
      int bit = random.nextInt(8);
      var outcome = openDamaged(file, bytes -> flipped(bytes, at, bit));
      assertThat(outcome.notes())
          .as("bit %d of byte %d of %s, seed %d: %s", bit, at, file, SEED, outcome)
          .noneMatch(note -> note.contains("cut off"));
      if (outcome.refusal().isEmpty()) {
        assertThat(outcome.state())
            .as("bit %d of byte %d of %s, seed %d", bit, at, file, SEED)
            .isEqualTo(states.getLast());
      } else {
        refused++;
      }
    }
    assertThat(refused).as("refusals in %d flips", FLIPS).isPositive();
  }

  @Test
  void everyTypeInTheManifestMatters() throws Exception {
    var manifest =
        files(original).stream()
            .filter(file -> file.getFileName().toString().startsWith("MANIFEST"))
            .findFirst()
            .orElseThrow();
    for (int bit = 0; bit < 8; bit++) {
      int changed = bit;
      var outcome = openDamaged(manifest, bytes -> flipped(bytes, 6, changed));
      assertThat(outcome.refusal()).as("bit %d", bit).contains("damaged at byte 0");
    }
  }

  @Test
  void tornTailIsCutOff() throws Exception {
    noteTheWriteBeforeTheLast();
    var log = newestLog();
    int size = (int) Files.size(original.resolve(log));
    int lastRecord = lastRecordStart(Files.readAllBytes(original.resolve(log)));
    assertThat(lastRecord).isBetween(1, size - 1);

    for (int length = size - 1; length > lastRecord; length -= 1 + (size - length) / 20) {
      int end = length;
      var outcome = openDamaged(log, bytes -> Arrays.copyOf(bytes, end));

      assertThat(outcome.refusal()).as("cut to %d of %d bytes", end, size).isEmpty();
      assertThat(outcome.notes())
          .first()
          .asString()
          .contains("behind revision " + WRITES, "not been written whole", "nobody had been told");
      assertThat(outcome.state()).isEqualTo(states.get(states.size() - 2));
    }
  }

  @Test
  void unwrittenSectorsAtTheEndAreATornTail() throws Exception {
    noteTheWriteBeforeTheLast();
    var log = newestLog();
    int lastRecord = lastRecordStart(Files.readAllBytes(original.resolve(log)));

    var outcome = openDamaged(log, bytes -> zeroed(bytes, lastRecord));

    assertThat(outcome.refusal()).isEmpty();
    assertThat(outcome.notes()).first().asString().contains("not been written whole");
    assertThat(outcome.state()).isEqualTo(states.get(states.size() - 2));
  }

  @Test
  void acknowledgedTailThatIsCutIsRefusedAndLeftAlone() throws Exception {
    // HEAD knows that the last write had succeeded.
    var log = newestLog();
    var outcome = openDamaged(log, bytes -> Arrays.copyOf(bytes, bytes.length - 1));

    assertThat(outcome.refusal())
        .contains("although revision %d had been written".formatted(WRITES + 1));
    assertThat(temporary.resolve("copy").resolve(log))
        .hasSize(Files.size(original.resolve(log)) - 1);
  }

  /// A process that is killed has noted what it told, however short the time since the last note.
  @Test
  void acknowledgedWritesOfAKilledProcessAreNeverCut() throws Exception {
    var killed = temporary.resolve("killed");
    try (var store = Store.open(original, Settings.of(JSON)).store()) {
      store.transact(t -> t.put(podKey("default", "last"), pod("default", "last", "x")));
      copy(original, killed);
    }
    var log = newestLog(killed);
    var bytes = Files.readAllBytes(killed.resolve(log));
    int size = WalScan.of(bytes).end();
    for (int lost = 1; lost < 100; lost += 7) {
      Files.write(killed.resolve(log), Arrays.copyOf(bytes, size - lost));
      assertThat(open(killed).refusal())
          .as("%d bytes lost", lost)
          .contains("although revision %d had been written".formatted(WRITES + 2));
    }
  }

  @Test
  void aTailWithoutANoteIsCutAndTold() throws Exception {
    Files.delete(original.resolve("HEAD"));

    var outcome = openDamaged(newestLog(), bytes -> Arrays.copyOf(bytes, bytes.length - 1));

    assertThat(outcome.notes())
        .anyMatch(note -> note.contains("cannot be said whether somebody had been told"))
        .anyMatch(note -> note.contains("HEAD is missing or damaged"));
  }

  @Test
  void theLedgerOfAnotherClusterIsRefused() throws Exception {
    var other = temporary.resolve("other");
    try (var store = Store.open(other, Settings.of(JSON)).store()) {
      for (int i = 0; i < WRITES * 2; i++) {
        store.transact(t -> t.put(podKey("default", "p1"), pod("default", "p1", "other")));
        store.compact(store.revision());
      }
    }
    Files.copy(
        original.resolve("HEAD"), other.resolve("HEAD"), StandardCopyOption.REPLACE_EXISTING);

    assertThat(open(other).refusal())
        .contains("is not the ledger of the note HEAD", "another cluster");
  }

  @Test
  void aLedgerThatWasContinuedElsewhereIsRefused() throws Exception {
    var other = temporary.resolve("other");
    copy(original, other);
    for (var folder : List.of(original, other)) {
      try (var store = Store.open(folder, Settings.of(JSON)).store()) {
        store.transact(t -> t.put(podKey("default", "p"), pod("default", "p", folder.toString())));
      }
    }
    Files.copy(
        original.resolve("HEAD"), other.resolve("HEAD"), StandardCopyOption.REPLACE_EXISTING);

    assertThat(open(other).refusal())
        .contains("has another record of revision %d".formatted(WRITES + 2));
  }

  @Test
  void everyBitOfTheLastRecordMatters() throws Exception {
    Files.delete(original.resolve("HEAD"));
    var log = newestLog();
    int size = (int) Files.size(original.resolve(log));
    int lastRecord = lastRecordStart(Files.readAllBytes(original.resolve(log)));

    // All bits of the header, where a change can look like a torn tail, and some of the content.
    for (int at = lastRecord; at < size; at += at < lastRecord + 8 ? 1 : 401) {
      for (int bit = 0; bit < 8; bit += at < lastRecord + 8 ? 1 : 5) {
        int place = at;
        int changed = bit;
        var outcome = openDamaged(log, bytes -> flipped(bytes, place, changed));
        assertThat(outcome.refusal())
            .as("bit %d of byte %d, record starts at %d", bit, at, lastRecord)
            .contains("damaged at byte " + lastRecord);
      }
    }
  }

  private Outcome openDamaged(Path file, Damage damage) throws IOException {
    var copy = temporary.resolve("copy");
    delete(copy);
    copy(original, copy);
    Files.write(copy.resolve(file), damage.apply(Files.readAllBytes(copy.resolve(file))));
    return open(copy);
  }

  /// As after a loss of power, or a kill before the note.
  private void noteTheWriteBeforeTheLast() throws IOException {
    var head = new Head(WRITES, false, Head.NO_CHECKSUM, "");
    Files.write(original.resolve("HEAD"), head.encoded());
  }

  private static Outcome open(Path folder) {
    try {
      var opened = Store.open(folder, Settings.of(JSON));
      try (var store = opened.store()) {
        return new Outcome("", opened.report().notes(), namesAndValues(store.list(PODS)));
      }
    } catch (CorruptStoreException | UnusableFolderException e) {
      return new Outcome(String.valueOf(e.getMessage()), List.of(), List.of());
    }
  }

  private Path newestLog() throws IOException {
    return newestLog(original);
  }

  private static Path newestLog(Path folder) throws IOException {
    return files(folder).stream()
        .filter(file -> file.toString().endsWith(".log"))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static int lastRecordStart(byte[] log) {
    var whole = WalScan.of(log);
    assertThat(whole.damage()).isNull();
    assertThat(whole.end()).isEqualTo(log.length);
    return WalScan.of(Arrays.copyOf(log, log.length - 1)).end();
  }

  private static byte[] flipped(byte[] bytes, int at, int bit) {
    bytes[at] ^= (byte) (1 << bit);
    return bytes;
  }

  private static byte[] zeroed(byte[] bytes, int from) {
    Arrays.fill(bytes, from, bytes.length, (byte) 0);
    return bytes;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(folder::relativize)
          .filter(file -> folder.resolve(file).toFile().length() > 0)
          .sorted()
          .toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (var file : files(from)) {
      Files.createDirectories(to.resolve(file).getParent());
      Files.copy(from.resolve(file), to.resolve(file));
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private interface Damage {
    byte[] apply(byte[] bytes);
  }

  private record Outcome(String refusal, List<String> notes, List<String> state) {}
}
