package io.berth.engine.decide;

import io.berth.engine.rule.GroupTest;
import io.berth.engine.rule.Verdict;

/// Asks the rules that count by domain about whole groups at once.
final class GroupFilter {

  private final GroupTest[] tests;
  private final int[] ranks;
  private final Objections objections;

  GroupFilter(ViewFilters filters, Objections objections) {
    this.tests = filters.ofGroups().tests();
    this.ranks = filters.ofGroups().ranks();
    this.objections = objections;
  }

  /// Has the rules read what holds for all groups in this decision.
  void begin() {
    for (var test : tests) {
      test.begin();
    }
  }

  /// The objection to nodes of the group by the rule that runs first.
  int objection(Group group) {
    for (int i = 0; i < tests.length; i++) {
      if (tests[i].verdict(group.key) instanceof Verdict.Unfit unfit) {
        return objections.of(ranks[i], unfit);
      }
    }
    return Objections.NONE;
  }
}
