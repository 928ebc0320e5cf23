package io.berth.engine.decide;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Examination;
import io.berth.engine.Explanation;
import io.berth.engine.Extension;
import io.berth.engine.Scored;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.CycleException;
import io.berth.engine.rule.Profile;
import io.berth.engine.rule.Profiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// One decision: bring the shape's view up to date, then take the best of the nodes that fit.
///
/// Pure: the answer depends on the pod and the model alone. Acting on it is the caller's part.
public final class Decider {

  private final ClusterModel cluster;
  private final NodeTable nodes;
  private final Profiles profiles;
  private final TieBreak tieBreak;
  private final Views views;

  /// `labelsMatter` when some rule is not Kubernetes' own and may read any label of a pod.
  public Decider(ClusterModel cluster, Profiles profiles, long seed, boolean labelsMatter) {
    this.cluster = cluster;
    this.nodes = cluster.nodes();
    this.profiles = profiles;
    this.tieBreak = new TieBreak(nodes, seed);
    this.views = new Views(cluster, tieBreak, labelsMatter);
  }

  public Decision decide(Pod pod) {
    try {
      if (nodes.count() == 0) {
        return new Decision.Unschedulable(Message.NO_NODES, Set.of(), null);
      }
      var shape = cluster.shapeOf(pod);
      var profile = profileOf(pod);
      var kept = views.upToDate(shape, profile);
      return kept == null ? examine(pod).decision() : decide(pod, shape, profile, kept);
    } catch (CycleException e) {
      return new Decision.Failed(e.getMessage());
    } catch (RuntimeException e) {
      return new Decision.Failed("a rule broke: " + e);
    }
  }

  private Decision decide(Pod pod, Shape shape, Profile profile, Views.Kept kept) {
    int nominated = nodes.find(pod.status().nominatedNodeName());
    boolean awaited = !cluster.nominations().isEmpty();
    if (nominated < 0 && !awaited) {
      int best = kept.ranking.best();
      if (best != Ranking.NONE) {
        return new Decision.Placed(nodes.name(best), kept.ranking.feasible());
      }
    }
    var cycle = new Cycle(pod, shape, profile, cluster);
    if (nominated >= 0 && cycle.objection(nominated) == null) {
      return new Decision.Placed(nodes.name(nominated), 1);
    }
    var crowd = new Crowd(kept, cycle, cluster);
    try {
      crowd.stepAside();
      int best = kept.ranking.best();
      if (best != Ranking.NONE) {
        return new Decision.Placed(nodes.name(best), kept.ranking.feasible());
      }
      return new Refusal(pod, profile, kept, cycle, crowd, cluster).decision();
    } finally {
      crowd.stepBack();
    }
  }

  /// The nodes that come out best for the pod, best first; none when it fits nowhere.
  public List<Scored> best(Pod pod, int count) {
    boolean promised =
        nodes.find(pod.status().nominatedNodeName()) >= 0 || !cluster.nominations().isEmpty();
    try {
      var profile = profileOf(pod);
      var kept = promised ? null : views.upToDate(cluster.shapeOf(pod), profile);
      return kept == null ? Scored.best(examine(pod), count) : best(kept.ranking, count);
    } catch (CycleException _) {
      return List.of();
    }
  }

  private List<Scored> best(Ranking ranking, int count) {
    if (ranking.best() == Ranking.NONE) {
      return List.of();
    }
    var rows = new int[count];
    var totals = new long[count];
    int found = ranking.top(rows, totals);
    var best = new ArrayList<Scored>();
    for (int i = 0; i < found; i++) {
      best.add(new Scored(nodes.name(rows[i]), totals[i]));
    }
    return best;
  }

  /// Whether the node, if there is one of this name, would take the pod. Where a rule breaks, none
  /// does: as in [#decide(Pod)] that is a failure of this pod alone.
  boolean fits(Pod pod, String name) {
    int node = nodes.find(name);
    try {
      return node >= 0 && fits(cycleOf(pod), node);
    } catch (RuntimeException e) {
      return false;
    }
  }

  private boolean fits(Cycle cycle, int node) {
    var only = cycle.only();
    return cycle.veto() == null
        && (only == null || only.contains(nodes.name(node)))
        && cycle.objection(node) == null;
  }

  /// The profile that decides about the pod.
  public Profile profileOf(Pod pod) {
    return profiles.of(pod.spec().schedulerName());
  }

  Cycle cycleOf(Pod pod) {
    return new Cycle(pod, cluster.shapeOf(pod), profileOf(pod), cluster);
  }

  /// The decision, and what stands in the pod's way on the nodes that do not take it.
  public Explanation explain(Pod pod) {
    return new Explainer(pod, cluster.shapeOf(pod), profileOf(pod), cluster).explain(decide(pod));
  }

  /// The same decision, with every rule asked about every node.
  public Examination examine(Pod pod) {
    return examine(pod, Extension.NONE);
  }

  public Examination examine(Pod pod, Extension extension) {
    return examiner(pod, extension).examine();
  }

  /// The same with the parts that raw scores are made of.
  public Examination examineWithSummands(Pod pod) {
    return examiner(pod, Extension.NONE).withSummands().examine();
  }

  private Examiner examiner(Pod pod, Extension extension) {
    return new Examiner(pod, cluster.shapeOf(pod), profileOf(pod), cluster, tieBreak, extension);
  }
}
