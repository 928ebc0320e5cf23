package io.berth.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What `berth scheduler` needs: a scheduler for a cluster somewhere else.
public interface ClusterScheduler {

  /// Connects and starts. A start that cannot succeed is a [UserError].
  Running start(Options options);

  /// What happens with decisions.
  enum Mode {
    /// Pods are bound.
    BIND,
    /// Decisions are printed, nothing is written.
    DRY_RUN,
    /// Binds of the scheduler at work are compared with ours, nothing is written.
    SHADOW
  }

  /// How to reach the cluster and what to do there.
  ///
  /// @param kubeconfig `null` for the access of a pod in the cluster
  /// @param journal the folder for the record of decisions, `null` for none
  record Options(
      @Nullable Path kubeconfig,
      String context,
      SchedulerSettings scheduler,
      Mode mode,
      String bindAddress,
      int securePort,
      @Nullable Path journal) {}

  /// A scheduler in this process.
  interface Running extends AutoCloseable {

    /// Waits until somebody asks it to stop (0), or until it has lost the lead (1).
    int awaitStop() throws InterruptedException;

    @Override
    void close();
  }
}
