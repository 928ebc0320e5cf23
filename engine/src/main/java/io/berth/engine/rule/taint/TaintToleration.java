package io.berth.engine.rule.taint;

import io.berth.api.Pod;
import io.berth.api.Taint;
import io.berth.engine.Cause;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.Summand;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.Causes.Why;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Normalization;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Summands;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Set;

/// Keeps pods off nodes whose taints they do not tolerate, and away from those that would rather
/// not have them.
public final class TaintToleration implements FilterRule, ScoreRule {

  // Evicting pods does not remove a taint, so preemption is pointless here.
  static final Verdict UNTOLERATED = Verdict.unresolvable("node(s) had untolerated taint(s)");

  @Override
  public String name() {
    return "TaintToleration";
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    var known = new HashMap<List<Taint>, Why>();
    return node ->
        known.computeIfAbsent(cluster.nodes().node(node).taints(), taints -> why(shape, taints));
  }

  private Why why(Shape shape, List<Taint> taints) {
    var causes = new ArrayList<Cause>();
    for (var taint : taints) {
      if (taint.repels() && !shape.spec().tolerates(taint)) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        var shown = taint.key() + value + ":" + taint.effect();
        causes.add(Cause.ofPod(name(), "spec.tolerations", "", "taint " + shown));
      }
    }
    return new Why(causes, null);
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(Kind.NODE_ADD, Kind.NODE_UPDATE_TAINT, Kind.TARGET_POD_UPDATE_TOLERATION);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    if (event.kind() == Kind.TARGET_POD_UPDATE_TOLERATION) {
      return true;
    }
    var before = event.oldNode();
    return !pod.spec().isRepelledBy(event.node().taints())
        && (before == null || pod.spec().isRepelledBy(before.taints()));
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.NODE);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var repelling =
        new PerTaintList(cluster) {
          @Override
          int compute(List<Taint> taints) {
            return shape.spec().isRepelledBy(taints) ? 1 : 0;
          }
        };
    return node -> repelling.of(node) == 0 ? Verdict.FITS : UNTOLERATED;
  }

  @Override
  public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
    var unwelcome =
        new PerTaintList(cluster) {
          @Override
          int compute(List<Taint> taints) {
            return intolerable(shape, taints);
          }
        };
    return NodeScore.normalised(unwelcome::of, Normalization.BY_MAX_REVERSED);
  }

  @Override
  public Summands summandsFor(Shape shape, ClusterModel cluster, int[] feasible) {
    return node -> {
      var parts = new ArrayList<Summand>();
      for (var taint : cluster.nodes().node(node).taints()) {
        if (intolerable(shape, List.of(taint)) > 0) {
          parts.add(new Summand("taint " + taint.key() + ":" + taint.effect(), 1));
        }
      }
      return parts;
    };
  }

  // As in Kubernetes, a toleration of another effect does not help against PreferNoSchedule.
  private static int intolerable(Shape shape, List<Taint> taints) {
    int count = 0;
    for (var taint : taints) {
      if (taint.effect().equals(Taint.PREFER_NO_SCHEDULE) && !shape.spec().tolerates(taint)) {
        count++;
      }
    }
    return count;
  }

  /// Nodes share few distinct taint lists: asks once for each list, then looks up.
  private abstract static class PerTaintList {

    private final ClusterModel cluster;
    private int[] known = {};
    private int[] stamps = {};

    PerTaintList(ClusterModel cluster) {
      this.cluster = cluster;
    }

    abstract int compute(List<Taint> taints);

    int of(int node) {
      var nodes = cluster.nodes();
      int list = nodes.taintList(node);
      if (list >= known.length) {
        known = Arrays.copyOf(known, nodes.taintListCount());
        stamps = Arrays.copyOf(stamps, known.length);
      }
      int stamp = nodes.taintListStamp(list);
      if (stamps[list] != stamp) {
        stamps[list] = stamp;
        known[list] = compute(nodes.taints(list));
      }
      return known[list];
    }
  }
}
