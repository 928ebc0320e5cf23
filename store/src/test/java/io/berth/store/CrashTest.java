package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.PODS;
import static io.berth.store.Samples.podKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills a writing process at random moments, again and again on one folder, and checks that every
/// promise was kept: acknowledged writes are there, no revision is used twice, and what a watch had
/// delivered is continued without a gap.
///
/// `-Dcrash.kills=N` sets how often, `-Dcrash.seed=S` when.
class CrashTest {

  private static final int KILLS = Integer.getInteger("crash.kills", 5);
  private static final long SEED = Long.getLong("crash.seed", 7);

  /// At least this many lines are read before a kill, so that every round tests something.
  private static final int FEWEST_LINES = 300;

  private final Random random = new Random(SEED);
  private final Map<String, Promise> promises = new HashMap<>();
  private final Map<Long, String> usedRevisions = new HashMap<>();

  @TempDir private Path temporary = Path.of("");

  @Test
  void everyPromiseSurvivesBeingKilled() throws Exception {
    long revision = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      var lines = writeAndKill(kill);
      long opened = openedAt(lines);
      assertThat(opened)
          .as("revision of run %d, seed %d", kill, SEED)
          .isGreaterThanOrEqualTo(revision);
      var seen = take(lines, kill);
      revision = check(seen, kill);
    }
  }

  private List<String> writeAndKill(int kill) throws Exception {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            CrashWriter.class.getName(),
            folder().toString(),
            Long.toString(SEED * 1000 + kill));
    var process = new ProcessBuilder(command).redirectError(new File(folder() + ".err")).start();
    var lines = new ArrayList<String>();
    try (var reader = process.inputReader()) {
      readSome(reader, lines);
      // Through its handle, because the process itself would close its output as well.
      process.toHandle().destroyForcibly();
      // What had been said before the end was promised too.
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(lines)
        .as("lines of run %d; see %s.err", kill, folder())
        .hasSizeGreaterThan(FEWEST_LINES);
    return lines;
  }

  private void readSome(BufferedReader reader, List<String> lines) throws Exception {
    int enough = FEWEST_LINES + random.nextInt(3000);
    for (var line = reader.readLine(); line != null; line = reader.readLine()) {
      lines.add(line);
      if (lines.size() > enough) {
        return;
      }
    }
  }

  /// Takes note of all promises, and returns the revision of the last change a watch delivered.
  private long take(List<String> lines, int kill) {
    long seen = openedAt(lines);
    for (var line : lines) {
      var words = line.split(" ", -1);
      switch (words[0]) {
        case "ack" -> promise(words[1], new Promise(words[2], Long.parseLong(words[3])));
        case "gone" -> promise(words[1], new Promise("", Long.parseLong(words[2])));
        case "seen" -> {
          long next = Long.parseLong(words[3]);
          assertThat(next).as("order of the watch in run %d", kill).isGreaterThan(seen);
          seen = next;
          use(next, words[2]);
        }
        case "open" -> {}
        default -> throw new AssertionError("run %d said: %s".formatted(kill, line));
      }
    }
    return seen;
  }

  private static long openedAt(List<String> lines) {
    return Long.parseLong(lines.getFirst().substring("open ".length()));
  }

  private void promise(String name, Promise promise) {
    use(promise.revision, name);
    promises.merge(name, promise, (old, next) -> next.revision > old.revision ? next : old);
  }

  private void use(long revision, String name) {
    var before = usedRevisions.putIfAbsent(revision, name);
    assertThat(before == null || before.equals(name))
        .as("revision %d was used for %s and for %s, seed %d", revision, before, name, SEED)
        .isTrue();
  }

  private long check(long seen, int kill) throws Exception {
    var opened = Store.open(folder(), Settings.of(JSON));
    try (var store = opened.store()) {
      for (var each : promises.entrySet()) {
        checkKept(store, each.getKey(), each.getValue(), kill);
      }
      checkTwins(store);
      checkWatch(store, seen, kill);
      return store.revision();
    }
  }

  private static void checkKept(Store store, String name, Promise promise, int kill) {
    var found = store.find(podKey("default", name));
    var place = "%s, promised \"%s\" at %d, run %d, seed %d";
    // A later write that nobody was told of may have replaced or deleted it: revisions tell.
    if (found.isPresent()) {
      assertThat(found.get().revision())
          .as(place, name, promise.value, promise.revision, kill, SEED)
          .isGreaterThanOrEqualTo(promise.revision);
      if (found.get().revision() == promise.revision) {
        assertThat(found.get().object().text("spec", "value")).isEqualTo(promise.value);
      } else {
        assertThat(found.get().revision()).isNotEqualTo(promise.revision);
      }
    } else if (!promise.value.isEmpty()) {
      assertThat(deletedAfter(store, name, promise.revision))
          .as(place, name, promise.value, promise.revision, kill, SEED)
          .isTrue();
    }
  }

  private static boolean deletedAfter(Store store, String name, long revision) {
    var recorder = new Recorder();
    try (var subscription =
        store.watch(PODS, Math.max(revision, store.compactedRevision()), recorder)) {
      return recorder.all(subscription).stream()
          .anyMatch(c ->
              c.type() == Change.Type.DELETED && c.entry().key().equals(podKey("default", name)));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void checkTwins(Store store) {
    var singles = twinValues(store, "default");
    assertThat(twinValues(store, "twins")).as("seed %d", SEED).isEqualTo(singles);
  }

  private static Map<String, String> twinValues(Store store, String namespace) {
    var values = new HashMap<String, String>();
    for (var entry : store.list(new Range("", "pods", namespace)).entries()) {
      values.put(entry.key().name(), entry.object().textOrEmpty("spec", "value"));
    }
    return values;
  }

  /// A watch continues behind what it had delivered: every revision once, none left out, and the
  /// objects it leads to are those that are listed.
  private void checkWatch(Store store, long seen, int kill) throws Exception {
    var recorder = new Recorder();
    try (var subscription = store.watch(PODS, seen, recorder)) {
      var objects = new HashSet<>(keysAt(store, seen));
      long last = seen;
      for (var change : recorder.all(subscription)) {
        assertThat(change.revision()).as("run %d, seed %d", kill, SEED).isGreaterThan(last);
        last = change.revision();
        var key = change.entry().key();
        boolean fits =
            change.type() == Change.Type.ADDED ? objects.add(key) : objects.contains(key);
        assertThat(fits).as("%s in run %d, seed %d", change, kill, SEED).isTrue();
        if (change.type() == Change.Type.DELETED) {
          objects.remove(key);
        }
        if (key.namespace().equals("default")) {
          use(change.revision(), key.name());
        }
      }
      assertThat(objects).isEqualTo(keysAt(store, store.revision()));
    }
  }

  private static Set<Key> keysAt(Store store, long revision) {
    var keys = new HashSet<Key>();
    store.listAt(PODS, revision).entries().forEach(entry -> keys.add(entry.key()));
    return keys;
  }

  private Path folder() {
    return temporary.resolve("data");
  }

  /// What somebody relies on; an empty value stands for a deletion.
  private record Promise(String value, long revision) {}
}
