package io.berth.engine.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An affinity term that running pods have, with where they run: what it means for a newcomer.
///
/// Sums are signed weights for preferred terms and numbers of owners for required ones.
public final class OwnedTerm {

  /// What the owners want of the pods in scope.
  public enum Kind {
    REQUIRED_AFFINITY,
    REQUIRED_ANTI_AFFINITY,
    PREFERRED
  }

  /// Terms with equal keys are one term.
  record Key(Kind kind, Scope scope, String topologyKey) {}

  final Key key;
  private final IntCounts perNode = new IntCounts();
  private final DomainCounts counts;
  int owners;
  int shapes;

  OwnedTerm(Key key, Topology topology) {
    this.key = key;
    this.counts = new DomainCounts(topology, perNode);
  }

  public Kind kind() {
    return key.kind();
  }

  /// Which pods the owners mean.
  public Scope scope() {
    return key.scope();
  }

  public DomainCounts counts() {
    return counts;
  }

  public int onNode(int node) {
    return perNode.get(node);
  }

  /// Whether a newcomer with these labels, in this namespace, is meant.
  boolean meets(
      String namespace, @Nullable Map<String, String> namespaceLabels, Map<String, String> labels) {
    return key.scope().selects(labels) && key.scope().covers(namespace, namespaceLabels, false);
  }

  void add(int node, int weight, int pods) {
    owners += pods;
    perNode.add(node, weight);
    counts.add(node, weight, pods);
  }
}
