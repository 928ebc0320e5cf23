package io.berth.engine.decide;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Profile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The views of shapes that were asked about lately.
///
/// Together they take at most a third of the heap, and there are at most [#MAX_VIEWS]; beyond that
/// the view longest unused goes. Decisions do not depend on it, only what they cost.
final class Views {

  static final int MAX_VIEWS = 4_096;
  private static final int BYTES_PER_NODE = 40;

  private final long maxNodes = Runtime.getRuntime().maxMemory() / 3 / BYTES_PER_NODE;

  private final ClusterModel cluster;
  private final TieBreak tieBreak;
  private final List<Kept> kept = new ArrayList<>();
  private long clock;

  Views(ClusterModel cluster, TieBreak tieBreak) {
    this.cluster = cluster;
    this.tieBreak = tieBreak;
  }

  /// A view with what is needed to rank its groups.
  static final class Kept {

    final Shape shape;
    final Profile profile;
    final View view;
    final Ranking ranking;
    long lastUse;

    Kept(Shape shape, Profile profile, View view, Ranking ranking) {
      this.shape = shape;
      this.profile = profile;
      this.view = view;
      this.ranking = ranking;
    }
  }

  /// The view of a shape as of now, or `null` if the profile's rules cannot be kept as a view.
  @Nullable Kept upToDate(Shape shape, Profile profile) {
    if (shape.memo instanceof Kept known) {
      if (known.profile.equals(profile) && known.view.catchUp()) {
        known.lastUse = ++clock;
        return known;
      }
      drop(known);
    }
    var rules = new ViewRules(shape, profile, cluster);
    if (!rules.isViewable()) {
      return null;
    }
    var view = new View(rules, cluster, tieBreak);
    var made = new Kept(shape, profile, view, new Ranking(view, tieBreak));
    made.lastUse = ++clock;
    makeRoom();
    shape.memo = made;
    kept.add(made);
    return made;
  }

  private void makeRoom() {
    long most = Math.clamp(maxNodes / Math.max(1, cluster.nodes().capacity()), 4, MAX_VIEWS);
    while (kept.size() >= most) {
      var oldest = kept.get(0);
      for (var each : kept) {
        oldest = each.lastUse < oldest.lastUse ? each : oldest;
      }
      drop(oldest);
    }
  }

  private void drop(Kept view) {
    view.shape.memo = null;
    kept.remove(view);
  }
}
