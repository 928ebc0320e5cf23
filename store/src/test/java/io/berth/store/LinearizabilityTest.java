package io.berth.store;

import static io.berth.store.Samples.JSON;
import static io.berth.store.Samples.pod;
import static io.berth.store.Samples.podKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.store.History.Call;
import io.berth.store.History.Operation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Threads read, write and swap a few objects at once, and every object's history must be one that
/// could have happened one call after another.
///
/// `-Dlinear.rounds=N` sets how many histories are checked, `-Dlinear.seed=S` which.
class LinearizabilityTest {

  private static final int ROUNDS = Integer.getInteger("linear.rounds", 20);
  private static final long SEED = Long.getLong("linear.seed", 17);
  private static final int CLIENTS = 8;
  private static final int CALLS = 40;
  private static final int REGISTERS = 10;

  @TempDir private Path temporary = Path.of("");

  @Test
  void checkerKnowsGoodFromBad() {
    var write = new Operation.Write("1");
    var stale = new Operation.Read(null);
    var fresh = new Operation.Read("1");

    assertThat(linearizable(call(write, 0, 10), call(stale, 1, 2), call(fresh, 3, 4))).isTrue();
    assertThat(linearizable(call(write, 0, 1), call(stale, 2, 3))).isFalse();
    assertThat(linearizable(call(write, 0, 10), call(fresh, 1, 2), call(stale, 3, 4))).isFalse();
    assertThat(linearizable(call(write, 0, Long.MAX_VALUE), call(stale, 5, 6), call(fresh, 7, 8)))
        .isTrue();
    var first = new Operation.Swap(null, "1", true);
    var second = new Operation.Swap(null, "2", true);
    assertThat(linearizable(call(first, 0, 10), call(second, 0, 10))).isFalse();
  }

  @Test
  void memory() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      try (var store = Store.inMemory(Settings.of(JSON))) {
        run(store, round);
      }
    }
  }

  @Test
  void disk() throws Exception {
    try (var store = Store.open(temporary.resolve("data"), Settings.of(JSON)).store()) {
      for (int round = 0; round < ROUNDS; round++) {
        run(store, round);
      }
    }
  }

  private static void run(Store store, int round) throws InterruptedException {
    var log = new History.Log();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < CLIENTS; i++) {
      var random = new Random(SEED + 100L * round + i);
      var client = new Client(store, log, "r%d-".formatted(round), i, random);
      threads.add(Thread.ofVirtual().start(client::run));
    }
    for (var thread : threads) {
      thread.join();
    }
    assertThat(log.calls()).hasSize(REGISTERS);
    log.calls()
        .forEach((register, calls) ->
            assertThat(History.isLinearizable(calls))
                .as("%s, round %d, seed %d: %s", register, round, SEED, calls)
                .isTrue());
  }

  private static boolean linearizable(Call... calls) {
    return History.isLinearizable(List.of(calls));
  }

  private static Call call(Operation operation, long begin, long end) {
    return new Call(operation, begin, end);
  }

  private record Client(Store store, History.Log log, String prefix, int number, Random random) {

    void run() {
      String last = null;
      for (int i = 0; i < CALLS; i++) {
        var register = prefix + random.nextInt(REGISTERS);
        var value = number + "." + i;
        long begin = System.nanoTime();
        var operation =
            switch (random.nextInt(4)) {
              case 0 -> write(register, value);
              case 1 -> swap(register, last, value);
              default -> read(register, random.nextBoolean());
            };
        log.add(register, new Call(operation, begin, System.nanoTime()));
        if (operation instanceof Operation.Read(var answer)) {
          last = answer;
        }
      }
    }

    private Operation read(String register, boolean listing) {
      var key = podKey("default", register);
      if (!listing) {
        return new Operation.Read(valueOf(store.find(key)));
      }
      for (var entry : store.list(new Range("", "pods", "default")).entries()) {
        if (entry.key().equals(key)) {
          return new Operation.Read(valueOf(Optional.of(entry)));
        }
      }
      return new Operation.Read(null);
    }

    private Operation write(String register, String value) {
      store.transact(t -> t.put(podKey("default", register), pod("default", register, value)));
      return new Operation.Write(value);
    }

    private Operation swap(String register, @Nullable String expected, String value) {
      var key = podKey("default", register);
      boolean done =
          store.transact(t -> {
            boolean same = Objects.equals(valueOf(t.find(key)), expected);
            if (same) {
              t.put(key, pod("default", register, value));
            }
            return same;
          });
      return new Operation.Swap(expected, value, done);
    }

    private static @Nullable String valueOf(Optional<Entry> entry) {
      return entry.map(e -> e.object().text("spec", "value")).orElse(null);
    }
  }
}
