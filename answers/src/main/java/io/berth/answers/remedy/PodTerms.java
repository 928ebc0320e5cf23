package io.berth.answers.remedy;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// A required term about other pods may be dropped, only preferred, or ask for less of them.
final class PodTerms {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private PodTerms() {}

  static List<Family> find(Question question) {
    var remedies = new ArrayList<Remedy>();
    for (var kind : Kind.values()) {
      var terms = terms(question.spec(), kind);
      for (int i = 0; i < terms.size(); i++) {
        remedies.add(new Prefer(kind, i));
        remedies.add(new Drop(kind, i));
        if (kind == Kind.AFFINITY) {
          addClauses(i, terms.get(i).treeOrEmpty("labelSelector"), remedies);
        }
      }
    }
    return remedies.stream().map(each -> Family.of(List.of(each))).toList();
  }

  // Fewer clauses mean more pods: company for affinity, and more to avoid for the opposite.
  private static void addClauses(int term, Tree selector, List<Remedy> remedies) {
    selector
        .texts("matchLabels")
        .forEach((key, value) -> remedies.add(new DropLabel(term, key, value)));
    var clauses = selector.trees("matchExpressions");
    for (int i = 0; i < clauses.size(); i++) {
      remedies.add(new DropExpression(term, i, clauses.get(i).textOrEmpty("key")));
    }
  }

  private static List<Tree> terms(Tree spec, Kind kind) {
    return spec.trees("affinity", kind.field, REQUIRED);
  }

  /// Near or far.
  enum Kind {
    AFFINITY("podAffinity", "pod affinity"),
    ANTI_AFFINITY("podAntiAffinity", "pod anti-affinity");

    final String field;
    final String words;

    Kind(String field, String words) {
      this.field = field;
      this.words = words;
    }
  }

  private static String words(Kind kind, int term) {
    return "%s term %d".formatted(kind.words, term);
  }

  /// A term becomes a preference of the highest weight.
  record Prefer(Kind kind, int term) implements Remedy.OfPod {

    @Override
    public String what() {
      return "only prefer " + words(kind, term);
    }

    @Override
    public boolean edit(Tree spec) {
      if (term >= terms(spec, kind).size()) {
        return false;
      }
      var affinity = spec.child("affinity").child(kind.field);
      var moved = affinity.childList(REQUIRED).remove(term);
      affinity.childList(PREFERRED).add(Tree.of("weight", 100L, "podAffinityTerm", moved));
      return true;
    }
  }

  /// A term goes.
  record Drop(Kind kind, int term) implements Remedy.OfPod {

    @Override
    public String what() {
      return "drop " + words(kind, term);
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public boolean edit(Tree spec) {
      if (term >= terms(spec, kind).size()) {
        return false;
      }
      spec.child("affinity").child(kind.field).childList(REQUIRED).remove(term);
      return true;
    }
  }

  /// Company need not have this label.
  record DropLabel(int term, String key, String value) implements Remedy.OfPod {

    @Override
    public String what() {
      return "drop %s=%s from %s".formatted(key, value, words(Kind.AFFINITY, term));
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public boolean edit(Tree spec) {
      var terms = terms(spec, Kind.AFFINITY);
      return term < terms.size()
          && terms.get(term).child("labelSelector").child("matchLabels").remove(key) != null;
    }
  }

  /// Company need not meet this expression.
  record DropExpression(int term, int index, String key) implements Remedy.OfPod {

    @Override
    public String what() {
      return "drop the expression on %s from %s".formatted(key, words(Kind.AFFINITY, term));
    }

    @Override
    public int loss() {
      return 1;
    }

    @Override
    public boolean edit(Tree spec) {
      var terms = terms(spec, Kind.AFFINITY);
      if (term >= terms.size()) {
        return false;
      }
      var clauses = terms.get(term).child("labelSelector").childList("matchExpressions");
      if (index >= clauses.size()) {
        return false;
      }
      clauses.remove(index);
      return true;
    }
  }
}
