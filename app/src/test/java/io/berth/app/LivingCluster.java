package io.berth.app;

import io.berth.admission.AdmissionChain;
import io.berth.api.Resource;
import io.berth.cli.LocalCluster.Simulation;
import io.berth.cli.SchedulerSettings;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// A whole cluster on a data folder in this process, closed and opened again in between.
final class LivingCluster implements Restartable {

  static final List<Resource> READ =
      List.of(
          Resource.PODS,
          Resource.NODES,
          Resource.DEPLOYMENTS,
          Resource.REPLICA_SETS,
          Resource.STATEFUL_SETS,
          Resource.JOBS,
          Resource.POD_DISRUPTION_BUDGETS);

  private final Path folder;
  private final int nodeCount;
  private final Invariants invariants;
  private final Authority authority = Authority.open(null);
  private GatedStore store;
  private ApiServer server;
  private Components components;
  private WatchLog log;
  private InProcessCluster client;

  LivingCluster(Path folder, int nodeCount, Invariants invariants) throws Exception {
    this.folder = folder;
    this.nodeCount = nodeCount;
    this.invariants = invariants;
    start();
  }

  private void start() throws Exception {
    var settings = Settings.of(new Codec(Json::write, Json::readLenient));
    store = new GatedStore(Store.open(folder, settings).store());
    log = new WatchLog(store, READ, store.revision(), invariants::read);
    server =
        new ApiServer(
            store, authority, AdmissionChain.of(List.of(), List.of()), ServerSettings.plain());
    components =
        new Components(
            server.registry(),
            authority,
            new Simulation(nodeCount, null, 1),
            SchedulerSettings.DEFAULT);
    client = new InProcessCluster(server.registry(), "turmoil", InstantSource.system());
  }

  @Override
  public void restart() throws Exception {
    store.shut();
    components.close();
    read();
    var read = log.upTo();
    log.close();
    server.close();
    store.close();
    start();
    // Heartbeats and events may still have been on their way to the disk; nothing may be lost.
    if (log.startedAt() < read) {
      throw new IllegalStateException(
          "closed at revision %d, opened at %d".formatted(read, log.startedAt()));
    }
  }

  @Override
  public void read() throws InterruptedException {
    log.readTo(store.revision());
  }

  @Override
  public InProcessCluster client() {
    return client;
  }

  @Override
  public void close() {
    components.close();
    log.close();
    server.close();
    store.close();
  }
}
