package io.berth.engine.decide;

import io.berth.engine.model.NodeTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Orders nodes that score alike: by a number made from the seed and the node's name, lowest first.
///
/// So a tie falls to the same node whatever order nodes came in, and to another with another seed.
final class TieBreak {

  private final NodeTable nodes;
  private final long seed;
  private long[] keys = {};
  private @Nullable String[] named = {};

  TieBreak(NodeTable nodes, long seed) {
    this.nodes = nodes;
    this.seed = seed;
  }

  // Indexes are used again for other nodes: the name's identity tells.
  @SuppressWarnings("ReferenceEquality")
  long key(int node) {
    if (node >= keys.length) {
      keys = Arrays.copyOf(keys, nodes.capacity());
      named = Arrays.copyOf(named, keys.length);
    }
    var name = nodes.name(node);
    if (named[node] != name) {
      named[node] = name;
      keys[node] = compute(name);
    }
    return keys[node];
  }

  private long compute(String name) {
    long hash = seed ^ 0x9E3779B97F4A7C15L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0xBF58476D1CE4E5B9L;
      hash ^= hash >>> 29;
    }
    hash *= 0x94D049BB133111EBL;
    return hash ^ (hash >>> 31);
  }
}
