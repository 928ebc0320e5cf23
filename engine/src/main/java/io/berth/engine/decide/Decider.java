package io.berth.engine.decide;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Examination;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.rule.Profiles;

/// One decision: bring the shape's view up to date, then take the best of the nodes that fit.
///
/// Pure: the answer depends on the pod and the model alone. Acting on it is the caller's part.
public final class Decider {

  private final ClusterModel cluster;
  private final Profiles profiles;
  private final TieBreak tieBreak;

  public Decider(ClusterModel cluster, Profiles profiles, long seed) {
    this.cluster = cluster;
    this.profiles = profiles;
    this.tieBreak = new TieBreak(cluster.nodes(), seed);
  }

  public Decision decide(Pod pod) {
    return examine(pod).decision();
  }

  public Examination examine(Pod pod) {
    var shape = cluster.shapeOf(pod);
    var profile = profiles.of(pod.spec().schedulerName());
    return new Examiner(pod, shape, profile, cluster, tieBreak).examine();
  }
}
