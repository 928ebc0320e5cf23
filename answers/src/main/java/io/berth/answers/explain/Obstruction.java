package io.berth.answers.explain;

import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One reason of one rule, and the nodes it holds for: they share rule, reason, field, source and
/// blame.
///
/// @param field where the demand is written in the object of its source; `""` if nobody can say
/// @param source one of `pod`, `profile`, `default`, `policy`, `pool`, with its name
/// @param why both sides' values, in words
/// @param first on how many of the nodes it is the first objection
/// @param blame pods whose removal silences the rule there, none of which can be left out
/// @param shortage where something is short: by how much, on the node that is nearest to it
public record Obstruction(
    String rule,
    String reason,
    String field,
    Source source,
    String why,
    List<String> nodes,
    int first,
    List<String> blame,
    @Nullable Shortage shortage) {

  public Obstruction {
    nodes = List.copyOf(nodes);
    blame = List.copyOf(blame);
  }

  Obstruction on(String node) {
    return new Obstruction(
        rule, reason, field, source, why, List.of(node), Math.min(1, first), blame, shortage);
  }

  /// Whose demand it is.
  public record Source(String kind, String name) {

    Tree toTree() {
      return Tree.of(kind, name);
    }
  }

  /// The amounts as Kubernetes writes them.
  public record Shortage(String resource, String asked, long freeUnits, String free, String node) {

    Tree toTree() {
      return Tree.of("resource", resource, "asked", asked, "mostFree", free, "node", node);
    }
  }

  public Tree toTree() {
    var tree = Tree.of("rule", rule, "reason", reason);
    if (!field.isEmpty()) {
      tree.put("field", field);
    }
    if (shortage != null) {
      tree.put("shortage", shortage.toTree());
    }
    return tree.put("source", source.toTree())
        .put("why", why)
        .put("nodes", nodes)
        .put("first", first)
        .put("blame", blame);
  }
}
