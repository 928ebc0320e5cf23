package io.berth.store;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/// Changes that became visible one soon after the other, and the objects that the last led to.
///
/// Each change leads to a state of its own, but to keep all of them would keep alive the path that
/// every one of them copied. Earlier states are made from the last by taking back what follows.
///
/// One thread at a time adds; others may read meanwhile.
final class Step {

  private static final long LONGEST_MILLIS = 1000;

  private final long beganMillis;
  private final Change[] changes;
  private volatile Reach reach;

  /// Has room for `capacity` changes.
  Step(int capacity, List<Change> first, PersistentMap<Key, Entry> after, long nowMillis) {
    this.beganMillis = nowMillis;
    this.changes = first.toArray(new Change[Math.max(capacity, first.size())]);
    this.reach = new Reach(after, first.size(), nowMillis, size(first));
  }

  /// Whether this goes on for so many more changes, or a new step begins.
  boolean takes(int more, long nowMillis) {
    long age = nowMillis - beganMillis;
    return reach.count + more <= changes.length && age >= 0 && age < LONGEST_MILLIS;
  }

  void add(List<Change> more, PersistentMap<Key, Entry> after, long nowMillis) {
    var now = reach;
    int count = now.count;
    for (var change : more) {
      changes[count++] = change;
    }
    reach = new Reach(after, count, nowMillis, now.bytes + size(more));
  }

  private static long size(List<Change> changes) {
    long bytes = 0;
    for (var change : changes) {
      bytes += change.entry().size();
    }
    return bytes;
  }

  long firstRevision() {
    return changes[0].revision();
  }

  long lastRevision() {
    return changes[reach.count - 1].revision();
  }

  long lastMillis() {
    return reach.lastMillis;
  }

  /// About how many bytes the changed objects take.
  long bytes() {
    return reach.bytes;
  }

  List<Change> changes() {
    return Collections.unmodifiableList(Arrays.asList(changes).subList(0, reach.count));
  }

  /// The objects with the changes behind `target` taken back, where `matters` says so.
  PersistentMap<Key, Entry> at(long target, Predicate<Key> matters) {
    var now = reach;
    var objects = now.after;
    for (int i = now.count - 1; i >= 0 && changes[i].revision() > target; i--) {
      var key = changes[i].entry().key();
      var previous = changes[i].previous();
      if (matters.test(key)) {
        objects = previous == null ? objects.without(key) : objects.with(key, previous);
      }
    }
    return objects;
  }

  /// How far the step has come: what is readable of `changes`, and where it led.
  private record Reach(PersistentMap<Key, Entry> after, int count, long lastMillis, long bytes) {}
}
