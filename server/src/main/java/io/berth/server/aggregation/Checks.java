package io.berth.server.aggregation;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.server.Limits;
import io.berth.server.registry.Context;
import io.berth.server.registry.Registry;
import io.berth.server.registry.WriteOptions;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks every registered server when something about it changes, and again and again: twice a
/// minute those that answer, and the others after one second, two, four, and so on.
///
/// One thread does it, from the first registration on; it alone knows `last`.
final class Checks implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Checks.class);
  private static final long LOOK_MILLIS = 1000;
  private static final int MOST_DOUBLINGS = 5;
  private static final long FIRST_WAIT_NANOS = 500_000_000;

  private final Registry registry;
  private final RemoteClients clients;
  private final Published published;
  private final InstantSource clock;
  private final Map<String, Checked> last = new HashMap<>();

  private List<Remote> remotes = List.of();
  private boolean awake;
  private @Nullable Thread thread;

  /// A check, what it was about, how many like it failed before, and when it is due again.
  private record Checked(Object about, Check.Found found, int failures, long due) {}

  Checks(Registry registry, RemoteClients clients, Published published, InstantSource clock) {
    this.registry = registry;
    this.clients = clients;
    this.published = published;
    this.clock = clock;
  }

  /// From now on these are checked.
  synchronized void of(Collection<Remote> current) {
    remotes = List.copyOf(current);
    if (thread == null) {
      thread = Thread.ofVirtual().name("aggregation").start(this::run);
    }
    wake();
  }

  /// Something may have changed.
  synchronized void wake() {
    awake = true;
    notifyAll();
  }

  @Override
  public synchronized void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }

  private void run() {
    try {
      while (true) {
        var current = next();
        try {
          check(current);
        } catch (RuntimeException e) {
          LOG.warn("other API servers could not be checked", e);
        }
      }
    } catch (InterruptedException e) {
      // close() ends the thread this way.
    }
  }

  /// Waits for a change, or for a second if there is anybody to check.
  private synchronized List<Remote> next() throws InterruptedException {
    long begun = System.nanoTime();
    while (!awake) {
      long left = LOOK_MILLIS - (System.nanoTime() - begun) / 1_000_000;
      if (!remotes.isEmpty() && left <= 0) {
        break;
      }
      wait(remotes.isEmpty() ? 0 : left);
    }
    awake = false;
    return remotes;
  }

  private void check(List<Remote> current) throws InterruptedException {
    last.keySet().retainAll(current.stream().map(Remote::name).toList());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new HashMap<Remote, Future<Checked>>();
      for (var remote : current) {
        var check = Check.of(remote, clients, registry.lookup());
        var before = last.get(remote.name());
        if (before == null
            || !before.about.equals(check.about())
            || System.nanoTime() - before.due >= 0) {
          running.put(remote, threads.submit(() -> checked(check, before)));
        }
      }
      for (var each : running.entrySet()) {
        last.put(each.getKey().name(), each.getValue().get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    show(current);
  }

  private static Checked checked(Check check, @Nullable Checked before)
      throws InterruptedException {
    var found = check.run(before == null ? Check.Found.NOTHING : before.found);
    int earlier = before != null && before.about.equals(check.about()) ? before.failures : 0;
    int failures = found.availability().isTrue() ? 0 : Math.min(earlier + 1, MOST_DOUBLINGS);
    long wait = failures == 0 ? Limits.REMOTE_RECHECK.toNanos() : FIRST_WAIT_NANOS << failures;
    return new Checked(check.about(), found, failures, System.nanoTime() + wait);
  }

  private void show(List<Remote> current) {
    var found = new HashMap<Remote, Check.Found>();
    for (var remote : current) {
      var checked = last.get(remote.name());
      if (checked != null) {
        found.put(remote, checked.found);
      }
    }
    published.show(found);
    found.forEach(this::write);
  }

  private void write(Remote remote, Check.Found found) {
    var now = clock.instant();
    var changed =
        found.availability().in(remote.object(), now.truncatedTo(ChronoUnit.SECONDS).toString());
    if (changed == null) {
      return;
    }
    try {
      registry.update(
          registry.catalog().of(Aggregator.API_SERVICES),
          "status",
          "",
          remote.name(),
          changed,
          new Context(
              User.of("system:apiserver", "system:masters"),
              now,
              WriteOptions.by("kube-apiserver")));
    } catch (ApiException e) {
      // It was changed or deleted meanwhile: that wakes this thread.
      LOG.debug("{}: {}", remote.name(), e.getMessage());
    }
  }
}
