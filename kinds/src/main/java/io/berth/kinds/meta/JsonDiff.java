package io.berth.kinds.meta;

import io.berth.api.FieldError;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What changed between two objects, as a unified diff of their JSON with three lines of context.
public final class JsonDiff {

  private static final int CONTEXT = 3;

  private JsonDiff() {}

  public static String between(@Nullable Object before, @Nullable Object after) {
    var a = lines(before);
    var b = lines(inOrderOf(before, after));
    var edits = edits(a, b);
    var text = new StringBuilder();
    for (int start = nextChange(edits, 0); start < edits.size(); ) {
      int end = endOfHunk(edits, start);
      hunk(edits, Math.max(0, start - CONTEXT), Math.min(edits.size(), end + CONTEXT), text);
      start = nextChange(edits, end);
    }
    return text.toString();
  }

  /// The same value with its fields in the order of another one: order means nothing in JSON, and a
  /// field that merely moved is no change.
  private static @Nullable Object inOrderOf(@Nullable Object model, @Nullable Object value) {
    if (model instanceof Tree first && value instanceof Tree second) {
      var ordered = new Tree();
      for (var name : first.names()) {
        if (second.has(name)) {
          ordered.put(name, inOrderOf(first.get(name), second.get(name)));
        }
      }
      second.fields().forEach(ordered::putIfAbsent);
      return ordered;
    }
    if (model instanceof List<?> first && value instanceof List<?> second) {
      var ordered = new ArrayList<@Nullable Object>();
      for (int i = 0; i < second.size(); i++) {
        ordered.add(inOrderOf(i < first.size() ? first.get(i) : null, second.get(i)));
      }
      return ordered;
    }
    return value;
  }

  /// A line of either text: `' '` in both, `'-'` only before, `'+'` only after.
  private record Edit(char kind, String line, int before, int after) {}

  private static List<Edit> edits(List<String> a, List<String> b) {
    var common = new int[a.size() + 1][b.size() + 1];
    for (int i = a.size() - 1; i >= 0; i--) {
      for (int j = b.size() - 1; j >= 0; j--) {
        common[i][j] =
            a.get(i).equals(b.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    var edits = new ArrayList<Edit>();
    int i = 0;
    int j = 0;
    while (i < a.size() || j < b.size()) {
      if (i < a.size() && j < b.size() && a.get(i).equals(b.get(j))) {
        edits.add(new Edit(' ', a.get(i), i++, j++));
      } else if (i < a.size() && (j == b.size() || common[i + 1][j] >= common[i][j + 1])) {
        edits.add(new Edit('-', a.get(i), i++, j));
      } else {
        edits.add(new Edit('+', b.get(j), i, j++));
      }
    }
    return edits;
  }

  private static int nextChange(List<Edit> edits, int from) {
    int at = from;
    while (at < edits.size() && edits.get(at).kind() == ' ') {
      at++;
    }
    return at;
  }

  // Changes closer than two contexts share a hunk.
  private static int endOfHunk(List<Edit> edits, int start) {
    int end = start;
    for (int at = start; at < edits.size() && at - end <= 2 * CONTEXT; at++) {
      if (edits.get(at).kind() != ' ') {
        end = at + 1;
      }
    }
    return end;
  }

  private static void hunk(List<Edit> edits, int from, int to, StringBuilder text) {
    int removed = 0;
    int added = 0;
    for (var edit : edits.subList(from, to)) {
      removed += edit.kind() == '+' ? 0 : 1;
      added += edit.kind() == '-' ? 0 : 1;
    }
    var first = edits.get(from);
    text.append(
        "@@ -%s +%s @@\n".formatted(range(first.before(), removed), range(first.after(), added)));
    for (var edit : edits.subList(from, to)) {
      text.append(edit.kind()).append(edit.line()).append('\n');
    }
  }

  private static String range(int start, int length) {
    return length == 1
        ? String.valueOf(start + 1)
        : (length == 0 ? start : start + 1) + "," + length;
  }

  private static List<String> lines(@Nullable Object value) {
    var text = new StringBuilder();
    append(value, "", text);
    return List.of(text.toString().split("\n", -1));
  }

  private static void append(@Nullable Object value, String indent, StringBuilder text) {
    switch (value) {
      case Tree tree when !tree.isEmpty() -> appendObject(tree.fields(), indent, text);
      case List<?> list when !list.isEmpty() -> {
        text.append("[\n");
        for (int i = 0; i < list.size(); i++) {
          text.append(indent).append(' ');
          append(list.get(i), indent + " ", text);
          text.append(i < list.size() - 1 ? ",\n" : "\n");
        }
        text.append(indent).append(']');
      }
      case null, default -> text.append(FieldError.rendered(value));
    }
  }

  private static void appendObject(
      Map<String, @Nullable Object> fields, String indent, StringBuilder text) {
    text.append("{\n");
    int left = fields.size();
    for (var field : fields.entrySet()) {
      text.append(indent).append(" \"").append(field.getKey()).append("\": ");
      append(field.getValue(), indent + " ", text);
      text.append(--left > 0 ? ",\n" : "\n");
    }
    text.append(indent).append('}');
  }
}
