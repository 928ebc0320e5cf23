package io.berth.engine.rule;

/// What can change a rule's answer about a node.
public enum Watch {
  /// The node object: labels, taints, allocatable resources, images.
  NODE,
  /// The pods on the node: what they take, their ports and volumes.
  PODS_ON_NODE,
  /// Anything else. The rule is asked about every node at every decision.
  CLUSTER
}
