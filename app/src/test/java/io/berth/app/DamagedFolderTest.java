package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FeatureGates;
import io.berth.api.Tree;
import io.berth.cli.Examinations;
import io.berth.cli.LocalCluster;
import io.berth.cli.LocalCluster.Simulation;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import io.berth.cli.UserError;
import io.berth.codec.Json;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.CorruptStoreException;
import io.berth.store.Key;
import io.berth.store.Range;
import io.berth.store.Settings;
import io.berth.store.Store;
import io.berth.store.UnusableFolderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Damages every file of the data folder of a killed cluster in every way, and starts it again: it
/// has everything that was acknowledged, or refuses, names the file and says what can be done.
///
/// `berth doctor` must have foreseen it without changing anything, and what it restores must be a
/// state that once was.
class DamagedFolderTest {

  private static final Settings SETTINGS = Settings.of(new Codec(Json::write, Json::readLenient));
  private static final Range OBJECTS = Range.of("", "configmaps");

  /// More than RocksDB keeps in memory, so that some records lie in a table.
  private static final int LARGE = 36;

  @TempDir private static Path temporary = Path.of("");

  private static Path original = temporary;
  private static Path older = temporary;
  private static Path other = temporary;
  private static final Map<Long, Map<String, String>> states = new HashMap<>();
  private static long acknowledged;

  /// A way to damage a file; `others` are the same file of another cluster, and of an earlier time.
  interface Damage {
    void to(Path file, Path ofAnotherCluster, Path earlier) throws IOException;
  }

  /// `refusal` is what the words of a refusal hold; empty when the cluster must open.
  record Case(String file, String way, Damage damage, String refusal) {

    @Override
    public String toString() {
      return file + " " + way;
    }
  }

  @BeforeAll
  static void writeFolders() throws Exception {
    other = temporary.resolve("other");
    older = temporary.resolve("older");
    original = temporary.resolve("original");
    for (var folder : List.of(other, original)) {
      EmbeddedCluster.start(options(folder)).close();
      var _ = Authority.open(folder.resolve("pki")).tokenKey();
      Files.writeString(folder.resolve("audit.log"), "{\"verb\": \"create\"}\n");
      write(folder, folder.equals(original));
    }
    Files.writeString(original.resolve("run.json"), "{\"pid\": 1}");
    assertThat(find(original, "\\d+\\.sst")).isNotEmptyFile();
  }

  /// Copies the folder while it is open, as a kill would leave it.
  private static void write(Path folder, boolean remember) throws Exception {
    var killed = temporary.resolve("killed");
    try (var store = Store.open(folder.resolve("store"), SETTINGS).store()) {
      var large = "x".repeat(1 << 20);
      for (int i = 0; i < LARGE; i++) {
        put(store, "large", large + i);
        remember(store, remember);
      }
      put(store, "large", "small again");
      remember(store, remember);
      store.compact(store.revision());
    }
    try (var store = Store.open(folder.resolve("store"), SETTINGS).store()) {
      for (int i = 0; i < 20; i++) {
        put(store, "c" + i % 7, folder.getFileName() + " " + i);
        remember(store, remember);
        if (remember && i == 12) {
          copy(folder, older);
        }
      }
      acknowledged = remember ? store.revision() : acknowledged;
      copy(folder, killed);
    }
    delete(folder);
    Files.move(killed, folder);
  }

  private static void remember(Store store, boolean remember) {
    if (remember) {
      states.put(store.revision(), state(store));
    }
  }

  private static void put(Store store, String name, String value) {
    var object =
        Tree.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "metadata",
            Tree.of("namespace", "default", "name", name),
            "data",
            Tree.of("value", value));
    store.transact(t -> t.put(new Key("", "configmaps", "default", name), object));
  }

  private static Map<String, String> state(Store store) {
    var state = new TreeMap<String, String>();
    for (var entry : store.list(OBJECTS).entries()) {
      if (entry.key().namespace().equals("default")) {
        state.put(entry.key().name(), entry.object().textOrEmpty("data", "value"));
      }
    }
    // Of the cluster itself, and not written in this test.
    state.remove("kube-root-ca.crt");
    return state;
  }

  static List<Case> cases() {
    var cases = new ArrayList<Case>();
    add(cases, "store/FORMAT", "FORMAT");
    add(cases, "store/HEAD", "HEAD");
    add(cases, "store/LOCK", null);
    add(cases, "store/ledger/CURRENT", "CURRENT");
    add(cases, "store/ledger/MANIFEST", "MANIFEST");
    add(cases, "store/ledger/newest.log", "ledger");
    add(cases, "store/ledger/table.sst", "ledger");
    add(cases, "store/ledger/IDENTITY", null);
    add(cases, "store/ledger/OPTIONS", null);
    add(cases, "pki/ca.crt", "ca.crt");
    add(cases, "pki/ca.key", "ca.key");
    add(cases, "pki/sa.key", "sa.key");
    add(cases, "audit.log", null);
    add(cases, "kubeconfig", null);
    add(cases, "run.json", null);
    return cases;
  }

  private static void add(List<Case> cases, String file, @Nullable String refusal) {
    var words = refusal == null ? "" : refusal;
    cases.add(new Case(file, "missing", (f, _, _) -> Files.delete(f), words));
    cases.add(new Case(file, "empty", (f, _, _) -> Files.write(f, new byte[0]), words));
    cases.add(new Case(file, "zeroed", (f, _, _) -> Files.write(f, new byte[size(f)]), words));
    cases.add(new Case(file, "cut in half", (f, _, _) -> cut(f, size(f) / 2), words));
    cases.add(new Case(file, "short of a byte", (f, _, _) -> cut(f, size(f) - 1), words));
    cases.add(new Case(file, "first bit changed", (f, _, _) -> flip(f, 0), words));
    cases.add(
        new Case(file, "bit in the middle changed", (f, _, _) -> flip(f, size(f) / 2), words));
    cases.add(new Case(file, "last bit changed", (f, _, _) -> flip(f, size(f) - 1), words));
    cases.add(new Case(file, "of another cluster", (f, o, _) -> replace(f, o), words));
    cases.add(new Case(file, "an older copy", (f, _, e) -> replace(f, e), words));
    cases.add(new Case(file, "twice", (f, _, _) -> Files.copy(f, Path.of(f + ".copy")), ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void isWholeOrRefused(Case c) throws Exception {
    var folder = temporary.resolve("copy");
    copy(original, folder);
    try {
      c.damage.to(file(folder, c.file), file(other, c.file), file(older, c.file));
      var before = contents(folder);
      var examined = new MachineExaminations().examine(folder);
      assertThat(contents(folder)).isEqualTo(before);

      var refusal = start(folder);

      assertThat(examined.isWhole())
          .as("%s: %s", refusal, examined.rows())
          .isEqualTo(refusal.isEmpty());
      if (!refusal.isEmpty()) {
        assertThat(refusal).contains(c.refusal, "berth doctor --data " + folder);
        assertThat(c.refusal).as(refusal).isNotEmpty();
      }
      if (examined.goodRevision() > 0) {
        checkRestored(examined, c);
      }
    } finally {
      delete(folder);
    }
  }

  /// What a start says; empty when everything acknowledged is there.
  private static String start(Path folder) {
    try (var _ = EmbeddedCluster.start(options(folder))) {
      // Closed again below.
    } catch (UserError e) {
      return String.valueOf(e.getMessage());
    }
    try (var store = Store.open(folder.resolve("store"), SETTINGS).store()) {
      assertThat(state(store)).isEqualTo(states.get(acknowledged));
    } catch (CorruptStoreException | UnusableFolderException e) {
      throw new AssertionError("opens once, and not again", e);
    }
    return "";
  }

  private static void checkRestored(Examinations.Result examined, Case c) throws IOException {
    var restored = temporary.resolve("restored");
    try {
      examined.restoreTo(restored);
      checkState(restored, examined.goodRevision(), c);
    } finally {
      delete(restored);
    }
  }

  private static void checkState(Path restored, long revision, Case c) {
    try (var store = Store.open(restored.resolve("store"), SETTINGS).store()) {
      assertThat(states).as("%s: revision %d", c, revision).containsKey(revision);
      assertThat(state(store)).as("%s: revision %d", c, revision).isEqualTo(states.get(revision));
    }
  }

  private static Path file(Path folder, String name) throws IOException {
    return switch (name) {
      case "store/ledger/MANIFEST" -> find(folder, "MANIFEST-.*");
      case "store/ledger/newest.log" -> find(folder, "\\d+\\.log");
      case "store/ledger/table.sst" -> find(folder, "\\d+\\.sst");
      case "store/ledger/OPTIONS" -> find(folder, "OPTIONS-.*");
      default -> folder.resolve(name);
    };
  }

  private static Path find(Path folder, String pattern) throws IOException {
    try (var files = Files.list(folder.resolve("store/ledger"))) {
      return files
          .filter(file -> file.getFileName().toString().matches(pattern))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private static int size(Path file) throws IOException {
    return (int) Files.size(file);
  }

  private static void cut(Path file, int size) throws IOException {
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), size));
  }

  private static void flip(Path file, int at) throws IOException {
    var bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  private static void replace(Path file, Path by) throws IOException {
    if (Files.exists(by)) {
      Files.copy(by, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static Map<String, Long> contents(Path folder) throws IOException {
    var contents = new TreeMap<String, Long>();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var crc = new CRC32();
        crc.update(Files.readAllBytes(file));
        contents.put(file.toString(), crc.getValue());
      }
    }
    return contents;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (var file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  @AfterAll
  static void forget() {
    states.clear();
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

  private static LocalCluster.Options options(Path data) {
    return new LocalCluster.Options(
        data,
        false,
        "127.0.0.1",
        Port.any(),
        data.resolve("kubeconfig"),
        true,
        new Simulation(0, null, 1),
        SchedulerSettings.DEFAULT,
        LocalCluster.AdmissionOptions.DEFAULT,
        Port.any(),
        LocalCluster.CredentialFiles.NONE,
        FeatureGates.DEFAULT);
  }
}
