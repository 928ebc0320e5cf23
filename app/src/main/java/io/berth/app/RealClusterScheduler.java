package io.berth.app;

import io.berth.cli.ClusterScheduler;
import io.berth.cli.UserError;
import io.berth.cluster.kubernetes.KubernetesCluster;
import java.time.InstantSource;

/// Connects to a real cluster and schedules there.
final class RealClusterScheduler implements ClusterScheduler {

  private final InstantSource clock;

  RealClusterScheduler(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Running start(Options options) {
    try {
      var cluster =
          RealCluster.connect(
              options.kubeconfig(), options.context(), "berth-scheduler", KubernetesCluster.UNREAD);
      return new SchedulerProcess(cluster, options, clock).start();
    } catch (Exception e) {
      throw e instanceof UserError known ? known : new UserError("cannot start: " + e.getMessage());
    }
  }
}
