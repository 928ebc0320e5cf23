package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.PODS;
import static io.berth.store.Samples.eventKey;
import static io.berth.store.Samples.names;
import static io.berth.store.Samples.namesAndValues;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import io.berth.codec.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every store must do. Each kind of store runs it in a class of its own.
abstract class StoreContractTest {

  final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private Store store = Store.inMemory(Settings.of(JSON));

  abstract Store open(Settings settings) throws Exception;

  Settings settings() {
    return Settings.of(JSON).withClock((InstantSource) now::get);
  }

  @BeforeEach
  void openStore() throws Exception {
    reopen(settings());
  }

  private void reopen(Settings settings) throws Exception {
    store.close();
    store = open(settings);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void everyWriteGetsTheNextRevision() {
    long start = store.revision();
    assertThat(start).isPositive();

    var a = put("default", "a", "1");
    var b = put("default", "b", "1");

    assertThat(a.revision()).isEqualTo(start + 1);
    assertThat(b.revision()).isEqualTo(start + 2);
    assertThat(store.revision()).isEqualTo(start + 2);
    assertThat(b.object().text("metadata", "resourceVersion"))
        .isEqualTo(Long.toString(b.revision()));
    assertThat(Json.read(b.bytes())).isEqualTo(b.object());
    assertThat(store.find(podKey("default", "b"))).contains(b);
  }

  @Test
  void whatIsStoredIsFrozenAndWhatWasFrozenIsNotTouched() {
    var given = pod("default", "a", "1").freeze();
    var entry = store.transact(t -> t.put(podKey("default", "a"), given));

    assertThat(entry.object().isFrozen()).isTrue();
    assertThat(given.text("metadata", "resourceVersion")).isNull();
    assertThat(entry.object().text("spec", "value")).isEqualTo("1");
  }

  @Test
  void transactionSeesItsOwnWrites() {
    store.transact(t -> {
      long next = t.nextRevision();
      assertThat(t.put(podKey("default", "a"), pod("default", "a", "1")).revision())
          .isEqualTo(next);
      assertThat(t.find(podKey("default", "a"))).isPresent();
      assertThat(t.list(PODS)).hasSize(1);
      t.delete(podKey("default", "a"));
      assertThat(t.find(podKey("default", "a"))).isEmpty();
      return next;
    });
    assertThat(store.list(PODS).entries()).isEmpty();
  }

  @Test
  void throwingTransactionLeavesNothingBehind() {
    long before = store.revision();

    assertThatThrownBy(() ->
            store.transact(t -> {
              t.put(podKey("default", "a"), pod("default", "a", "1"));
              throw new IllegalStateException("no");
            }))
        .hasMessage("no");

    assertThat(store.revision()).isEqualTo(before);
    assertThat(store.find(podKey("default", "a"))).isEmpty();
    assertThat(put("default", "b", "1").revision()).isEqualTo(before + 1);
  }

  @Test
  void whatCannotBeWrittenIsRefusedAndTheStoreGoesOn() {
    var odd = pod("default", "a", "1").put("status", Tree.of("at", Instant.EPOCH));

    assertThatThrownBy(() -> store.transact(t -> t.put(podKey("default", "a"), odd)))
        .hasMessage("a tree cannot hold a class java.time.Instant");

    assertThat(store.find(podKey("default", "a"))).isEmpty();
    assertThat(store.isWritable()).isTrue();
  }

  @Test
  void misuseOfTransactionsIsRefused() {
    var kept = store.transact(t -> t);

    assertThatThrownBy(() -> kept.find(podKey("default", "a")))
        .hasMessage("this transaction is over");
    assertThatThrownBy(() -> store.transact(t -> store.transact(Transaction::nextRevision)))
        .hasMessage("a transaction cannot start another one");
    assertThatThrownBy(() -> store.transact(t -> t.delete(podKey("default", "a"))))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("there is no pods default/a");
  }

  @Test
  void deletionIsTheLastStateAtANewRevision() {
    var a = put("default", "a", "1");
    var deleted = delete("default", "a");

    assertThat(deleted.revision()).isEqualTo(a.revision() + 1);
    assertThat(deleted.object().text("spec", "value")).isEqualTo("1");
    assertThat(deleted.object().text("metadata", "resourceVersion"))
        .isEqualTo(Long.toString(deleted.revision()));
    assertThat(store.find(podKey("default", "a"))).isEmpty();
  }

  @Test
  void listsInTheOrderOfPaths() {
    put("a", "x", "1");
    put("a-b", "x", "1");
    put("b", "x", "1");
    put("a", "w", "1");

    assertThat(names(store.list(PODS))).containsExactly("a-b/x", "a/w", "a/x", "b/x");
    assertThat(names(store.list(new Range("", "pods", "a")))).containsExactly("a/w", "a/x");
    assertThat(store.list(Range.of("", "nodes")).entries()).isEmpty();
    assertThat(store.list(Range.of("apps", "pods")).entries()).isEmpty();
  }

  @Test
  void listsAtEveryRetainedRevision() {
    long r0 = store.revision();
    long r1 = put("default", "a", "1").revision();
    // Two writes of one transaction: the revision between them can be listed as well.
    store.transact(t -> {
      t.put(podKey("default", "b"), pod("default", "b", "1"));
      return t.put(podKey("default", "a"), pod("default", "a", "2"));
    });
    long r4 = delete("default", "a").revision();

    assertThat(namesAndValues(store.listAt(PODS, r0))).isEmpty();
    assertThat(namesAndValues(store.listAt(PODS, r1))).containsExactly("a=1");
    assertThat(namesAndValues(store.listAt(PODS, r1 + 1))).containsExactly("a=1", "b=1");
    assertThat(namesAndValues(store.listAt(PODS, r1 + 2))).containsExactly("a=2", "b=1");
    assertThat(namesAndValues(store.listAt(PODS, r4))).containsExactly("b=1");
    assertThatThrownBy(() -> store.listAt(PODS, r4 + 1)).hasMessageContaining("is yet to come");
  }

  @Test
  void listsManyRevisionsBackAndAfterCompaction() {
    var expected = new TreeMap<Long, List<String>>();
    expected.put(store.revision(), List.of());
    for (int i = 0; i < 300; i++) {
      long revision =
          i % 7 == 6
              ? delete("default", "p" + (i - 1) % 5).revision()
              : put("default", "p" + i % 5, "v" + i).revision();
      expected.put(revision, namesAndValues(store.list(PODS)));
    }
    expected.forEach((revision, objects) ->
        assertThat(namesAndValues(store.listAt(PODS, revision))).isEqualTo(objects));

    long middle = expected.firstKey() + 100;
    store.compact(middle);

    assertThatThrownBy(() -> store.listAt(PODS, middle - 1)).isInstanceOf(CompactedException.class);
    expected
        .tailMap(middle)
        .forEach((revision, objects) ->
            assertThat(namesAndValues(store.listAt(PODS, revision))).isEqualTo(objects));
  }

  @Test
  void pagesShowOneRevisionWhileWritesGoOn() {
    for (var name : List.of("a", "b", "c", "d", "e")) {
      put("default", name, "1");
    }
    var first = store.list(PODS, 2);
    delete("default", "c");
    put("default", "ca", "1");
    var second = store.listAt(PODS, first.revision(), first.entries().getLast().key(), 2);
    var third = store.listAt(PODS, first.revision(), second.entries().getLast().key(), 2);

    assertThat(namesAndValues(first)).containsExactly("a=1", "b=1");
    assertThat(first.remaining()).isEqualTo(3);
    assertThat(namesAndValues(second)).containsExactly("c=1", "d=1");
    assertThat(second.remaining()).isEqualTo(1);
    assertThat(namesAndValues(third)).containsExactly("e=1");
    assertThat(third.remaining()).isZero();
  }

  @Test
  void watchContinuesFromAnyRetainedRevision() throws Exception {
    long r0 = store.revision();
    var a = put("default", "a", "1");
    put("other", "x", "1");
    var a2 = put("default", "a", "2");
    var recorder = new Recorder();

    try (var subscription = store.watch(new Range("", "pods", "default"), r0, recorder)) {
      var old = recorder.next(2);
      var deleted = delete("default", "a");
      var live = recorder.next();

      assertThat(old)
          .containsExactly(
              new Change(Change.Type.ADDED, a, null), new Change(Change.Type.MODIFIED, a2, a));
      assertThat(live).isEqualTo(new Change(Change.Type.DELETED, deleted, a2));
      assertThat(recorder.all(subscription)).isEmpty();
    }
    var resumed = new Recorder();
    try (var subscription = store.watch(PODS, a2.revision(), resumed)) {
      assertThat(resumed.all(subscription))
          .extracting(Change::type)
          .containsExactly(Change.Type.DELETED);
    }
  }

  @Test
  void progressIsNeverAheadOfChanges() throws Exception {
    var recorder = new Recorder();
    try (var subscription = store.watch(PODS, store.revision(), recorder)) {
      long node = store.transact(t -> t.put(new Key("", "nodes", "", "n"), new Tree())).revision();
      subscription.requestProgress();

      assertThat(recorder.nextProgress()).isEqualTo(node);
    }
  }

  @Test
  void compactionForgetsTheOldAndKeepsTheRest() throws Exception {
    long r1 = put("default", "a", "1").revision();
    long r2 = put("default", "a", "2").revision();
    long r3 = put("default", "a", "3").revision();

    store.compact(r2);

    assertThat(store.compactedRevision()).isEqualTo(r2);
    assertThatThrownBy(() -> store.listAt(PODS, r1)).isInstanceOf(CompactedException.class);
    assertThatThrownBy(() -> store.watch(PODS, r1, new Recorder()))
        .isInstanceOf(CompactedException.class)
        .hasMessage("revision %d is no longer retained; the oldest is %d".formatted(r1, r2));
    assertThat(namesAndValues(store.listAt(PODS, r2))).containsExactly("a=2");
    var recorder = new Recorder();
    try (var _ = store.watch(PODS, r2, recorder)) {
      assertThat(recorder.next().revision()).isEqualTo(r3);
    }
    assertThatThrownBy(() -> store.compact(r3 + 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void findsByIndex() {
    var bound = pod("default", "a", "1");
    bound.child("spec").put("nodeName", "n1");
    store.transact(t -> t.put(podKey("default", "a"), bound));
    put("default", "b", "1");
    assertThat(store.listBy(Index.PODS_BY_NODE, "n1")).hasSize(1);

    var moved = pod("default", "a", "1");
    moved.child("spec").put("nodeName", "n10");
    store.transact(t -> {
      t.put(podKey("default", "a"), moved);
      assertThat(t.listBy(Index.PODS_BY_NODE, "n10")).hasSize(1);
      return t.nextRevision();
    });
    assertThat(store.listBy(Index.PODS_BY_NODE, "n1")).isEmpty();
    assertThat(store.listBy(Index.PODS_BY_NODE, "n10")).hasSize(1);

    delete("default", "a");
    assertThat(store.listBy(Index.PODS_BY_NODE, "n10")).isEmpty();
    assertThatThrownBy(() -> store.listBy(new Index("other", (_, _) -> List.of()), ""))
        .hasMessage("the store was made without index other");
  }

  @Test
  void findsByOwnerAndByInvolvedObject() {
    var owned = pod("default", "a", "1");
    owned
        .child("metadata")
        .put("ownerReferences", List.of(Tree.of("uid", "u1"), Tree.of("uid", "u2")));
    store.transact(t -> t.put(podKey("default", "a"), owned));
    store.transact(t -> t.put(eventKey("e1"), Tree.of("involvedObject", Tree.of("uid", "u1"))));
    store.transact(t -> t.put(eventKey("e2"), Tree.of("regarding", Tree.of("uid", "u1"))));

    assertThat(store.listBy(Index.OBJECTS_BY_OWNER, "u2")).hasSize(1);
    assertThat(store.listBy(Index.EVENTS_BY_OBJECT, "u1"))
        .extracting(e -> e.key().name())
        .containsExactly("e1", "e2");
  }

  @Test
  void listsByIndexAndKeyShowWhatWasWrittenInHaste() {
    var events = Range.of("", "events");
    for (int i = 0; i < 20; i++) {
      var key = eventKey("e" + i);
      var written = store.transactRelaxed(t -> t.put(key, event("u1")));

      var found = store.listBy(Index.EVENTS_BY_OBJECT, "u1", events);
      assertThat(found.entries()).hasSize(i + 1);
      assertThat(found.revision()).isGreaterThanOrEqualTo(written.revision());
      assertThat(store.list(key).entries()).containsExactly(written);
    }
    assertThat(store.listBy(Index.EVENTS_BY_OBJECT, "u1", PODS).entries()).isEmpty();
    assertThat(store.list(eventKey("none")).entries()).isEmpty();
  }

  @Test
  void slowListenerIsEndedAndWritersDoNotNotice() throws Exception {
    reopen(settings().withRetention(new Retention(Duration.ofHours(1), 0, 10, Long.MAX_VALUE)));
    var entered = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var recorder = new Recorder();
    var slow =
        new Store.Listener() {
          @Override
          public void changed(Change change) {
            entered.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            recorder.changed(change);
          }

          @Override
          public void progressed(long revision) {}

          @Override
          public void ended(RuntimeException cause) {
            recorder.ended(cause);
          }
        };
    try (var _ = store.watch(PODS, store.revision(), slow)) {
      put("default", "a", "0");
      entered.await();
      for (int i = 0; i < 100; i++) {
        put("default", "a", "" + i);
      }
      release.countDown();

      assertThat(recorder.end()).isInstanceOf(CompactedException.class);
    }
  }

  @Test
  void watchesEndWithTheStore() throws Exception {
    var recorder = new Recorder();
    var _ = store.watch(PODS, store.revision(), recorder);
    store.close();

    assertThat(recorder.end()).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> put("default", "a", "1")).isInstanceOf(StoreClosedException.class);
  }

  @Test
  void eventsExpireAndWatchersHearOfIt() throws Exception {
    var recorder = new Recorder();
    try (var _ = store.watch(Range.of("", "events"), store.revision(), recorder)) {
      store.transactRelaxed(t -> t.put(eventKey("e1"), new Tree()));
      now.updateAndGet(t -> t.plus(Duration.ofMinutes(40)));
      store.transactRelaxed(t -> t.put(eventKey("e2"), new Tree()));
      assertThat(store.find(eventKey("e2"))).isPresent();
      now.updateAndGet(t -> t.plus(Duration.ofMinutes(21)));
      ((RevisionStore) store).sweep();

      assertThat(recorder.next(3).getLast())
          .matches(c -> c.type() == Change.Type.DELETED && c.entry().key().equals(eventKey("e1")));
      assertThat(store.find(eventKey("e2"))).isPresent();
    }
  }

  @Test
  void tooManyEventsPushOutTheLongestUnwritten() throws Exception {
    reopen(settings().withExpiries(List.of(new Expiry("", "events", Duration.ofHours(1), 3))));
    for (int i = 0; i < 3; i++) {
      var key = eventKey("e" + i);
      store.transact(t -> t.put(key, new Tree()));
    }
    store.transact(t -> t.put(eventKey("e0"), new Tree()));
    store.transact(t -> t.put(eventKey("e9"), new Tree()));

    assertThat(names(store.list(Range.of("", "events"))))
        .containsExactly("default/e0", "default/e2", "default/e9");
  }

  @Test
  void whatIsPushedOutIsShownAsItWasAndNotFoundAnyMore() throws Exception {
    reopen(settings().withExpiries(List.of(new Expiry("", "events", Duration.ofHours(1), 1))));
    var recorder = new Recorder();
    try (var _ = store.watch(Range.of("", "events"), store.revision(), recorder)) {
      store.transact(t -> t.put(eventKey("e1"), event("u1")));
      store.transact(t -> t.put(eventKey("e2"), event("u2")));

      var deleted = recorder.next(3).getLast().entry();
      var revision = Long.toString(deleted.revision());
      assertThat(deleted.key()).isEqualTo(eventKey("e1"));
      assertThat(deleted.object().text("involvedObject", "uid")).isEqualTo("u1");
      assertThat(deleted.object().text("metadata", "resourceVersion")).isEqualTo(revision);
      assertThat(Json.read(deleted.bytes())).isEqualTo(deleted.object());
    }
    assertThat(store.listBy(Index.EVENTS_BY_OBJECT, "u1")).isEmpty();
    assertThat(store.listBy(Index.EVENTS_BY_OBJECT, "u2")).hasSize(1);
  }

  private static Tree event(String uid) {
    return Tree.of("metadata", new Tree(), "involvedObject", Tree.of("uid", uid));
  }

  @Test
  void awaitsRevisions() throws Exception {
    long next = store.revision() + 1;
    assertThat(store.awaitRevision(next, Duration.ofMillis(1))).isFalse();
    var writer = Thread.ofVirtual().start(() -> put("default", "a", "1"));
    assertThat(store.awaitRevision(next, Duration.ofSeconds(60))).isTrue();
    writer.join();
  }

  final Entry put(String namespace, String name, String value) {
    return store.transact(t -> t.put(podKey(namespace, name), pod(namespace, name, value)));
  }

  final Entry delete(String namespace, String name) {
    return store.transact(t -> t.delete(podKey(namespace, name)));
  }
}
