package io.berth.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What `berth workloads` needs: the workload API for a cluster somewhere else.
public interface ClusterWorkloads {

  /// Connects and starts. A start that cannot succeed is a [UserError].
  Running start(Options options);

  /// Where credentials are kept unless somebody says otherwise.
  Path defaultFolder();

  /// How to reach the cluster, and where to serve.
  ///
  /// @param kubeconfig `null` for the access of a pod in the cluster
  record Options(
      @Nullable Path kubeconfig, String context, Path folder, String address, Port port) {}

  /// A workload API in this process.
  interface Running extends AutoCloseable {

    String url();

    /// Waits until somebody asks it to stop.
    void awaitStop() throws InterruptedException;

    @Override
    void close();
  }
}
