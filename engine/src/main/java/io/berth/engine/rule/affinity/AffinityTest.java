package io.berth.engine.rule.affinity;

import io.berth.engine.model.DomainCounts;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// Required affinity and anti-affinity of a shape against the present counts.
final class AffinityTest extends AffinityVerdict implements NodeTest {

  private int node;
  private int affinityTrial;
  private final int[] antiTrial;
  private final Map<Topology, Integer> existingTrial = new LinkedHashMap<>();

  AffinityTest(AffinityTerms terms) {
    super(terms);
    this.antiTrial = new int[terms.antiAffinity().length];
  }

  @Override
  public Verdict verdict(int asked) {
    node = asked;
    return verdict();
  }

  @Override
  int near(int i) {
    var counts = terms.affinity()[i];
    return counts.topology().domainOf(node) == Topology.NONE
        ? MISSING
        : counts.at(node) + affinityTrial;
  }

  @Override
  boolean isFirst() {
    if (!terms.matchesItself()) {
      return false;
    }
    for (var counts : terms.affinity()) {
      boolean here = counts.topology().domainOf(node) != Topology.NONE;
      if (counts.carriers() + (here ? affinityTrial : 0) > 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  boolean avoidsSomebody() {
    DomainCounts[] counts = terms.antiAffinity();
    for (int i = 0; i < counts.length; i++) {
      boolean here = counts[i].topology().domainOf(node) != Topology.NONE;
      if (here && counts[i].at(node) + antiTrial[i] > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  boolean isShunned() {
    if (existingTrial.isEmpty()) {
      for (var term : terms.existing()) {
        if (term.counts().at(node) > 0) {
          return true;
        }
      }
      return false;
    }
    var sums = new LinkedHashMap<>(existingTrial);
    for (var term : terms.existing()) {
      sums.merge(term.counts().topology(), term.counts().at(node), Integer::sum);
    }
    for (var sum : sums.entrySet()) {
      if (sum.getKey().domainOf(node) != Topology.NONE && sum.getValue() > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void pretend(Shape pod, int node, int sign) {
    if (terms.wants(pod)) {
      affinityTrial += sign;
    }
    for (int i = 0; i < antiTrial.length; i++) {
      if (terms.avoids(i, pod)) {
        antiTrial[i] += sign;
      }
    }
    for (var topology : terms.shunnedBy(pod)) {
      existingTrial.merge(topology, sign, Integer::sum);
    }
  }

  @Override
  public void endTrial() {
    affinityTrial = 0;
    Arrays.fill(antiTrial, 0);
    existingTrial.clear();
  }
}
