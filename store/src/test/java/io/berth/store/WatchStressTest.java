package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Informers list, watch, lose their place and list again, while threads write and history is
/// compacted under them. In the end every one of them holds what the store holds, and none has seen
/// a revision twice, out of order or too late.
///
/// `-Dwatch.writes=N` sets how much is written, `-Dwatch.seed=S` what.
class WatchStressTest {

  private static final int WRITES = Integer.getInteger("watch.writes", 4_000);
  private static final long SEED = Long.getLong("watch.seed", 23);
  private static final int WRITERS = 4;
  private static final int INFORMERS = 8;

  @TempDir private Path temporary = Path.of("");

  @Test
  void memory() throws Exception {
    try (var store = Store.inMemory(settings())) {
      run(store);
    }
  }

  @Test
  void disk() throws Exception {
    try (var store = Store.open(temporary.resolve("data"), settings()).store()) {
      run(store);
    }
  }

  private static Settings settings() {
    return Settings.of(JSON)
        .withRetention(new Retention(Duration.ofHours(1), 0, 300, Long.MAX_VALUE));
  }

  private static void run(Store store) throws Exception {
    var informers = new ArrayList<StressInformer>();
    for (int i = 0; i < INFORMERS; i++) {
      var namespace = i % 2 == 0 ? "" : "ns" + i % 3;
      var range = new Range("", "pods", namespace);
      informers.add(new StressInformer(store, range, new Random(SEED + i)));
    }
    informers.forEach(StressInformer::start);
    var writers = new ArrayList<Thread>();
    for (int i = 0; i < WRITERS; i++) {
      var random = new Random(SEED + 100 + i);
      writers.add(Thread.ofVirtual().start(() -> write(store, random)));
    }
    for (var writer : writers) {
      writer.join();
    }
    long end = store.revision();
    for (var informer : informers) {
      informer.await(end);
      assertThat(informer.complaints()).as("seed %d", SEED).isEmpty();
      assertThat(informer.objects())
          .as("seed %d", SEED)
          .isEqualTo(revisions(store, informer.range()));
    }
    assertThat(informers).as("somebody fell behind").anyMatch(i -> i.starts() > 1);
  }

  private static void write(Store store, Random random) {
    for (int i = 0; i < WRITES / WRITERS; i++) {
      var key = podKey("ns" + random.nextInt(3), "p" + random.nextInt(20));
      var value = "" + i;
      store.transact(t -> {
        if (random.nextInt(3) == 0 && t.find(key).isPresent()) {
          return t.delete(key);
        }
        return t.put(key, pod(key.namespace(), key.name(), value));
      });
      if (random.nextInt(200) == 0) {
        store.compact(store.revision() - random.nextInt(50));
      }
    }
  }

  private static Map<Key, Long> revisions(Store store, Range range) {
    var revisions = new HashMap<Key, Long>();
    store.list(range).entries().forEach(entry -> revisions.put(entry.key(), entry.revision()));
    return revisions;
  }
}
