package io.berth.codec;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/// On which lines of a file the fields of its objects stand, YAML or JSON.
///
/// A document is known by the line it begins on, or one of the remarks before it. Made when
/// somebody has a complaint, not before: it holds the whole file once more.
public final class FieldLines {

  private static final int MAX_DEPTH = 200;

  private final NavigableMap<Integer, Node> documents = new TreeMap<>();

  private FieldLines() {}

  /// Of a text that is known to be readable; one that is not has no lines but the first.
  public static FieldLines of(String text) {
    var lines = new FieldLines();
    try {
      for (var document : loader().composeAll(new StringReader(Tabs.toSpaces(text)))) {
        lines.documents.put(line(document), document);
        if (find(document, "items") instanceof Entry(_, SequenceNode items)) {
          items.getValue().forEach(item -> lines.documents.putIfAbsent(line(item), item));
        }
      }
    } catch (YAMLException | IllegalArgumentException | IndexOutOfBoundsException e) {
      // Whoever read the text has said what is wrong with it.
      return lines;
    }
    return lines;
  }

  private static org.yaml.snakeyaml.Yaml loader() {
    var options = new LoaderOptions();
    options.setWarnOnDuplicateKeys(false);
    options.setNestingDepthLimit(MAX_DEPTH);
    options.setCodePointLimit(Integer.MAX_VALUE);
    return new org.yaml.snakeyaml.Yaml(options);
  }

  /// The line of a field of the document that begins on this line, or of what would hold the field.
  ///
  /// `path` is as Kubernetes writes it: `spec.containers[0].resources.requests[cpu]`.
  public int lineOf(int documentLine, String path) {
    var document = documents.ceilingEntry(documentLine);
    int line = document == null ? documentLine : document.getKey();
    var node = document == null ? null : document.getValue();
    for (var step : steps(path)) {
      var entry = node == null ? null : find(node, step);
      if (entry == null) {
        return line;
      }
      line = entry.line;
      node = entry.value;
    }
    return line;
  }

  /// `a.b[0].c[x.y/z]` is a, b, 0, c, x.y/z.
  private static List<String> steps(String path) {
    var steps = new ArrayList<String>();
    int start = 0;
    boolean inside = false;
    for (int i = 0; i <= path.length(); i++) {
      char c = i == path.length() ? '.' : path.charAt(i);
      boolean ends = inside ? c == ']' || i == path.length() : c == '.' || c == '[';
      if (ends) {
        if (i > start) {
          steps.add(path.substring(start, i));
        }
        start = i + 1;
        inside = c == '[';
      }
    }
    return steps;
  }

  private static @Nullable Entry find(Node node, String step) {
    if (node instanceof SequenceNode sequence) {
      var index = index(step);
      return index < 0 || index >= sequence.getValue().size()
          ? null
          : new Entry(line(sequence.getValue().get(index)), sequence.getValue().get(index));
    }
    if (node instanceof MappingNode mapping) {
      for (var tuple : mapping.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().equals(step)) {
          return new Entry(line(key), tuple.getValueNode());
        }
      }
    }
    return null;
  }

  private static int index(String step) {
    try {
      return Integer.parseInt(step);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static int line(Node node) {
    return node.getStartMark().getLine() + 1;
  }

  private record Entry(int line, Node value) {}
}
