package io.berth.codec;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/// Where the parts of a document stand in its file.
public final class YamlPlaces {

  private final Node root;

  YamlPlaces(Node root) {
    this.root = root;
  }

  /// Line and column, from 1.
  public record Place(int line, int column) {}

  /// Where a path of field names and indexes leads: to the name of a field, or to an element. A
  /// path that goes on beyond what is there leads to the last part that is.
  public Place find(List<?> path) {
    var node = root;
    var mark = root.getStartMark();
    for (var step : path) {
      var next = next(node, step);
      if (next == null) {
        break;
      }
      mark = next.mark;
      node = next.value;
    }
    return new Place(mark.getLine() + 1, mark.getColumn() + 1);
  }

  private static @Nullable Step next(Node node, Object step) {
    if (node instanceof MappingNode mapping) {
      for (var tuple : mapping.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().equals(step)) {
          return new Step(key.getStartMark(), tuple.getValueNode());
        }
      }
    } else if (node instanceof SequenceNode sequence
        && step instanceof Integer index
        && index < sequence.getValue().size()) {
      var element = sequence.getValue().get(index);
      return new Step(element.getStartMark(), element);
    }
    return null;
  }

  private record Step(Mark mark, Node value) {}
}
