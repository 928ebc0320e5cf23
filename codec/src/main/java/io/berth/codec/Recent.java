package io.berth.codec;

import java.util.concurrent.atomic.AtomicReferenceArray;

/// Gives equal values one instance, as far as it has seen them lately: the replicas of a template
/// take the place of one, and are equal at a glance.
///
/// Safe for many threads; two that race keep two instances, which does no harm.
final class Recent<T> {

  private static final int SLOTS = 1 << 10;

  private final AtomicReferenceArray<T> slots = new AtomicReferenceArray<>(SLOTS);

  T share(T value) {
    int hash = value.hashCode();
    int slot = (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (SLOTS - 1);
    var known = slots.get(slot);
    if (value.equals(known)) {
      return known;
    }
    slots.set(slot, value);
    return value;
  }
}
