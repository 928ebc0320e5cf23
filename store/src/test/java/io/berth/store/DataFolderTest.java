package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.PODS;
import static io.berth.store.Samples.eventKey;
import static io.berth.store.Samples.namesAndValues;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a folder keeps between two runs, and which folders are refused.
class DataFolderTest {

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final Settings settings = Settings.of(JSON).withClock((InstantSource) now::get);

  @TempDir private Path temporary = Path.of("");
  private Path folder = temporary;

  @BeforeEach
  void nameFolder() {
    folder = temporary.resolve("data");
  }

  @Test
  void continuesWhereItEnded() throws Exception {
    long r1;
    long r4;
    try (var store = Store.open(folder, settings).store()) {
      r1 = put(store, "a", "1").revision();
      put(store, "a", "2");
      put(store, "b", "1");
      r4 = store.transact(t -> t.delete(podKey("default", "b"))).revision();
    }

    var opened = Store.open(folder, settings);
    try (var store = opened.store()) {
      assertThat(opened.report().revision()).isEqualTo(r4);
      assertThat(opened.report().objects()).isEqualTo(1);
      assertThat(opened.report().notes()).isEmpty();
      assertThat(namesAndValues(store.list(PODS))).containsExactly("a=2");
      assertThat(namesAndValues(store.listAt(PODS, r1 + 2))).containsExactly("a=2", "b=1");
      var recorder = new Recorder();
      try (var subscription = store.watch(PODS, r1, recorder)) {
        assertThat(recorder.all(subscription))
            .extracting(c -> c.type() + " " + c.entry().key().name() + "@" + c.revision())
            .containsExactly(
                "MODIFIED a@" + (r1 + 1), "ADDED b@" + (r1 + 2), "DELETED b@" + (r1 + 3));
      }
      assertThat(put(store, "c", "1").revision()).isEqualTo(r4 + 1);
    }
  }

  @Test
  void compactedHistoryIsGoneAndTheRevisionStays() {
    long last;
    try (var store = Store.open(folder, settings).store()) {
      put(store, "a", "1");
      put(store, "a", "2");
      put(store, "b", "1");
      last = store.transact(t -> t.delete(podKey("default", "b"))).revision();
      store.compact(last);
      last = put(store, "c", "1").revision();
      store.compact(last);
      // The disk learns of a compaction with the next write.
      last = store.transact(t -> t.delete(podKey("default", "c"))).revision();
      store.compact(last);
      last = put(store, "d", "1").revision();
    }
    var opened = Store.open(folder, settings);
    try (var store = opened.store()) {
      assertThat(opened.report().compactedRevision()).isEqualTo(last - 1);
      assertThat(store.revision()).isEqualTo(last);
      assertThat(namesAndValues(store.list(PODS))).containsExactly("a=2", "d=1");
    }
  }

  @Test
  void eventsExpireAcrossRuns() {
    try (var store = Store.open(folder, settings).store()) {
      store.transact(t -> t.put(eventKey("old"), new Tree()));
      now.updateAndGet(t -> t.plus(Duration.ofMinutes(30)));
      store.transact(t -> t.put(eventKey("young"), new Tree()));
    }
    now.updateAndGet(t -> t.plus(Duration.ofMinutes(40)));
    try (var store = Store.open(folder, settings).store()) {
      ((RevisionStore) store).sweep();
      assertThat(store.find(eventKey("old"))).isEmpty();
      assertThat(store.find(eventKey("young"))).isPresent();
    }
  }

  @Test
  void folderInUseIsRefused() {
    try (var _ = Store.open(folder, settings).store()) {
      assertThatThrownBy(() -> Store.open(folder, settings))
          .isInstanceOf(UnusableFolderException.class)
          .hasMessage(
              "data folder %s is in use by process %d; stop it first, or choose another folder"
                  .formatted(folder, ProcessHandle.current().pid()));
    }
    Store.open(folder, settings).store().close();
  }

  @Test
  void newerFormatIsRefused() throws Exception {
    Store.open(folder, settings).store().close();
    Files.writeString(folder.resolve("FORMAT"), "2\n");

    assertThatThrownBy(() -> Store.open(folder, settings))
        .isInstanceOf(UnusableFolderException.class)
        .hasMessageContaining("has format 2, and this version reads formats up to 1");
  }

  @Test
  void strangeFolderIsRefusedAndLeftAlone() throws Exception {
    Files.createDirectory(folder);
    Files.writeString(folder.resolve("letter"), "dear");

    assertThatThrownBy(() -> Store.open(folder, settings))
        .isInstanceOf(UnusableFolderException.class)
        .hasMessageContaining("it holds letter but no file FORMAT");
    assertThat(folder)
        .isDirectoryContaining("glob:**letter")
        .isDirectoryNotContaining("glob:**LOCK");
  }

  @Test
  void lostWritesAreNoticed() throws Exception {
    Store.open(folder, settings).store().close();
    var first = log();
    var before = Files.readAllBytes(first);
    try (var store = Store.open(folder, settings).store()) {
      put(store, "a", "1");
    }
    // Everything that the second run wrote is gone, and what is left is sound by itself.
    try (var files = Files.list(folder.resolve("ledger"))) {
      for (var file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
        Files.write(file, file.equals(first) ? before : new byte[0]);
      }
    }

    assertThatThrownBy(() -> Store.open(folder, settings))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("ends at revision 1 although revision 2 had been written");
  }

  @Test
  void nobodyElseOnTheMachineReadsIt() throws Exception {
    Files.createDirectory(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    try (var store = Store.open(folder, settings).store()) {
      put(store, "a", "secret");
    }
    assertThat(readableByOthers(folder)).containsOnly("FORMAT", "HEAD", "LOCK");
  }

  /// What others can open below a folder that they may enter.
  private static Set<String> readableByOthers(Path folder) throws Exception {
    var readable = new TreeSet<String>();
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        var rights = Files.getPosixFilePermissions(file);
        if (!rights.contains(PosixFilePermission.OTHERS_READ)) {
          continue;
        }
        readable.add(file.getFileName().toString());
        if (Files.isDirectory(file)) {
          readable.addAll(readableByOthers(file));
        }
      }
    }
    return readable;
  }

  @Test
  void aLinkToAFolderIsThatFolder() throws Exception {
    var real = Files.createDirectory(temporary.resolve("real"));
    Files.createSymbolicLink(folder, real);
    try (var store = Store.open(folder, settings).store()) {
      put(store, "a", "1");
      assertThatThrownBy(() -> Store.open(real, settings))
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageContaining("is in use by process");
    }
    try (var store = Store.open(real, settings).store()) {
      assertThat(namesAndValues(store.list(PODS))).containsExactly("a=1");
    }
  }

  @Test
  void aLinkToNowhereIsRefused() throws Exception {
    Files.createSymbolicLink(folder, temporary.resolve("nowhere"));

    assertThatThrownBy(() -> Store.open(folder, settings))
        .isInstanceOf(UnusableFolderException.class)
        .hasMessageContaining(folder.toString());
    assertThat(temporary.resolve("nowhere")).doesNotExist();
  }

  private Path log() throws Exception {
    try (var files = Files.list(folder.resolve("ledger"))) {
      return files.filter(f -> f.toString().endsWith(".log")).findFirst().orElseThrow();
    }
  }

  private static Entry put(Store store, String name, String value) {
    return store.transact(t -> t.put(podKey("default", name), pod("default", name, value)));
  }
}
