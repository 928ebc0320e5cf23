package io.berth.server.budget;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Something of which there is only so much, shared by all: bytes of memory, or places in a lane.
///
/// Nobody owns a part, and nobody can take it all: an owner gets more as long as it holds no more
/// than what is then left for everybody. One that takes all it can, little by little, gets half,
/// two get a third each, and there is always about as much left as the largest of them holds. So
/// the largest is refused first, and who holds little goes on. All strangers together get a
/// quarter, and those of one address half of that.
///
/// Safe for use by any thread; a lock is held per owner, for a few instructions.
public final class Budget {

  /// Owners whose refusals are counted apart; the rest are counted together.
  private static final int MOST_COUNTED = 100;

  private static final long STRANGERS = 3;
  private static final long ADDRESS = 7;

  private final long capacity;
  private final AtomicLong total = new AtomicLong();
  private final AtomicLong strangers = new AtomicLong();
  private final Map<Owner, Long> held = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();

  public Budget(long capacity) {
    this.capacity = capacity;
  }

  /// A quarter of the heap: the rest is for what is stored, and for what nobody accounts for.
  public static Budget ofHeap() {
    return new Budget(Runtime.getRuntime().maxMemory() / 4);
  }

  /// Whether `owner` now holds `amount` more; if not, that counts as a refusal.
  public boolean take(Owner owner, long amount) {
    boolean taken = offer(owner, amount);
    if (!taken) {
      refused(owner);
    }
    return taken;
  }

  /// As [#take], by one who tries again.
  boolean offer(Owner owner, long amount) {
    boolean[] taken = new boolean[1];
    held.compute(
        owner,
        (_, before) -> {
          long mine = before == null ? 0 : before;
          taken[0] = reserve(owner, mine, amount);
          return taken[0] ? Long.valueOf(mine + amount) : before;
        });
    return taken[0];
  }

  /// Has `owner` hold `amount` more, even if that is more than there is: for what cannot be refused
  /// any more. Others are refused for it.
  public void force(Owner owner, long amount) {
    held.merge(owner, amount, Long::sum);
    total.addAndGet(amount);
    if (owner.isStranger()) {
      strangers.addAndGet(amount);
    }
  }

  private boolean reserve(Owner owner, long mine, long amount) {
    long left = capacity - total.addAndGet(amount);
    boolean fits =
        left >= 0
            && (owner.isStranger()
                ? mine * ADDRESS <= left && reserveForStrangers(left, amount)
                : mine <= left);
    if (!fits) {
      total.addAndGet(-amount);
    }
    return fits;
  }

  private boolean reserveForStrangers(long left, long amount) {
    boolean fits = (strangers.addAndGet(amount) - amount) * STRANGERS <= left;
    if (!fits) {
      strangers.addAndGet(-amount);
    }
    return fits;
  }

  void refused(Owner owner) {
    var known = refusals.get(owner.name());
    if (known == null) {
      var name = refusals.size() < MOST_COUNTED ? owner.name() : "others";
      known = refusals.computeIfAbsent(name, _ -> new LongAdder());
    }
    known.increment();
  }

  public void release(Owner owner, long amount) {
    held.computeIfPresent(owner, (_, before) -> before == amount ? null : before - amount);
    if (owner.isStranger()) {
      strangers.addAndGet(-amount);
    }
    total.addAndGet(-amount);
  }

  /// The most a single owner can ever hold.
  public long largestPart() {
    return capacity / 2;
  }

  public long capacity() {
    return capacity;
  }

  public long inUse() {
    return total.get();
  }

  /// What each owner holds now.
  public Map<String, Long> owners() {
    var owners = new TreeMap<String, Long>();
    held.forEach((owner, amount) -> owners.put(owner.name(), amount));
    return owners;
  }

  /// How often each owner was refused.
  public Map<String, Long> refusals() {
    var counts = new TreeMap<String, Long>();
    refusals.forEach((owner, count) -> counts.put(owner, count.sum()));
    return counts;
  }
}
