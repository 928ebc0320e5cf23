package io.berth.engine.rule;

import io.berth.api.Pod;
import io.berth.engine.VolumeReservation;
import io.berth.engine.model.ClusterModel;
import java.time.Duration;

/// What a rule can do in addition: take what a decided pod needs before it is bound, so that no
/// other pod gets it.
public interface Reserving {

  /// Reserves in the cluster what the pod gets on the node; a node that is unknown is an
  /// [IllegalArgumentException].
  VolumeReservation reserve(Pod pod, String node, ClusterModel cluster);

  /// How long what was reserved may take to be there.
  Duration patience();
}
