package io.berth.engine.model;

import java.util.Arrays;

/// A sparse column: int key to int value, absent keys being 0.
///
/// Open addressing with linear probing; keys are stored plus one, so that 0 marks a free slot. An
/// entry whose value returns to 0 stays until the next growth. Memory follows the number of keys
/// used, not the number of nodes: thousands of terms over a hundred thousand nodes stay small.
public final class IntCounts {

  private int[] keys = new int[8];
  private int[] values = new int[8];
  private int used;

  public int get(int key) {
    int mask = keys.length - 1;
    for (int at = slot(key, mask); keys[at] != 0; at = (at + 1) & mask) {
      if (keys[at] == key + 1) {
        return values[at];
      }
    }
    return 0;
  }

  /// Adds to the value of a key, and returns the new value.
  public int add(int key, int delta) {
    int mask = keys.length - 1;
    int at = slot(key, mask);
    while (keys[at] != 0) {
      if (keys[at] == key + 1) {
        values[at] += delta;
        return values[at];
      }
      at = (at + 1) & mask;
    }
    if (delta == 0) {
      return 0;
    }
    keys[at] = key + 1;
    values[at] = delta;
    if (++used * 2 > keys.length) {
      grow();
    }
    return delta;
  }

  /// Calls back for every key with a value other than 0.
  public void forEach(Visitor visitor) {
    for (int at = 0; at < keys.length; at++) {
      if (keys[at] != 0 && values[at] != 0) {
        visitor.visit(keys[at] - 1, values[at]);
      }
    }
  }

  public boolean isZero() {
    for (int value : values) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  private void grow() {
    var oldKeys = keys;
    var oldValues = values;
    int live = 0;
    for (int value : oldValues) {
      live += value == 0 ? 0 : 1;
    }
    int size = Math.max(8, Integer.highestOneBit(Math.max(1, live)) * 4);
    keys = new int[size];
    values = new int[size];
    used = 0;
    for (int at = 0; at < oldKeys.length; at++) {
      if (oldKeys[at] != 0 && oldValues[at] != 0) {
        add(oldKeys[at] - 1, oldValues[at]);
      }
    }
  }

  private static int slot(int key, int mask) {
    int hash = (key + 1) * 0x9E3779B1;
    return (hash ^ (hash >>> 15)) & mask;
  }

  public void clear() {
    Arrays.fill(keys, 0);
    Arrays.fill(values, 0);
    used = 0;
  }

  /// Receives the entries of a sparse column.
  @FunctionalInterface
  public interface Visitor {
    void visit(int key, int value);
  }
}
