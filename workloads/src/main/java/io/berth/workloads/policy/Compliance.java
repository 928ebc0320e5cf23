package io.berth.workloads.policy;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Applies a policy to what a user submits: fills in the defaults and lists every violation.
///
/// The document is the workload's `spec`; where roles have specs of their own it is an object of
/// them by role, as policies write them: `worker`, `master`.
public final class Compliance {

  private final EffectivePolicy policy;
  private final Tree document;
  private final List<Issue> issues = new ArrayList<>();

  private Compliance(EffectivePolicy policy, Tree document) {
    this.policy = policy;
    this.document = document;
  }

  /// What comes out: the document with all defaults, and the violations, none if it complies.
  public record Result(Tree document, List<Issue> issues) {}

  public static Result apply(EffectivePolicy policy, Tree submitted) {
    var compliance = new Compliance(policy, submitted.copy());
    var fields = policy.fields().all();
    fields.forEach(compliance::fill);
    fields.forEach(compliance::derive);
    fields.forEach(compliance::judge);
    return new Result(compliance.document, List.copyOf(compliance.issues));
  }

  /// Items that a document names twice, each as `FIELD: "NAME"`. They are merged with a policy's by
  /// name: of two with one name, one would go unseen.
  public static List<String> repeated(EffectivePolicy policy, Tree submitted) {
    var repeated = new ArrayList<String>();
    for (var field : policy.fields().all()) {
      if (field.kind() == Kind.ITEMS && field.in(submitted) instanceof List<?> items) {
        var names = new HashSet<String>();
        for (var item : items) {
          var name = item instanceof Tree tree ? tree.get(field.key()) : null;
          if (name != null && !names.add(name.toString())) {
            repeated.add("%s: \"%s\"".formatted(field.path(), name));
          }
        }
      }
    }
    return repeated;
  }

  private void fill(PolicyField field) {
    if (field.kind() == Kind.ITEMS) {
      var items = new Items(field, policy.rulesOf(field), policy.defaultOf(field), issues);
      var filled = items.apply(field.in(document));
      if (filled != null) {
        field.put(document, filled);
      }
      return;
    }
    var rules = policy.rulesOf(field);
    var preset = policy.defaultOf(field);
    var given = field.in(document);
    if (given == null) {
      if (preset != null) {
        field.put(document, Tree.copyOf(preset));
      }
      return;
    }
    if (rules.flag("blocked")) {
      issues.add(Issue.blocked(field.path()));
    }
    if (Boolean.FALSE.equals(rules.get("canEdit")) && !Values.same(field.kind(), given, preset)) {
      issues.add(Issue.canEdit(field.path()));
    } else if ("and".equals(rules.text("merge")) && preset instanceof Tree both) {
      field.put(document, joined(both, (Tree) given));
    }
  }

  /// Every term of the policy with every term of the user: a node must satisfy one of each.
  private static Tree joined(Tree policy, Tree user) {
    if (Values.same(policy, user)) {
      return user;
    }
    var terms = new ArrayList<Tree>();
    for (var ours : policy.trees("nodeSelectorTerms")) {
      for (var theirs : user.trees("nodeSelectorTerms")) {
        var term = ours.copy();
        theirs
            .fields()
            .forEach((name, value) -> {
              if (value instanceof List<?> more) {
                more.forEach(each -> term.childList(name).add(Tree.copyOf(each)));
              }
            });
        terms.add(term);
      }
    }
    return Tree.of("nodeSelectorTerms", terms);
  }

  /// A value that follows from another field: `defaultFrom`.
  private void derive(PolicyField field) {
    var from = policy.rulesOf(field).tree("defaultFrom");
    if (from == null || field.kind() == Kind.ITEMS || field.in(document) != null) {
      return;
    }
    var name = from.textOrEmpty("field");
    var source =
        document.at(
            (field.parent().isEmpty() ? name : field.parent() + "." + name).split("\\.", -1));
    var value = DefaultFrom.value(field.kind(), from, source);
    if (value != null) {
      field.put(document, value);
    }
  }

  private void judge(PolicyField field) {
    if (field.kind() != Kind.ITEMS) {
      @Nullable Object value = field.in(document);
      issues.addAll(ValueRules.issues(field.path(), field.kind(), policy.rulesOf(field), value));
    }
  }
}
