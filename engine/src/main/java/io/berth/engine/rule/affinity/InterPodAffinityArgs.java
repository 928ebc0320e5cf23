package io.berth.engine.rule.affinity;

import io.berth.engine.rule.Args;

/// The arguments of InterPodAffinity.
///
/// Mirrors: apis/config/validation.ValidateInterPodAffinityArgs
public record InterPodAffinityArgs(
    int hardPodAffinityWeight, boolean ignorePreferredTermsOfExistingPods) {

  public static InterPodAffinityArgs read(Args args) {
    int weight = args.integer("hardPodAffinityWeight", 1);
    args.check(
        weight >= 0 && weight <= 100,
        "hardPodAffinityWeight",
        weight,
        "not in valid range [0, 100]");
    return new InterPodAffinityArgs(weight, args.flag("ignorePreferredTermsOfExistingPods"));
  }
}
