package io.berth.scheduler;

import io.berth.api.PersistentVolumeClaim;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The claims as the watch has last seen them, for threads that wait until one is bound. Guarded by
/// its lock.
final class ClaimBindings {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();

  void seen(PersistentVolumeClaim claim) {
    change(() -> claims.put(claim.key(), claim));
  }

  void gone(String key) {
    change(() -> claims.remove(key));
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until the condition holds for the claim (`null` when it is gone); `false` when it does
  /// not in time.
  boolean await(String key, Predicate<@Nullable PersistentVolumeClaim> condition, long limitMillis)
      throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    lock.lockInterruptibly();
    try {
      while (!condition.test(claims.get(key))) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
