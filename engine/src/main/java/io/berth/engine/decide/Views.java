package io.berth.engine.decide;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.Profile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final boolean labelsMatter;
  private final List<Kept> kept = new ArrayList<>();
  private final Map<ViewKey, Kept> byKey = new HashMap<>();
  private long keyAdditions;
  private long clock;

  /// With `labelsMatter`, rules may read any label, and shapes with different ones share no view.
  Views(ClusterModel cluster, TieBreak tieBreak, boolean labelsMatter) {
    this.cluster = cluster;
    this.tieBreak = tieBreak;
    this.labelsMatter = labelsMatter;
  }

  /// A view with what is needed to rank its groups.
  static final class Kept implements Shape.Memo {

    final View view;
    final Ranking ranking;
    private final @Nullable ViewKey key;
    private boolean dropped;
    private long lastUse;

    Kept(View view, Ranking ranking, @Nullable ViewKey key) {
      this.view = view;
      this.ranking = ranking;
      this.key = key;
    }
  }

  /// The view of a shape as of now, or `null` if the profile's rules cannot be kept as a view.
  @Nullable Kept upToDate(Shape shape, Profile profile) {
    dropWhenKeysAreNew();
    if (shape.memo() instanceof Kept known && !known.dropped) {
      if (isCurrent(known)) {
        return known;
      }
    }
    var key = labelsMatter ? null : ViewKey.of(shape, cluster.selectedKeys());
    var shared = key == null ? null : byKey.get(key);
    if (shared != null && isCurrent(shared)) {
      shape.remember(shared);
      return shared;
    }
    return make(shape, profile, key);
  }

  private boolean isCurrent(Kept known) {
    if (known.view.catchUp()) {
      known.lastUse = ++clock;
      return true;
    }
    drop(known);
    return false;
  }

  // Shapes that shared a view may differ in a label that a new selector looks at.
  private void dropWhenKeysAreNew() {
    long additions = cluster.selectedKeys().additions();
    if (additions != keyAdditions) {
      keyAdditions = additions;
      if (!labelsMatter) {
        List.copyOf(kept).forEach(this::drop);
      }
    }
  }

  private @Nullable Kept make(Shape shape, Profile profile, @Nullable ViewKey key) {
    var rules = rules(shape, profile);
    if (rules == null || !rules.isViewable()) {
      return null;
    }
    var view = new View(rules, profile, cluster, tieBreak);
    var made = new Kept(view, new Ranking(view, tieBreak), key);
    made.lastUse = ++clock;
    makeRoom();
    shape.remember(made);
    kept.add(made);
    if (key != null) {
      byKey.put(key, made);
    }
    return made;
  }

  // A rule that fails may not be the first to have its say.
  private @Nullable ViewRules rules(Shape shape, Profile profile) {
    try {
      return new ViewRules(shape, profile, cluster);
    } catch (CycleException _) {
      return null;
    }
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

  // Shapes keep pointing at a dropped view; it says of itself that it is one.
  private void drop(Kept view) {
    view.dropped = true;
    kept.remove(view);
    if (view.key != null) {
      byKey.remove(view.key, view);
    }
  }
}
