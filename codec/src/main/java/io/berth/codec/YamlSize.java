package io.berth.codec;

import java.util.IdentityHashMap;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/// How large a YAML document becomes when every alias is replaced by what it stands for, found out
/// without doing so: each node is counted once.
///
/// Refuses, as Kubernetes' YAML library does, documents that consist of aliases for the most part,
/// and keys that are not scalars (whose comparison would follow the aliases, too).
final class YamlSize {

  private static final long UNSUSPECTED = 1000;
  private static final double SMALL = 400_000;
  private static final double LARGE = 4_000_000;
  private static final double MOST_IN_SMALL = 0.99;
  private static final double MOST_IN_LARGE = 0.10;
  private static final long OPEN = -1;

  private final IdentityHashMap<Node, Long> sizes = new IdentityHashMap<>();

  private YamlSize() {}

  static void check(Node root) {
    var document = new YamlSize();
    double expanded = document.size(root);
    double aliased = expanded - document.sizes.size();
    if (expanded > UNSUSPECTED && aliased / expanded > mostAliases(expanded)) {
      throw new SyntaxException("document contains excessive aliasing", 1, 1);
    }
  }

  private static double mostAliases(double expanded) {
    double part = Math.clamp((expanded - SMALL) / (LARGE - SMALL), 0, 1);
    return MOST_IN_SMALL - part * (MOST_IN_SMALL - MOST_IN_LARGE);
  }

  private long size(Node node) {
    var known = sizes.putIfAbsent(node, OPEN);
    if (known != null) {
      if (known == OPEN) {
        throw error("anchor value contains itself", node.getStartMark());
      }
      return known;
    }
    long size = 1;
    if (node instanceof SequenceNode sequence) {
      for (var element : sequence.getValue()) {
        size = sum(size, size(element));
      }
    } else if (node instanceof MappingNode mapping) {
      for (var tuple : mapping.getValue()) {
        if (!(tuple.getKeyNode() instanceof ScalarNode)) {
          throw error("invalid map key", tuple.getKeyNode().getStartMark());
        }
        size = sum(size, sum(size(tuple.getKeyNode()), size(tuple.getValueNode())));
      }
    }
    sizes.put(node, size);
    return size;
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private static SyntaxException error(String problem, Mark at) {
    return new SyntaxException(problem, at.getLine() + 1, at.getColumn() + 1);
  }
}
