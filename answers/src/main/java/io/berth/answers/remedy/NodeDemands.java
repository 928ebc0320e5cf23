package io.berth.answers.remedy;

import io.berth.api.Requirement;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// What the pod demands of a node's labels and name may be dropped, widened, or only preferred.
final class NodeDemands {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  /// Beyond, a value more is nobody's idea of a small change.
  private static final int MAX_VALUES = 20;

  private NodeDemands() {}

  static List<Family> find(Question question) {
    var remedies = new ArrayList<Remedy>();
    var spec = question.spec();
    spec.texts("nodeSelector")
        .forEach((key, value) -> {
          remedies.add(new PreferLabel(key, value));
          remedies.add(new DropLabel(key, value));
        });
    var terms = terms(spec);
    if (!terms.isEmpty()) {
      remedies.add(new PreferTerms());
      remedies.add(new DropTerms());
    }
    for (int i = 0; i < terms.size(); i++) {
      for (var list : List.of("matchExpressions", "matchFields")) {
        var clauses = terms.get(i).trees(list);
        for (int j = 0; j < clauses.size(); j++) {
          var clause = Requirement.of(clauses.get(j));
          if (clauses.size() > 1 || terms.get(i).names().size() > 1) {
            remedies.add(new DropExpression(i, list, j, shown(clause)));
          }
          if (list.equals("matchExpressions")) {
            widen(i, j, clause, question, remedies);
          }
        }
      }
    }
    return remedies.stream().map(each -> Family.of(List.of(each))).toList();
  }

  private static void widen(
      int term, int index, Requirement clause, Question question, List<Remedy> remedies) {
    var values = new TreeSet<String>();
    for (var node : question.nodes().values()) {
      var value = node.labels().get(clause.key());
      if (value != null && !clause.matches(value) && values.size() < MAX_VALUES) {
        values.add(value);
      }
    }
    if (clause.operator().equals("In")) {
      values.forEach(value -> remedies.add(new AllowValue(term, index, clause.key(), value, true)));
    } else if (clause.operator().equals("NotIn") && clause.values().size() > 1) {
      values.forEach(
          value -> remedies.add(new AllowValue(term, index, clause.key(), value, false)));
    }
  }

  private static String shown(Requirement clause) {
    return clause.values().isEmpty()
        ? clause.key() + " " + clause.operator()
        : "%s %s (%s)"
            .formatted(clause.key(), clause.operator(), String.join(", ", clause.values()));
  }

  private static List<Tree> terms(Tree spec) {
    return spec.trees("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms");
  }

  private static void prefer(Tree spec, Tree preference) {
    spec.child("affinity")
        .child("nodeAffinity")
        .childList(PREFERRED)
        .add(Tree.of("weight", 100L, "preference", preference));
  }

  /// A label of `nodeSelector` becomes a preference.
  record PreferLabel(String key, String value) implements Remedy.OfPod {

    @Override
    public String what() {
      return "only prefer " + key + "=" + value;
    }

    @Override
    public boolean edit(Tree spec) {
      if (!new DropLabel(key, value).edit(spec)) {
        return false;
      }
      var clause = Tree.of("key", key, "operator", "In", "values", List.of(value));
      prefer(spec, Tree.of("matchExpressions", List.of(clause)));
      return true;
    }
  }

  /// A label of `nodeSelector` is no longer demanded.
  record DropLabel(String key, String value) implements Remedy.OfPod {

    @Override
    public String what() {
      return "drop node selector " + key + "=" + value;
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public boolean edit(Tree spec) {
      var selector = spec.tree("nodeSelector");
      if (selector == null || !value.equals(selector.text(key))) {
        return false;
      }
      selector.remove(key);
      if (selector.isEmpty()) {
        spec.remove("nodeSelector");
      }
      return true;
    }
  }

  /// Required node affinity becomes preferred.
  record PreferTerms() implements Remedy.OfPod {

    @Override
    public String what() {
      return "only prefer nodes of its node affinity";
    }

    @Override
    public boolean edit(Tree spec) {
      var terms = terms(spec);
      if (!new DropTerms().edit(spec)) {
        return false;
      }
      for (var term : terms) {
        if (!term.trees("matchExpressions").isEmpty() || !term.trees("matchFields").isEmpty()) {
          prefer(spec, term);
        }
      }
      return true;
    }
  }

  /// Required node affinity goes.
  record DropTerms() implements Remedy.OfPod {

    @Override
    public String what() {
      return "drop required node affinity";
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public boolean edit(Tree spec) {
      var affinity = spec.tree("affinity", "nodeAffinity");
      return affinity != null && affinity.remove(REQUIRED) != null;
    }
  }

  /// One of several clauses of a term goes.
  record DropExpression(int term, String list, int index, String shown) implements Remedy.OfPod {

    @Override
    public String what() {
      return "drop node affinity " + shown;
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public boolean edit(Tree spec) {
      var terms = terms(spec);
      if (term >= terms.size() || index >= terms.get(term).list(list).size()) {
        return false;
      }
      var clauses = terms.get(term).childList(list);
      clauses.remove(index);
      if (clauses.isEmpty()) {
        terms.get(term).remove(list);
      }
      return true;
    }
  }

  /// A clause takes nodes with one value more.
  record AllowValue(int term, int index, String key, String value, boolean listed)
      implements Remedy.OfPod {

    @Override
    public String what() {
      return "also allow nodes with " + key + "=" + value;
    }

    @Override
    public boolean edit(Tree spec) {
      var terms = terms(spec);
      if (term >= terms.size() || index >= terms.get(term).trees("matchExpressions").size()) {
        return false;
      }
      var values = terms.get(term).trees("matchExpressions").get(index).childList("values");
      return listed ? values.add(value) : values.remove(value);
    }
  }
}
