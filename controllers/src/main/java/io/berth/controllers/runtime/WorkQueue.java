package io.berth.controllers.runtime;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Keys that may need work, each at most once, and never two workers on one key.
///
/// A key added while it is being worked on comes back when that work is done. The queue is bounded
/// by the number of distinct keys, that is, of objects.
final class WorkQueue<K> {

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<K> ready = new LinkedHashSet<>();
  private final Set<K> working = new HashSet<>();
  private final Set<K> again = new HashSet<>();
  private final Map<K, Integer> failures = new HashMap<>();
  private int workers;
  private boolean closed;

  void add(K key) {
    lock.lock();
    try {
      if (working.contains(key)) {
        again.add(key);
      } else {
        ready.add(key);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether another worker is welcome: something waits, and fewer than `most` are at work. It must
  /// [#take()] until there is nothing.
  boolean engage(int most) {
    lock.lock();
    try {
      if (closed || ready.isEmpty() || workers >= most) {
        return false;
      }
      workers++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// The next key to work on, or `null` for a worker that has to leave.
  @Nullable K take() {
    lock.lock();
    try {
      if (ready.isEmpty() || closed) {
        workers--;
        return null;
      }
      var iterator = ready.iterator();
      var key = iterator.next();
      iterator.remove();
      working.add(key);
      return key;
    } finally {
      lock.unlock();
    }
  }

  /// Must follow every [#take()]; `failed` counts towards [#failures(Object)].
  void done(K key, boolean failed) {
    lock.lock();
    try {
      working.remove(key);
      if (failed) {
        failures.merge(key, 1, Integer::sum);
      } else {
        failures.remove(key);
      }
      if (again.remove(key)) {
        ready.add(key);
      }
    } finally {
      lock.unlock();
    }
  }

  /// How often in a row work on the key has failed.
  int failures(K key) {
    lock.lock();
    try {
      return failures.getOrDefault(key, 0);
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }
}
