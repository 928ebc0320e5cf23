package io.berth.engine.rule.affinity;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.OwnedTerm;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Premise;
import java.util.List;
import java.util.function.Predicate;

/// Terms were read with counters that still count, and the same terms of running pods mean the
/// shape.
final class AffinityPremise implements Premise {

  private final Shape shape;
  private final ClusterModel cluster;
  private final Predicate<OwnedTerm> which;
  private final long generation;
  private final List<OwnedTerm> met;
  private long ownedChanges;

  /// Of the terms of running pods, only those matter that `which` names.
  AffinityPremise(Shape shape, ClusterModel cluster, Predicate<OwnedTerm> which) {
    this.shape = shape;
    this.cluster = cluster;
    this.which = which;
    this.generation = cluster.terms().generation();
    this.ownedChanges = cluster.terms().ownedChanges();
    this.met = met();
  }

  private List<OwnedTerm> met() {
    return cluster.terms().meeting(shape).stream().filter(which).toList();
  }

  @Override
  public boolean holds() {
    var terms = cluster.terms();
    if (generation != terms.generation()) {
      return false;
    }
    if (ownedChanges == terms.ownedChanges()) {
      return true;
    }
    ownedChanges = terms.ownedChanges();
    return met().equals(met);
  }
}
