package io.berth.quota.decide;

import java.util.HashMap;
import java.util.Map;

/// How many whole devices of each node of a pool no gang holds.
///
/// An upper bound of what is free: pods that belong to no gang are not counted. It tells at once
/// that something does not fit; whether it does, only the engine can say. Kept as one number a node
/// and the count of nodes by that number, so that a question costs no more than nodes have devices.
final class FreeGpus {

  static final int NONE = -1;

  private final Map<String, Integer> indexes = new HashMap<>();
  private final int[] free;
  private final int[] nodesWith;

  /// What a question adds for as long as it is asked; see [#addForNow].
  private final int[] added;

  /// Devices by node, all of them free.
  FreeGpus(Map<String, Integer> devices) {
    this.free = new int[devices.size()];
    this.added = new int[devices.size()];
    devices.forEach((node, count) -> {
      free[indexes.size()] = count;
      indexes.put(node, indexes.size());
    });
    int most = 0;
    for (int count : free) {
      most = Math.max(most, count);
    }
    this.nodesWith = new int[most + 1];
    for (int count : free) {
      nodesWith[count]++;
    }
  }

  int nodes() {
    return free.length;
  }

  /// The index of a node, or [#NONE] if nothing of it is shared out.
  int indexOf(String node) {
    return indexes.getOrDefault(node, NONE);
  }

  int free(int node) {
    return Math.max(0, free[node]);
  }

  int[] copy() {
    return free.clone();
  }

  /// Adds to a node until [#forget]. Returns what was free before, with what had been added.
  int addForNow(int node, int devices) {
    int before = free(node) + added[node];
    added[node] += devices;
    return before;
  }

  void forget(int node) {
    added[node] = 0;
  }

  /// Counts devices that come free, or are taken if negative.
  void add(String node, int devices) {
    int index = indexOf(node);
    if (index != NONE && devices != 0) {
      nodesWith[free(index)]--;
      free[index] += devices;
      nodesWith[free(index)]++;
    }
  }

  /// So many are free on one node at most.
  int most() {
    int most = nodesWith.length - 1;
    while (most > 0 && nodesWith[most] == 0) {
      most--;
    }
    return most;
  }

  /// So many pods with `each` devices could be on the nodes at most.
  long places(int each) {
    long places = 0;
    for (int devices = each; devices < nodesWith.length; devices++) {
      places += (long) nodesWith[devices] * (devices / each);
    }
    return places;
  }
}
