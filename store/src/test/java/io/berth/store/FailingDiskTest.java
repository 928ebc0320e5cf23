package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.PODS;
import static io.berth.store.Samples.namesAndValues;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Sharing;
import io.berth.api.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A disk that refuses: nobody is told that a write succeeded, and reading goes on.
class FailingDiskTest {

  private final FailingLedger ledger = new FailingLedger();

  @Test
  void nothingIsAcknowledgedAfterAFailedWrite() {
    try (var store = store()) {
      put(store, "a", "1");
      long revision = store.revision();
      assertThat(store.isWritable()).isTrue();
      ledger.broken = true;

      assertThatThrownBy(() -> put(store, "a", "2"))
          .isInstanceOf(StoreFailedException.class)
          .hasMessageContaining("No space left on device");
      ledger.broken = false;
      assertThatThrownBy(() -> put(store, "b", "1")).isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(
              () -> store.transactRelaxed(t -> t.put(podKey("default", "c"), new Tree())))
          .isInstanceOf(StoreFailedException.class);

      assertThat(store.isWritable()).isFalse();
      assertThat(store.revision()).isEqualTo(revision);
      assertThat(namesAndValues(store.list(PODS))).containsExactly("a=1");
      assertThat(ledger.appended).hasSize(1);
    }
  }

  @Test
  void everybodyWhoWaitsIsTold() throws Exception {
    try (var store = store()) {
      put(store, "a", "1");
      ledger.broken = true;
      ledger.block();
      var refusals = new AtomicInteger();
      var writers = new ArrayList<Thread>();
      for (int i = 0; i < 20; i++) {
        var name = "p" + i;
        writers.add(
            Thread.ofVirtual()
                .start(() -> {
                  try {
                    put(store, name, "1");
                  } catch (StoreFailedException e) {
                    refusals.incrementAndGet();
                  }
                }));
      }
      ledger.entered.await();
      ledger.release.countDown();
      for (var writer : writers) {
        writer.join();
      }
      assertThat(refusals).hasValue(20);
    }
  }

  @Test
  void readersSeeOnlyWhatIsOnDisk() throws Exception {
    try (var store = store()) {
      var a = put(store, "a", "1");
      ledger.block();
      var writer = Thread.ofVirtual().start(() -> put(store, "a", "2"));
      ledger.entered.await();

      assertThat(store.revision()).isEqualTo(a.revision());
      assertThat(namesAndValues(store.list(PODS))).containsExactly("a=1");

      ledger.release.countDown();
      writer.join();
      assertThat(namesAndValues(store.list(PODS))).containsExactly("a=2");
    }
  }

  /// The answer of a transaction that wrote nothing may rest on what is not on disk yet.
  @Test
  void answersWaitForWhatTheyRestOn() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var store = store()) {
      put(store, "a", "1");
      ledger.block();
      var writer = threads.submit(() -> put(store, "a", "2"));
      ledger.entered.await();
      var reader = threads.submit(() -> store.transact(t -> t.find(podKey("default", "a"))));
      ledger.broken = true;
      ledger.release.countDown();

      assertThatThrownBy(writer::get).hasCauseInstanceOf(StoreFailedException.class);
      assertThatThrownBy(reader::get).hasCauseInstanceOf(StoreFailedException.class);
    }
  }

  private Store store() {
    var settings = Settings.of(JSON);
    var start = State.empty(1, settings.indexes());
    var forgotten = new Forgotten();
    var timeline = new Timeline(start, 1, List.of(), settings.retention(), forgotten::add);
    var commits = new GroupCommit(ledger, timeline, forgotten, settings.clock());
    return new RevisionStore(settings, timeline, commits, new Expiries(List.of()), new Sharing());
  }

  private static Entry put(Store store, String name, String value) {
    return store.transact(t -> t.put(podKey("default", name), pod("default", name, value)));
  }

  /// Fails while it is broken, after letting the test look around when asked to.
  private static final class FailingLedger implements Ledger {
    final List<Change> appended = new ArrayList<>();
    volatile boolean broken;
    volatile CountDownLatch entered = new CountDownLatch(0);
    volatile CountDownLatch release = new CountDownLatch(0);

    void block() {
      entered = new CountDownLatch(1);
      release = new CountDownLatch(1);
    }

    @Override
    public void append(List<Change> changes, long nowMillis, List<Change> forgotten) {
      boolean fails = broken;
      entered.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      if (fails || broken) {
        throw new StoreFailedException(
            "cannot write: No space left on device", new IOException("No space left on device"));
      }
      appended.addAll(changes);
    }

    @Override
    public void close() {}
  }
}
