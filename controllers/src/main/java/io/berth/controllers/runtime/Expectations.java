package io.berth.controllers.runtime;

import io.berth.api.Tree;
import io.berth.cluster.Informer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// What a controller has written and not yet seen in its cache.
///
/// Until its own creations and deletions have come back through the watch, a controller that acts
/// would act twice. As in Kubernetes an expectation lapses after five minutes, so that a lost event
/// costs time and not life. Creations are counted, deletions are kept by uid, because a deletion
/// may be seen several times.
public final class Expectations {

  private static final Duration LAPSE = Duration.ofMinutes(5);

  private final InstantSource clock;
  private final Map<String, Expected> expected = new ConcurrentHashMap<>();

  public Expectations(InstantSource clock) {
    this.clock = clock;
  }

  /// Whether everything expected of the owner has been seen.
  public boolean satisfied(String owner) {
    var open = expected.get(owner);
    return open == null || open.satisfied(clock.millis());
  }

  public void expectCreations(String owner, int count) {
    open(owner).create(count, clock.millis());
  }

  public void expectDeletions(String owner, Set<String> uids) {
    open(owner).delete(uids, clock.millis());
  }

  public void created(String owner) {
    var open = expected.get(owner);
    if (open != null) {
      open.created(1);
    }
  }

  /// Creations that will not come, because they failed or were never tried.
  public void notCreated(String owner, int count) {
    var open = expected.get(owner);
    if (open != null) {
      open.created(count);
    }
  }

  public void deleted(String owner, String uid) {
    var open = expected.get(owner);
    if (open != null) {
      open.deleted(uid);
    }
  }

  /// Nothing is expected of owners that are gone; call before the cache is started.
  public void forgetThoseGone(Cache owners) {
    owners.on(
        new Informer.Handler() {
          @Override
          public void changed(@Nullable Tree previous, Tree owner) {}

          @Override
          public void removed(Tree owner) {
            expected.remove(Meta.uid(owner));
          }
        });
  }

  private Expected open(String owner) {
    return expected.computeIfAbsent(owner, _ -> new Expected());
  }

  private static final class Expected {

    private final Set<String> deletions = new HashSet<>();
    private int creations;
    private long sinceMillis;

    synchronized void create(int count, long now) {
      creations = Math.max(0, creations) + count;
      sinceMillis = now;
    }

    synchronized void delete(Set<String> uids, long now) {
      deletions.addAll(uids);
      sinceMillis = now;
    }

    synchronized void created(int count) {
      creations -= count;
    }

    synchronized void deleted(String uid) {
      deletions.remove(uid);
    }

    synchronized boolean satisfied(long now) {
      if (now - sinceMillis > LAPSE.toMillis()) {
        creations = 0;
        deletions.clear();
      }
      return creations <= 0 && deletions.isEmpty();
    }
  }
}
