package io.berth.kinds.admissionregistration;

import io.berth.kinds.meta.Cursor;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import io.berth.schema.policy.Result;
import java.util.HashSet;

/// Conditions in expressions that a request must meet before it is looked at.
///
/// Mirrors: admissionregistration/validation.validateMatchConditions
final class MatchConditions {

  private static final int MAX = 64;

  private MatchConditions() {}

  static void validate(Cursor conditions, boolean params) {
    conditions.atMostItems(MAX);
    var names = new HashSet<String>();
    var expressions = PolicyExpressions.single();
    var known = Names.BASIC.withParams(params).withAuthorizer();
    for (var condition : conditions.each()) {
      var source = condition.at("expression").stripped().required();
      if (source.isSet()) {
        Expressions.check(source, expressions.compile(source.text(), known, Result.BOOL));
      }
      condition
          .at("name")
          .required()
          .follows(io.berth.kinds.meta.Names::qualifiedName)
          .unique(names);
    }
  }
}
