package io.berth.answers.lint;

import java.util.List;

/// All rules, in the order in which documents list them.
final class LintRules {

  static final List<LintRule> ALL =
      List.of(
          new MatchesNever(),
          new ContradictsItself(),
          new EmptyTerm(),
          new NoInteger(),
          new OpenAlternatives(),
          new SelectsNothing(),
          new MissingTopologyKey(),
          new TooFewDomains(),
          new StuckRollout(),
          new AffinityCycle(),
          new SpreadWithoutItself(),
          new IdleToleration(),
          new IdlePreference());

  private LintRules() {}
}
