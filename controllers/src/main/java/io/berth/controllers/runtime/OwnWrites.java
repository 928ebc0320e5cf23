package io.berth.controllers.runtime;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The last writes of a controller that its cache may not show yet, by the object they were for.
///
/// A controller that compares what shall be with a cache behind its own writes would delete what it
/// has just kept. Unlike [Expectations], which count, this knows revisions.
public final class OwnWrites {

  private final Cache cache;
  private final Map<Key, Written> open = new ConcurrentHashMap<>();

  public OwnWrites(Cache cache) {
    this.cache = cache;
  }

  /// Whether the cache shows everything that was written for `owner`.
  public boolean areSeen(Key owner) {
    var written = open.get(owner);
    if (written == null) {
      return true;
    }
    if (cache.revision() < written.revision || written.deleted.stream().anyMatch(this::isThere)) {
      return false;
    }
    open.remove(owner);
    return true;
  }

  public void wrote(Key owner, Tree object) {
    var written = of(owner);
    written.revision = Math.max(written.revision, Long.parseLong(Meta.revision(object)));
  }

  public void deleted(Key owner, Tree object) {
    of(owner).deleted.add(object);
  }

  private Written of(Key owner) {
    return open.computeIfAbsent(owner, _ -> new Written());
  }

  private boolean isThere(Tree deleted) {
    var found = cache.find(Key.of(deleted)).orElse(null);
    return found != null && Meta.uid(found).equals(Meta.uid(deleted)) && !Meta.isDeleting(found);
  }

  /// Used by one worker at a time, the one that has the owner.
  private static final class Written {
    private long revision;
    private final List<Tree> deleted = new ArrayList<>();
  }
}
