package io.berth.server.budget;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Whose work comes next when the processor is short.
///
/// Threads of requests run in the order in which they became ready, whoever they work for: one
/// owner with a thousand heavy requests lets everybody wait behind them. So work is done in
/// [turns][Line], and a watch looks at how long a new thread waits until it runs. While that is too
/// long, and somebody else is there to suffer, the line that keeps most threads busy is slowed
/// down, strangers first, and lets its requests wait before they begin. When there is time again it
/// is let go, little by little. Nobody is slowed down on a processor that has time, nor below a
/// part of what would be theirs if all had the same.
///
/// Safe for use by any thread.
public final class Processor {

  /// There is one processor, whatever listens.
  public static final Processor SHARED =
      new Processor(Runtime.getRuntime().availableProcessors(), true);

  private static final Duration TICK = Duration.ofMillis(4);
  private static final Duration LONG_WAIT = Duration.ofMillis(5);
  private static final Duration STILL_HERE = Duration.ofSeconds(5);
  private static final Owner STRANGERS = new Owner("strangers", true);

  /// Of a processor, for all strangers, however short it is.
  private static final double LEAST_OF_STRANGERS = 0.05;

  /// Somebody known who does one thing at a time is not what others wait for.
  private static final double LIGHT = 1.1;

  private static final double LIGHT_OF_STRANGERS = 0.1;

  /// About what it takes to agree on keys with one who connects.
  private static final Duration HANDSHAKE = Duration.ofMillis(3);

  /// Turns of one owner under way at once while there are others; the first to come must not wait
  /// behind hundreds of them until the watch has seen it.
  private static final int AT_ONCE = 32;

  private static final int STRANGERS_AT_ONCE = 4;

  private static final double SLOWER = 0.7;
  private static final double FASTER = 1.02;

  private final int processors;
  private final Map<Owner, Line> lines = new ConcurrentHashMap<>();
  private final AtomicBoolean watched;
  private final AtomicLong asked = new AtomicLong();
  private volatile long waited;

  Processor(int processors, boolean watches) {
    this.processors = processors;
    this.watched = new AtomicBoolean(!watches);
  }

  /// Where the work of `owner` stands in line until [Line#leave].
  Line line(Owner owner) {
    var line =
        lines.compute(
            owner.isStranger() ? STRANGERS : owner,
            (key, known) -> (known == null ? new Line(key) : known).joined());
    if (watched.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("processor watch").start(this::watch);
    }
    return line;
  }

  /// Somebody has connected; comes back when the next may.
  public void connected() {
    var line = line(STRANGERS);
    try {
      line.goOn();
      line.end(System.nanoTime() - HANDSHAKE.toNanos());
    } finally {
      line.leave();
    }
  }

  /// Until nobody was here for a while.
  private void watch() {
    long last = System.nanoTime();
    while (!lines.isEmpty()) {
      LockSupport.parkNanos(TICK.toNanos());
      long now = System.nanoTime();
      ask(now);
      tick(now - last, waited(now));
      last = now;
    }
    watched.set(false);
    if (!lines.isEmpty() && watched.compareAndSet(false, true)) {
      watch();
    }
  }

  /// Has a new thread say how long it waited; one at a time.
  private void ask(long now) {
    if (asked.compareAndSet(0, now)) {
      Thread.startVirtualThread(() -> {
        waited = System.nanoTime() - now;
        asked.set(0);
      });
    }
  }

  private long waited(long now) {
    long since = asked.get();
    return since == 0 ? waited : Math.max(waited, now - since);
  }

  /// `nanos` later: each line gets its part, and the parts are thought over.
  void tick(long nanos, long wait) {
    long now = System.nanoTime();
    int atOnce = lines.size() > 1 ? AT_ONCE : Integer.MAX_VALUE;
    lines.values().forEach(line -> line.tick(nanos, line.isStrange() ? STRANGERS_AT_ONCE : atOnce));
    lines.entrySet().removeIf(entry -> entry.getValue().isForgotten(now, STILL_HERE.toNanos()));
    if (wait <= LONG_WAIT.toNanos()) {
      lines.values().forEach(line -> line.faster(FASTER, processors));
      return;
    }
    var heaviest = heaviest();
    if (heaviest != null && lines.size() > 1) {
      heaviest.slower(SLOWER);
    }
  }

  private @Nullable Line heaviest() {
    double least = (double) processors / (4 * lines.size());
    return lines.values().stream()
        .filter(line -> line.busy() > (line.isStrange() ? LIGHT_OF_STRANGERS : LIGHT))
        .filter(line -> line.share() > (line.isStrange() ? LEAST_OF_STRANGERS : least))
        .max(Comparator.comparing(Line::isStrange).thenComparingDouble(Line::busy))
        .orElse(null);
  }

  /// How much of the processors each line may have that is slowed down.
  public Map<String, Double> slowed() {
    var slowed = new TreeMap<String, Double>();
    lines.forEach((owner, line) -> {
      if (line.share() < Line.ALL) {
        slowed.put(owner.name(), line.share());
      }
    });
    return slowed;
  }
}
