package io.berth.testing;

import io.berth.api.Tree;
import io.berth.cluster.Cluster.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Label and field selectors of lists and watches: `key=value`, `key!=value`, `key`, `!key`.
record Query(List<Clause> labels, List<Clause> fields) {

  static Query of(Selection selection) {
    return new Query(parse(selection.labelSelector()), parse(selection.fieldSelector()));
  }

  boolean matches(Tree object) {
    var values = object.texts("metadata", "labels");
    for (var clause : labels) {
      if (!clause.accepts(values.get(clause.key))) {
        return false;
      }
    }
    for (var clause : fields) {
      var value = object.textOrEmpty(clause.key.split("\\.", -1));
      if (!clause.accepts(value)) {
        return false;
      }
    }
    return true;
  }

  private static List<Clause> parse(String text) {
    var clauses = new ArrayList<Clause>();
    if (text.isEmpty()) {
      return clauses;
    }
    for (var part : text.split(",", -1)) {
      if (part.contains("!=")) {
        var sides = part.split("!=", 2);
        clauses.add(new Clause(sides[0], sides[1], true));
      } else if (part.contains("=")) {
        var sides = part.split("==?", 2);
        clauses.add(new Clause(sides[0], sides[1], false));
      } else if (part.contains(" ")) {
        throw new UnsupportedOperationException("the fake cluster does not select by " + part);
      } else {
        clauses.add(new Clause(part.replace("!", ""), null, part.startsWith("!")));
      }
    }
    return clauses;
  }

  /// Without a value the clause asks whether the key is there.
  record Clause(String key, @Nullable String value, boolean negated) {

    boolean accepts(@Nullable String actual) {
      var equal = value == null ? actual != null : Objects.equals(value, actual);
      return equal != negated;
    }
  }
}
