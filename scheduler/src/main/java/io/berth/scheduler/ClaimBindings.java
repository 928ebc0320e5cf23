package io.berth.scheduler;

import io.berth.api.Crew;
import io.berth.api.PersistentVolumeClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The claims as the watch has last seen them, for those who wait until one is bound. Guarded by
/// its lock.
final class ClaimBindings {

  private final Crew crew;
  private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
  private final List<Waiter> waiters = new ArrayList<>();

  ClaimBindings(Crew crew) {
    this.crew = crew;
  }

  synchronized void seen(PersistentVolumeClaim claim) {
    claims.put(claim.key(), claim);
    tell(claim.key());
  }

  synchronized void gone(String key) {
    claims.remove(key);
    tell(key);
  }

  synchronized @Nullable PersistentVolumeClaim find(String key) {
    return claims.get(key);
  }

  /// Calls `then`, beside the caller, with `true` once the condition holds for the claim (`null`
  /// when it is gone), or with `false` when it does not in time.
  synchronized void when(
      String key,
      Predicate<@Nullable PersistentVolumeClaim> condition,
      Duration limit,
      Consumer<Boolean> then) {
    if (condition.test(claims.get(key))) {
      crew.start("claims", () -> then.accept(true));
      return;
    }
    var waiter = new Waiter(key, condition, then);
    waiters.add(waiter);
    waiter.end = crew.after(limit, "claim " + key, () -> giveUp(waiter));
  }

  private void tell(String key) {
    for (var waiter : List.copyOf(waiters)) {
      if (waiter.key.equals(key) && waiter.condition.test(claims.get(key))) {
        waiters.remove(waiter);
        waiter.stopWaiting();
        crew.start("claims", () -> waiter.then.accept(true));
      }
    }
  }

  private void giveUp(Waiter waiter) {
    boolean waited;
    synchronized (this) {
      waited = waiters.remove(waiter);
    }
    if (waited) {
      waiter.then.accept(false);
    }
  }

  private static final class Waiter {
    private final String key;
    private final Predicate<@Nullable PersistentVolumeClaim> condition;
    private final Consumer<Boolean> then;
    private Crew.@Nullable Shift end;

    Waiter(
        String key, Predicate<@Nullable PersistentVolumeClaim> condition, Consumer<Boolean> then) {
      this.key = key;
      this.condition = condition;
      this.then = then;
    }

    void stopWaiting() {
      if (end != null) {
        end.close();
      }
    }
  }
}
