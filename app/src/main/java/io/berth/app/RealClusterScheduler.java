package io.berth.app;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.cli.BerthVersion;
import io.berth.cli.ClusterScheduler;
import io.berth.cli.UserError;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.AccessException;
import io.berth.cluster.kubernetes.KubernetesCluster;
import java.io.UncheckedIOException;
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
          new KubernetesCluster(
              access(options),
              "berth-scheduler/" + BerthVersion.current(),
              KubernetesCluster.UNREAD);
      greet(cluster);
      return new SchedulerProcess(cluster, options, clock).start();
    } catch (AccessException e) {
      throw new UserError(String.valueOf(e.getMessage()));
    } catch (Exception e) {
      throw e instanceof UserError known ? known : new UserError("cannot start: " + e.getMessage());
    }
  }

  private static Access access(Options options) {
    var file = options.kubeconfig();
    return file == null
        ? Access.inCluster(System.getenv())
        : Access.kubeconfig(file, options.context());
  }

  // A wrong address or password is told at once, in one line, not in the log of every watch.
  private static void greet(KubernetesCluster cluster) {
    try {
      cluster.fetch(Resource.NAMESPACES, "", "kube-system");
    } catch (ApiException e) {
      if (e.code() == 401 || e.code() == 403) {
        throw new UserError("the cluster refuses us: " + e.getMessage());
      }
    } catch (UncheckedIOException e) {
      throw new UserError(String.valueOf(e.getMessage()));
    }
  }
}
