package io.berth.app;

import io.berth.answers.live.LiveCluster;
import io.berth.api.Tree;
import io.berth.cli.ClusterWorkloads;
import io.berth.cli.UserError;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.identity.Authority;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/// The workload API for a real cluster: the layer of `berth up`, with a connection below it.
final class RealClusterWorkloads implements ClusterWorkloads {

  @Override
  public Path defaultFolder() {
    return EmbeddedCluster.home().resolve("workloads");
  }

  @Override
  public Running start(Options options) {
    try {
      var folder =
          RunFolder.lock(
              options.folder(), "stop that instance, or choose another folder with --data");
      try {
        return new Serving(options, folder);
      } catch (Exception e) {
        folder.close();
        throw e;
      }
    } catch (Exception e) {
      throw e instanceof UserError known ? known : new UserError("cannot start: " + e.getMessage());
    }
  }

  private static final class Serving implements Running {

    private final RunFolder folder;
    private final KubernetesCluster cluster;
    private final Spectator spectator;
    private final WorkloadLayer layer;
    private final Renewals renewals;
    private final String url;
    private final CountDownLatch stop = new CountDownLatch(1);

    Serving(Options options, RunFolder folder) throws Exception {
      this.folder = folder;
      this.cluster =
          RealCluster.connect(
              options.kubeconfig(), options.context(), "berth-workloads", Set.of("managedFields"));
      this.spectator = new Spectator(cluster);
      this.layer =
          new WorkloadLayer(
              cluster,
              new LiveCluster(spectator),
              Authority.open(options.folder().resolve("pki")),
              options.folder(),
              options.address(),
              options.port(),
              EmbeddedCluster.hosts(options.address()),
              new Memory(Budget.ofHeap()),
              new WorkloadAudit(options.folder().resolve(WorkloadLayer.AUDIT)));
      this.url = "https://%s:%d".formatted(EmbeddedCluster.host(options.address()), layer.port());
      try {
        layer.awaitStarted();
      } catch (Exception e) {
        layer.close();
        spectator.close();
        cluster.close();
        throw e;
      }
      this.renewals = new Renewals(InstantSource.system(), List.of(layer::renew));
      folder.publish(
          Tree.of(
              "pid",
              ProcessHandle.current().pid(),
              "workloads",
              url,
              "components",
              "workload API",
              "started",
              Instant.now().toString()));
    }

    @Override
    public String url() {
      return url;
    }

    @Override
    public void awaitStop() throws InterruptedException {
      Interruption.stopsBy(stop::countDown);
      stop.await();
    }

    @Override
    public void close() {
      renewals.close();
      layer.close();
      spectator.close();
      cluster.close();
      try {
        folder.close();
      } catch (IOException e) {
        throw new UserError("cannot leave the folder: " + e.getMessage());
      }
    }
  }
}
