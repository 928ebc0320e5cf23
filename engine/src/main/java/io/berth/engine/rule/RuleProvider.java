package io.berth.engine.rule;

import io.berth.api.Tree;

/// Makes a rule that is not Kubernetes' own; found by [java.util.ServiceLoader] in jars that are
/// handed to a scheduler.
public interface RuleProvider {

  /// By which a configuration enables the rule and gives it arguments; the rule has it too.
  String name();

  /// The rule of one profile. `args` is what its `pluginConfig` holds for the rule, empty when
  /// there is none; arguments that are wrong are an [IllegalArgumentException] that says why.
  Rule rule(Tree args);
}
