package io.berth.engine.decide;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The groups of a view: found by key, listed for a decision, each a heap of nodes.
///
/// Empty groups go to a pool, so that nodes wandering between groups allocate nothing.
final class Groups {

  private static final int NOWHERE = -1;

  private final TieBreak tieBreak;
  private final int components;
  private final int scores;
  private @Nullable Group[] buckets = new Group[16];
  private @Nullable Group[] live = new Group[8];
  private int count;
  private @Nullable Group pool;

  private @Nullable Group[] groupOf;
  private int[] placeInHeap;
  private int[] local;
  private int[] verdictOf;

  /// `components` is the length of keys, `scores` how many scores groups have in common.
  Groups(TieBreak tieBreak, int components, int scores, int capacity) {
    this.tieBreak = tieBreak;
    this.components = components;
    this.scores = scores;
    this.groupOf = new Group[capacity];
    this.placeInHeap = new int[capacity];
    this.local = new int[capacity];
    this.verdictOf = new int[capacity];
  }

  int count() {
    return count;
  }

  /// As many groups as there is room for now.
  int capacity() {
    return live.length;
  }

  Group get(int i) {
    var group = live[i];
    if (group == null) {
      throw new IndexOutOfBoundsException(i);
    }
    return group;
  }

  @Nullable Group of(int node) {
    return node < groupOf.length ? groupOf[node] : null;
  }

  int verdictOf(int node) {
    return verdictOf[node];
  }

  int local(int node) {
    return local[node];
  }

  void grow(int capacity) {
    if (capacity > groupOf.length) {
      groupOf = Arrays.copyOf(groupOf, capacity);
      placeInHeap = Arrays.copyOf(placeInHeap, capacity);
      local = Arrays.copyOf(local, capacity);
      verdictOf = Arrays.copyOf(verdictOf, capacity);
    }
  }

  /// Puts a node into the group of a key: with its score if it passes, else with its verdict.
  void put(int node, int[] key, int verdict, int score) {
    var before = groupOf[node];
    if (before != null && Arrays.equals(before.key, key)) {
      replace(before, node, verdict, score);
      return;
    }
    remove(node);
    var group = find(key);
    groupOf[node] = group;
    enter(group, node, verdict, score);
  }

  private void replace(Group group, int node, int verdict, int score) {
    if (verdict == 0 && verdictOf[node] == 0) {
      int change = Integer.compare(score, local[node]);
      local[node] = score;
      if (change > 0) {
        up(group, placeInHeap[node]);
      } else if (change < 0) {
        down(group, placeInHeap[node]);
      }
    } else if (verdict != verdictOf[node]) {
      leave(group, node);
      enter(group, node, verdict, score);
    }
  }

  void remove(int node) {
    var group = groupOf[node];
    if (group == null) {
      return;
    }
    leave(group, node);
    groupOf[node] = null;
    if (group.isEmpty()) {
      drop(group);
    }
  }

  private void enter(Group group, int node, int verdict, int score) {
    verdictOf[node] = verdict;
    local[node] = score;
    if (verdict != 0) {
      placeInHeap[node] = NOWHERE;
      group.refuse(verdict, 1);
      return;
    }
    if (group.size == group.heap.length) {
      group.heap = Arrays.copyOf(group.heap, group.size * 2);
    }
    group.heap[group.size] = node;
    placeInHeap[node] = group.size;
    group.size++;
    up(group, group.size - 1);
  }

  private void leave(Group group, int node) {
    if (verdictOf[node] != 0) {
      group.refuse(verdictOf[node], -1);
      return;
    }
    int place = placeInHeap[node];
    int last = group.heap[--group.size];
    if (last != node) {
      group.heap[place] = last;
      placeInHeap[last] = place;
      up(group, place);
      down(group, placeInHeap[last]);
    }
  }

  private void up(Group group, int place) {
    var heap = group.heap;
    int node = heap[place];
    while (place > 0) {
      int parent = (place - 1) / 2;
      if (!isBetter(node, heap[parent])) {
        break;
      }
      heap[place] = heap[parent];
      placeInHeap[heap[place]] = place;
      place = parent;
    }
    heap[place] = node;
    placeInHeap[node] = place;
  }

  private void down(Group group, int place) {
    var heap = group.heap;
    int node = heap[place];
    for (int child = 2 * place + 1; child < group.size; child = 2 * place + 1) {
      if (child + 1 < group.size && isBetter(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBetter(heap[child], node)) {
        break;
      }
      heap[place] = heap[child];
      placeInHeap[heap[place]] = place;
      place = child;
    }
    heap[place] = node;
    placeInHeap[node] = place;
  }

  private boolean isBetter(int a, int b) {
    return local[a] > local[b] || (local[a] == local[b] && tieBreak.key(a) < tieBreak.key(b));
  }

  private Group find(int[] key) {
    int hash = Arrays.hashCode(key);
    hash ^= hash >>> 15;
    for (var group = buckets[hash & (buckets.length - 1)]; group != null; group = group.next) {
      if (group.hash == hash && Arrays.equals(group.key, key)) {
        return group;
      }
    }
    return make(key, hash);
  }

  private Group make(int[] key, int hash) {
    var group = pool;
    if (group == null) {
      group = new Group(components, scores);
    } else {
      pool = group.next;
    }
    System.arraycopy(key, 0, group.key, 0, components);
    group.hash = hash;
    if (count == live.length) {
      live = Arrays.copyOf(live, count * 2);
      rehash();
    }
    group.place = count;
    live[count++] = group;
    int bucket = hash & (buckets.length - 1);
    group.next = buckets[bucket];
    buckets[bucket] = group;
    return group;
  }

  private void rehash() {
    buckets = new Group[live.length * 2];
    for (int i = 0; i < count; i++) {
      var group = get(i);
      int bucket = group.hash & (buckets.length - 1);
      group.next = buckets[bucket];
      buckets[bucket] = group;
    }
  }

  private void drop(Group group) {
    int bucket = group.hash & (buckets.length - 1);
    var at = buckets[bucket];
    if (at == group) {
      buckets[bucket] = group.next;
    } else {
      while (at != null) {
        if (at.next == group) {
          at.next = group.next;
          break;
        }
        at = at.next;
      }
    }
    var last = get(--count);
    live[group.place] = last;
    last.place = group.place;
    live[count] = null;
    Arrays.fill(group.refusals, 0);
    group.next = pool;
    pool = group;
  }
}
