package io.berth.engine.rule;

/// The arguments of DefaultPreemption: how few candidates are enough. They are checked, and then
/// nothing depends on them: all candidates are looked at.
///
/// Mirrors: apis/config/validation.ValidateDefaultPreemptionArgs
final class DefaultPreemptionArgs {

  private static final String PERCENTAGE = "minCandidateNodesPercentage";
  private static final String ABSOLUTE = "minCandidateNodesAbsolute";
  private static final String BOTH_ZERO = "cannot be zero at the same time as ";

  private DefaultPreemptionArgs() {}

  static void check(Args args) {
    int percentage = args.integer(PERCENTAGE, 10);
    int absolute = args.integer(ABSOLUTE, 100);
    args.check(
        percentage >= 0 && percentage <= 100,
        PERCENTAGE,
        percentage,
        "not in valid range [0, 100]");
    args.check(absolute >= 0, ABSOLUTE, absolute, "not in valid range [0, inf)");
    boolean some = percentage != 0 || absolute != 0;
    args.check(some, PERCENTAGE, percentage, BOTH_ZERO + ABSOLUTE);
    args.check(some, ABSOLUTE, absolute, BOTH_ZERO + PERCENTAGE);
  }
}
