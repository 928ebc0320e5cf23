package io.berth.clients;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/// What one informer tells its handler, and complaints about what an informer must never tell: an
/// object added twice, changed or deleted without being there, or going back to an older revision.
final class EventLog {

  // Only a test that hangs waits this long.
  private static final long PATIENCE_NANOS = Duration.ofMinutes(3).toNanos();

  private final Map<String, String> revisions = new TreeMap<>();
  private final Map<String, List<String>> history = new TreeMap<>();
  private final List<String> complaints = new ArrayList<>();
  private int events;
  private int resyncs;
  private int lists;

  /// An object as it is told: its key, revision and the number of the write that made it.
  record Seen(String key, String revision, String number) {}

  /// The informer has listed everything, for the first time or because it could not go on.
  synchronized void listed() {
    lists++;
    notifyAll();
  }

  synchronized void added(Seen now) {
    var before = revisions.put(now.key, now.revision);
    if (before != null) {
      complaints.add("%s was added, but was there with revision %s".formatted(now, before));
    }
    tell(now.key, "added " + now.number);
  }

  synchronized void updated(Seen before, Seen now) {
    // A resync tells what the client has stored, beside the thread that stores: it may come before
    // the news that it repeats, so it says nothing about the server.
    if (before.revision.equals(now.revision)) {
      resyncs++;
      notifyAll();
      return;
    }
    var known = revisions.put(now.key, now.revision);
    if (!before.revision.equals(known)) {
      complaints.add("%s became %s, but %s was known".formatted(before, now, known));
    }
    if (Long.parseLong(now.revision) < Long.parseLong(before.revision)) {
      complaints.add("%s went back to %s".formatted(before, now));
    }
    tell(now.key, "updated " + now.number);
  }

  synchronized void deleted(Seen last) {
    if (revisions.remove(last.key) == null) {
      complaints.add("%s was deleted, but was not there".formatted(last));
    }
    tell(last.key, "deleted");
  }

  private void tell(String key, String what) {
    history.computeIfAbsent(key, _ -> new ArrayList<>()).add(what);
    events++;
    notifyAll();
  }

  synchronized int events() {
    return events;
  }

  synchronized int lists() {
    return lists;
  }

  synchronized List<String> complaints() {
    return List.copyOf(complaints);
  }

  /// By object of these namespaces, all that was told but resyncs.
  synchronized Map<String, List<String>> history(List<String> namespaces) {
    var copy = new TreeMap<String, List<String>>();
    history.forEach((key, told) -> {
      if (namespaces.contains(key.substring(0, key.indexOf('/')))) {
        copy.put(key, List.copyOf(told));
      }
    });
    return copy;
  }

  void awaitEvents(int count) throws InterruptedException {
    await("event " + count, () -> events >= count);
  }

  void awaitLists(int count) throws InterruptedException {
    await("list " + count, () -> lists >= count);
  }

  void awaitResyncs(int count) throws InterruptedException {
    await("resync " + count, () -> resyncs >= count);
  }

  /// Waits until every object has the revision that it has in the server.
  void awaitRevisions(Map<String, String> wanted) throws InterruptedException {
    await("the server's state " + wanted, () -> revisions.equals(wanted));
  }

  private synchronized void await(String what, BooleanSupplier happened)
      throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!happened.getAsBoolean()) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError(
            "waited in vain for %s; there is %s; %s".formatted(what, revisions, complaints));
      }
      wait(left);
    }
  }
}
