package io.berth.engine.decide;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.OwnedTerm;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.image.ImageLocality;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a view took for granted when it was made: which terms of others mean the shape, what its
/// services select, where its images are, which topologies nodes share.
///
/// Asked before every decision, so each premise has a counter that says whether to look at all.
final class ViewPremises {

  private final Shape shape;
  private final ClusterModel cluster;
  private final GroupKeys keys;
  private final long generation;
  private long ownedChanges;
  private List<OwnedTerm> met;
  private int ownerChanges;
  private final @Nullable Object defaultSelector;
  private final List<String> images;
  private final long imageFingerprint;

  ViewPremises(Shape shape, ViewScores scores, GroupKeys keys, ClusterModel cluster) {
    this.shape = shape;
    this.cluster = cluster;
    this.keys = keys;
    this.images = scores.images();
    this.imageFingerprint = ImageLocality.fingerprint(images, cluster);
    this.generation = cluster.terms().generation();
    this.ownedChanges = cluster.terms().ownedChanges();
    this.met = cluster.terms().meeting(shape);
    this.ownerChanges = cluster.owners().changes();
    this.defaultSelector = cluster.owners().selectorFor(shape);
  }

  boolean hold() {
    return generation == cluster.terms().generation()
        && meetsTheSameTerms()
        && isSelectedTheSame()
        && imageFingerprint == ImageLocality.fingerprint(images, cluster)
        && keys.topologiesAreCurrent();
  }

  private boolean meetsTheSameTerms() {
    var terms = cluster.terms();
    if (ownedChanges == terms.ownedChanges()) {
      return true;
    }
    ownedChanges = terms.ownedChanges();
    var now = terms.meeting(shape);
    boolean same = now.equals(met);
    met = now;
    return same;
  }

  private boolean isSelectedTheSame() {
    var owners = cluster.owners();
    if (ownerChanges == owners.changes()) {
      return true;
    }
    ownerChanges = owners.changes();
    return Objects.equals(defaultSelector, owners.selectorFor(shape));
  }
}
