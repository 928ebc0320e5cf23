package io.berth.app;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.cli.BerthVersion;
import io.berth.cli.UserError;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.AccessException;
import io.berth.cluster.kubernetes.KubernetesCluster;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Connects to a cluster that Berth does not run itself.
final class RealCluster {

  private RealCluster() {}

  /// `kubeconfig` is `null` for the access of a pod in the cluster; `unread` are fields nobody
  /// looks at.
  static KubernetesCluster connect(
      @Nullable Path kubeconfig, String context, String component, Set<String> unread) {
    try {
      var access =
          kubeconfig == null
              ? Access.inCluster(System.getenv())
              : Access.kubeconfig(kubeconfig, context);
      var cluster = new KubernetesCluster(access, component + "/" + BerthVersion.current(), unread);
      greet(cluster);
      return cluster;
    } catch (AccessException e) {
      throw new UserError(String.valueOf(e.getMessage()));
    }
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
