package io.berth.controllers.runtime;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Keys that may need work, each at most once, and never two workers on one key.
///
/// A key added while it is being worked on comes back when that work is done. The queue is bounded
/// by the number of distinct keys, that is, of objects.
final class WorkQueue<K> {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Condition quiet = lock.newCondition();
  private final Set<K> ready = new LinkedHashSet<>();
  private final Set<K> working = new HashSet<>();
  private final Set<K> again = new HashSet<>();
  private final Map<K, Integer> failures = new HashMap<>();
  private boolean closed;

  void add(K key) {
    lock.lock();
    try {
      if (working.contains(key)) {
        again.add(key);
      } else if (ready.add(key)) {
        filled.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /// The next key to work on, or `null` when the queue is closed.
  @Nullable K take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (ready.isEmpty() && !closed) {
        filled.await();
      }
      if (closed) {
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
      if (again.remove(key) && ready.add(key)) {
        filled.signal();
      }
      if (ready.isEmpty() && working.isEmpty()) {
        quiet.signalAll();
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

  int size() {
    lock.lock();
    try {
      return ready.size();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      filled.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
