package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import io.berth.schema.policy.Result;
import java.util.HashSet;
import java.util.List;

/// Conditions in expressions that a request must meet before it is looked at.
final class MatchConditions {

  private static final int MAX = 64;

  private MatchConditions() {}

  static void validate(List<Tree> conditions, boolean params, FieldPath path, FieldErrors errors) {
    if (conditions.size() > MAX) {
      errors.tooMany(path, conditions.size(), MAX);
    }
    var names = new HashSet<String>();
    var expressions = PolicyExpressions.single();
    for (int i = 0; i < conditions.size(); i++) {
      var condition = conditions.get(i);
      var at = path.index(i);
      var source = condition.textOrEmpty("expression").strip();
      if (Checks.required(at.child("expression"), source, errors)) {
        var known = Names.BASIC.withParams(params).withAuthorizer();
        Expressions.check(
            expressions.compile(source, known, Result.BOOL), at.child("expression"), errors);
      }
      var name = condition.textOrEmpty("name");
      if (Checks.required(at.child("name"), name, errors)) {
        Checks.qualifiedName(at.child("name"), name, errors);
        if (!names.add(name)) {
          errors.duplicate(at.child("name"), name);
        }
      }
    }
  }
}
