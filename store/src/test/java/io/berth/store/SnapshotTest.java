package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.PODS;
import static io.berth.store.Samples.namesAndValues;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {

  private final Settings settings = Settings.of(JSON);

  @TempDir private Path temporary = Path.of("");

  @Test
  void savedUnderLoadAndRestored() throws Exception {
    var file = temporary.resolve("snapshot");
    Store.SaveReport saved;
    Listing expected;
    try (var store = Store.open(temporary.resolve("data"), settings).store()) {
      var stop = new AtomicBoolean();
      var writers = new ArrayList<Thread>();
      for (int i = 0; i < 4; i++) {
        var name = "p" + i;
        writers.add(Thread.ofVirtual().start(() -> write(store, name, stop)));
      }
      store.awaitRevision(200, Duration.ofSeconds(60));
      saved = store.save(file);
      stop.set(true);
      for (var writer : writers) {
        writer.join();
      }
      expected = store.listAt(PODS, saved.revision());
    }

    var report = Store.restore(file, temporary.resolve("restored"));

    assertThat(report.objects()).isEqualTo(saved.objects());
    assertThat(report.snapshotRevision()).isEqualTo(saved.revision());
    var opened = Store.open(temporary.resolve("restored"), settings);
    try (var store = opened.store()) {
      assertThat(opened.report().notes()).isEmpty();
      assertThat(store.revision()).isEqualTo(saved.revision() + Snapshot.GAP);
      assertThat(store.list(PODS).entries()).isEqualTo(expected.entries());
      assertThat(namesAndValues(store.list(PODS))).isEqualTo(namesAndValues(expected));
      // Whoever watched the lost store lists again, instead of missing what was lost.
      assertThatThrownBy(() -> store.watch(PODS, saved.revision() + 5, new Recorder()))
          .isInstanceOf(CompactedException.class);
      var next = store.transact(t -> t.put(podKey("default", "new"), pod("default", "new", "1")));
      assertThat(next.revision()).isEqualTo(saved.revision() + Snapshot.GAP + 1);
    }
  }

  private static void write(Store store, String name, AtomicBoolean stop) {
    for (int i = 0; !stop.get(); i++) {
      var value = "" + i;
      store.transact(t -> t.put(podKey("default", name), pod("default", name, value)));
    }
  }

  @Test
  void damagedSnapshotIsRefusedAndLeavesNothing() throws Exception {
    var file = temporary.resolve("snapshot");
    try (var store = Store.inMemory(settings)) {
      store.transact(t -> t.put(podKey("default", "a"), pod("default", "a", "1")));
      store.save(file);
    }
    var whole = Files.readAllBytes(file);
    var random = new Random(5);
    for (int i = 0; i < whole.length * 2; i++) {
      var damaged = whole.clone();
      if (i < whole.length) {
        damaged = Arrays.copyOf(whole, i);
      } else {
        damaged[i - whole.length] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(file, damaged);
      assertThatThrownBy(() -> Store.restore(file, temporary.resolve("restored")))
          .as("damage %d", i)
          .isInstanceOfAny(CorruptStoreException.class, UnusableFolderException.class);
      assertThat(temporary.resolve("restored")).doesNotExist();
    }
  }

  @Test
  void restoreDoesNotTouchAFolderInUse() throws Exception {
    var file = temporary.resolve("snapshot");
    try (var store = Store.inMemory(settings)) {
      store.save(file);
    }
    var folder = Files.createDirectory(temporary.resolve("busy"));
    Files.writeString(folder.resolve("letter"), "dear");

    assertThatThrownBy(() -> Store.restore(file, folder))
        .hasMessage(folder + " is not empty; restore into a new folder");
  }
}
