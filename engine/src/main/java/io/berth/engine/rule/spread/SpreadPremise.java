package io.berth.engine.rule.spread;

import io.berth.api.LabelSelector;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Premise;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Constraints were read with counters that still count, and with what services and controllers
/// select for the shape.
final class SpreadPremise implements Premise {

  private final Shape shape;
  private final ClusterModel cluster;
  private final long generation;
  private final @Nullable LabelSelector selector;
  private int ownerChanges;

  SpreadPremise(Shape shape, ClusterModel cluster) {
    this.shape = shape;
    this.cluster = cluster;
    this.generation = cluster.terms().generation();
    this.selector = cluster.owners().selectorFor(shape);
    this.ownerChanges = cluster.owners().changes();
  }

  @Override
  public boolean holds() {
    return generation == cluster.terms().generation() && isSelectedTheSame();
  }

  private boolean isSelectedTheSame() {
    var owners = cluster.owners();
    if (ownerChanges == owners.changes()) {
      return true;
    }
    ownerChanges = owners.changes();
    return Objects.equals(selector, owners.selectorFor(shape));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SpreadPremise premise
        && shape.equals(premise.shape)
        && cluster.equals(premise.cluster)
        && generation == premise.generation
        && Objects.equals(selector, premise.selector);
  }

  @Override
  public int hashCode() {
    return Objects.hash(shape, generation, selector);
  }
}
