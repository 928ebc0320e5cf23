package io.berth.cli;

import io.berth.api.FeatureGates;
import io.berth.api.Tree;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What `up`, `down` and `status` need: clusters of this machine, each in a folder of its own.
public interface LocalCluster {

  /// Starts a cluster in this process. A start that cannot succeed is a [UserError].
  Running start(Options options);

  /// Starts a cluster in a process of its own, and returns when it is ready.
  Tree startDetached(Options options);

  /// What runs in this folder, or `null`: `pid`, `server`, `kubeconfig`, `data`, `started`.
  @Nullable Tree find(Path folder);

  /// Stops what runs in this folder and waits for its end; `false` when nothing does.
  boolean stop(Path folder);

  /// The folder that is used when the user names none.
  Path defaultFolder(boolean inMemory);

  /// How a cluster is started.
  record Options(
      Path folder,
      boolean inMemory,
      String address,
      Port port,
      Path kubeconfig,
      boolean apiOnly,
      Simulation simulation,
      SchedulerSettings scheduler,
      AdmissionOptions admission,
      Port workloadsPort,
      CredentialFiles credentials,
      FeatureGates gates) {}

  /// Credentials that come from elsewhere: bearer tokens, the certificate of the server with its
  /// key, and an authority whose clients are let in beside our own.
  record CredentialFiles(
      @Nullable Path tokens,
      @Nullable Path certificate,
      @Nullable Path key,
      @Nullable Path clientAuthority) {

    public static final CredentialFiles NONE = new CredentialFiles(null, null, null, null);
  }

  /// Which admission plugins are on beside or without the default ones, and whether requests go on
  /// without webhooks that nobody answers for.
  record AdmissionOptions(
      List<String> enabledPlugins, List<String> disabledPlugins, boolean skipsUnreachable) {

    public static final AdmissionOptions DEFAULT =
        new AdmissionOptions(List.of(), List.of(), false);
  }

  /// What is simulated. `nodes` below zero: the nodes of a first start; `fleet` describes more of
  /// them; pods of Jobs succeed after `jobsRunForSeconds`. A `bare` cluster has no classes, volumes
  /// and addresses but those that others bring.
  record Simulation(int nodes, @Nullable Path fleet, int jobsRunForSeconds, boolean bare) {

    public static final Simulation DEFAULT = new Simulation(-1, null, 10);

    public Simulation(int nodes, @Nullable Path fleet, int jobsRunForSeconds) {
      this(nodes, fleet, jobsRunForSeconds, false);
    }
  }

  /// A cluster in this process.
  interface Running extends AutoCloseable {

    /// The same facts that [LocalCluster#find] gives.
    Tree facts();

    /// Waits until somebody asks the cluster to stop.
    void awaitStop() throws InterruptedException;

    @Override
    void close();
  }
}
