package io.berth.engine.rule;

import java.util.Set;

/// A part of a scheduling decision, named like the Kubernetes plugin it stands for.
public sealed interface Rule permits FilterRule, ScoreRule {

  String name();

  /// What can change the answer. The engine asks again about a node only after such a change.
  default Set<Watch> watches() {
    return Set.of(Watch.CLUSTER);
  }
}
