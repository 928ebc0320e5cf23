package io.berth.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A listener that remembers what it was told, in order.
final class Recorder implements Store.Listener {

  /// Never reached unless something is broken.
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final LinkedBlockingQueue<Change> changes = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Long> progress = new LinkedBlockingQueue<>();
  private final CompletableFuture<RuntimeException> end = new CompletableFuture<>();

  @Override
  public void changed(Change change) {
    changes.add(change);
  }

  @Override
  public void progressed(long revision) {
    progress.add(revision);
  }

  @Override
  public void ended(RuntimeException cause) {
    end.complete(cause);
  }

  Change next() throws InterruptedException {
    var change = changes.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (change == null) {
      throw new AssertionError("no change came");
    }
    return change;
  }

  List<Change> next(int count) throws InterruptedException {
    var next = new ArrayList<Change>();
    while (next.size() < count) {
      next.add(next());
    }
    return next;
  }

  /// What came until everything up to now had been delivered.
  List<Change> all(Store.Subscription subscription) throws InterruptedException {
    subscription.requestProgress();
    nextProgress();
    var all = new ArrayList<Change>();
    changes.drainTo(all);
    return all;
  }

  long nextProgress() throws InterruptedException {
    var revision = progress.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (revision == null) {
      throw new AssertionError("no progress came");
    }
    return revision;
  }

  RuntimeException end() throws Exception {
    return end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
