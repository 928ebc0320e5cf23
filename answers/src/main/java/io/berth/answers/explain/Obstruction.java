package io.berth.answers.explain;

import io.berth.api.Tree;
import java.util.List;

/// One reason of one rule, and the nodes it holds for: they share rule, reason, field, source and
/// blame.
///
/// @param field where the demand is written in the object of its source; `""` if nobody can say
/// @param source one of `pod`, `profile`, `default`, `policy`, `pool`, with its name
/// @param why both sides' values, in words
/// @param first on how many of the nodes it is the first objection
/// @param blame pods whose removal silences the rule there, none of which can be left out
public record Obstruction(
    String rule,
    String reason,
    String field,
    Source source,
    String why,
    List<String> nodes,
    int first,
    List<String> blame) {

  public Obstruction {
    nodes = List.copyOf(nodes);
    blame = List.copyOf(blame);
  }

  /// Whose demand it is.
  public record Source(String kind, String name) {

    Tree toTree() {
      return Tree.of(kind, name);
    }
  }

  Tree toTree() {
    var tree = Tree.of("rule", rule, "reason", reason);
    if (!field.isEmpty()) {
      tree.put("field", field);
    }
    return tree.put("source", source.toTree())
        .put("why", why)
        .put("nodes", nodes)
        .put("first", first)
        .put("blame", blame);
  }
}
