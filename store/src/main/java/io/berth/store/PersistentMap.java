package io.berth.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A sorted map whose every version stays readable: a change returns a new map that shares all but
/// the changed path with the old one.
///
/// A weight-balanced binary tree: each side holds at most [#DELTA] times as many entries as the
/// other, so that paths are O(log n), and every node knows its size, so that counting what follows
/// a key is O(log n) too. A change copies one path: about 17 nodes of 24 bytes among 100,000 keys.
/// Immutable, so any number of threads may read any version without a lock.
final class PersistentMap<K extends Comparable<K>, V>
    implements Iterable<PersistentMap.Node<K, V>> {

  /// The factors for which insertion and deletion are known to keep the balance.
  private static final int DELTA = 3;

  private static final int RATIO = 2;

  private static final PersistentMap<?, ?> EMPTY = new PersistentMap<String, Object>(null);

  private final @Nullable Node<K, V> root;

  private PersistentMap(@Nullable Node<K, V> root) {
    this.root = root;
  }

  @SuppressWarnings("unchecked") // An empty map holds nothing of either type.
  static <K extends Comparable<K>, V> PersistentMap<K, V> empty() {
    return (PersistentMap<K, V>) EMPTY;
  }

  /// A map of `values`, which are in the order of their keys; O(n).
  static <K extends Comparable<K>, V> PersistentMap<K, V> ofSorted(
      List<V> values, Function<V, K> key) {
    return new PersistentMap<>(ofSorted(values, key, 0, values.size()));
  }

  private static <K extends Comparable<K>, V> @Nullable Node<K, V> ofSorted(
      List<V> values, Function<V, K> key, int from, int to) {
    if (from == to) {
      return null;
    }
    int middle = (from + to) >>> 1;
    var value = values.get(middle);
    return new Node<>(
        key.apply(value),
        value,
        ofSorted(values, key, from, middle),
        ofSorted(values, key, middle + 1, to));
  }

  int size() {
    return size(root);
  }

  @Nullable V find(K key) {
    var node = root;
    while (node != null) {
      int order = key.compareTo(node.key);
      if (order == 0) {
        return node.value;
      }
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  PersistentMap<K, V> with(K key, V value) {
    return new PersistentMap<>(insert(root, key, value));
  }

  @SuppressWarnings("ReferenceEquality")
  PersistentMap<K, V> without(K key) {
    var rest = remove(root, key);
    return rest == root ? this : new PersistentMap<>(rest);
  }

  /// How many keys are smaller than `key`.
  int rank(K key) {
    int rank = 0;
    var node = root;
    while (node != null) {
      if (key.compareTo(node.key) <= 0) {
        node = node.left;
      } else {
        rank += size(node.left) + 1;
        node = node.right;
      }
    }
    return rank;
  }

  /// Everything in key order.
  @Override
  public Iterator<Node<K, V>> iterator() {
    var walk = new Walk<K, V>();
    walk.descend(root);
    return walk;
  }

  /// What has keys not smaller than `key`, in key order.
  Iterator<Node<K, V>> from(K key) {
    var walk = new Walk<K, V>();
    var node = root;
    while (node != null) {
      if (key.compareTo(node.key) <= 0) {
        walk.path.add(node);
        node = node.left;
      } else {
        node = node.right;
      }
    }
    return walk;
  }

  /// The longest path; for tests of the balance.
  int depth() {
    return depth(root);
  }

  private static int depth(@Nullable Node<?, ?> node) {
    return node == null ? 0 : 1 + Math.max(depth(node.left), depth(node.right));
  }

  private static int size(@Nullable Node<?, ?> node) {
    return node == null ? 0 : node.size;
  }

  private static <K extends Comparable<K>, V> Node<K, V> insert(
      @Nullable Node<K, V> node, K key, V value) {
    if (node == null) {
      return new Node<>(key, value, null, null);
    }
    int order = key.compareTo(node.key);
    if (order == 0) {
      return new Node<>(key, value, node.left, node.right);
    }
    return order < 0
        ? balance(node, insert(node.left, key, value), node.right)
        : balance(node, node.left, insert(node.right, key, value));
  }

  /// `node` itself when the key is not there.
  @SuppressWarnings("ReferenceEquality")
  private static <K extends Comparable<K>, V> @Nullable Node<K, V> remove(
      @Nullable Node<K, V> node, K key) {
    if (node == null) {
      return null;
    }
    int order = key.compareTo(node.key);
    if (order < 0) {
      var left = remove(node.left, key);
      return left == node.left ? node : balance(node, left, node.right);
    }
    if (order > 0) {
      var right = remove(node.right, key);
      return right == node.right ? node : balance(node, node.left, right);
    }
    if (node.left == null) {
      return node.right;
    }
    if (node.right == null) {
      return node.left;
    }
    return balance(first(node.right), node.left, withoutFirst(node.right));
  }

  private static <K, V> Node<K, V> first(Node<K, V> node) {
    var first = node;
    while (first.left != null) {
      first = first.left;
    }
    return first;
  }

  private static <K, V> @Nullable Node<K, V> withoutFirst(Node<K, V> node) {
    return node.left == null ? node.right : balance(node, withoutFirst(node.left), node.right);
  }

  /// A node with the key and value of `node` over two sides that differ by at most one change.
  private static <K, V> Node<K, V> balance(
      Node<K, V> node, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
    if (right != null && weight(right) > DELTA * weight(left)) {
      return leanLeft(node, left, right);
    }
    if (left != null && weight(left) > DELTA * weight(right)) {
      return leanRight(node, left, right);
    }
    return new Node<>(node.key, node.value, left, right);
  }

  private static <K, V> Node<K, V> leanLeft(
      Node<K, V> node, @Nullable Node<K, V> left, Node<K, V> right) {
    var inner = right.left;
    if (inner == null || weight(inner) < RATIO * weight(right.right)) {
      return right.over(node.over(left, inner), right.right);
    }
    return inner.over(node.over(left, inner.left), right.over(inner.right, right.right));
  }

  private static <K, V> Node<K, V> leanRight(
      Node<K, V> node, Node<K, V> left, @Nullable Node<K, V> right) {
    var inner = left.right;
    if (inner == null || weight(inner) < RATIO * weight(left.left)) {
      return left.over(left.left, node.over(inner, right));
    }
    return inner.over(left.over(left.left, inner.left), node.over(inner.right, right));
  }

  private static int weight(@Nullable Node<?, ?> node) {
    return size(node) + 1;
  }

  /// A key with its value, and the tree below.
  static final class Node<K, V> {
    private final K key;
    private final V value;
    private final @Nullable Node<K, V> left;
    private final @Nullable Node<K, V> right;
    private final int size;

    private Node(K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
      this.key = key;
      this.value = value;
      this.left = left;
      this.right = right;
      this.size = PersistentMap.size(left) + PersistentMap.size(right) + 1;
    }

    K key() {
      return key;
    }

    V value() {
      return value;
    }

    private Node<K, V> over(@Nullable Node<K, V> newLeft, @Nullable Node<K, V> newRight) {
      return new Node<>(key, value, newLeft, newRight);
    }
  }

  /// `path` holds the nodes still to be visited, the next one last.
  private static final class Walk<K, V> implements Iterator<Node<K, V>> {
    final List<Node<K, V>> path = new ArrayList<>();

    void descend(@Nullable Node<K, V> from) {
      for (var node = from; node != null; node = node.left) {
        path.add(node);
      }
    }

    @Override
    public boolean hasNext() {
      return !path.isEmpty();
    }

    @Override
    public Node<K, V> next() {
      if (path.isEmpty()) {
        throw new NoSuchElementException();
      }
      var node = path.removeLast();
      descend(node.right);
      return node;
    }
  }
}
