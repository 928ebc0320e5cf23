package io.berth.engine.decide;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Nodes that differ, for one shape, in nothing but their own scores.
///
/// All that is normalised over nodes, or depends on domains, is a function of `key`; so it is
/// computed once for the group. The nodes that pass the filters on their own account stand in a
/// heap, best local score first; those that do not are counted by objection.
final class Group {

  int[] key;
  int hash;
  int[] heap = new int[4];
  int size;
  int refused;
  int[] refusals = new int[2];
  int place;
  @Nullable Group next;

  // Scratch of one decision.
  int objection;
  final long[] raws;

  Group(int components, int scores) {
    this.key = new int[components];
    this.raws = new long[scores];
  }

  boolean isEmpty() {
    return size == 0 && refused == 0;
  }

  void refuse(int verdict, int delta) {
    if (verdict >= refusals.length) {
      refusals = Arrays.copyOf(refusals, Math.max(verdict + 1, refusals.length * 2));
    }
    refusals[verdict] += delta;
    refused += delta;
  }
}
