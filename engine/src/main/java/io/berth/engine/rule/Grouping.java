package io.berth.engine.rule;

import io.berth.engine.model.Topology;
import java.util.List;

/// How a rule takes part in sorting nodes into groups that it cannot tell apart.
///
/// Nodes are in one group when their keys are equal. A key holds the node's domains in topologies
/// that nodes share, and numbers that rules put there: first those that depend on the node object,
/// then those that depend on its pods. Where every node is a domain of its own, a rule puts the
/// count itself into the key. An instance serves one view and may keep counts of its own.
public interface Grouping {

  /// The topologies by whose domains the rule counts.
  default List<Topology> topologies() {
    return List.of();
  }

  /// How many numbers that depend on the node object alone the rule puts into a key.
  default int nodeComponents() {
    return 0;
  }

  /// How many numbers that depend on the pods of the node the rule puts into a key.
  default int podComponents() {
    return 0;
  }

  /// Tells, before anything is read, where in a key things stand.
  void place(Places places);

  /// There will be nodes with indexes up to this.
  default void grow(int capacity) {}

  /// Reads a node that is new or has changed.
  default void readNode(int node, int[] key) {}

  /// Reads the pods of a node; follows every [#readNode].
  default void readPods(int node, int[] key) {}

  /// The node is gone.
  default void forget(int node) {}

  /// Where in a key things stand: the domain in each of the rule's topologies, or [#OWN] where
  /// every node is a domain of its own; the first of its numbers for nodes, and for pods.
  record Places(int[] domains, int node, int pods) {

    public static final int OWN = -1;
  }
}
