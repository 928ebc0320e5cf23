package io.berth.app;

import io.berth.cluster.Cluster;
import io.berth.cluster.kubernetes.Access;
import io.berth.cluster.kubernetes.KubernetesCluster;
import io.berth.codec.Json;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.nio.file.Path;
import java.util.Set;

/// `berth up` in a process of its own that is killed instead of stopped.
///
/// The checker reads the history from the data folder while nobody runs: all that has happened
/// since the last time, up to the last write that reached the disk. History must be kept longer
/// than one process lives.
final class KilledCluster implements Restartable {

  private final Path folder;
  private final int nodeCount;
  private final Invariants invariants;
  private ClusterProcess process;
  private KubernetesCluster client;
  private long readUpTo = 1; // A store begins with this revision, and nothing in it.

  KilledCluster(Path folder, int nodeCount, Invariants invariants) throws Exception {
    this.folder = folder;
    this.nodeCount = nodeCount;
    this.invariants = invariants;
    this.process = start();
    this.client = connect();
  }

  private ClusterProcess start() throws Exception {
    return ClusterProcess.start(
        folder,
        "--data",
        folder.resolve("data").toString(),
        "--nodes",
        Integer.toString(nodeCount),
        "--jobs-run-for",
        "1",
        "--workloads-port",
        "0");
  }

  private KubernetesCluster connect() {
    return new KubernetesCluster(Access.kubeconfig(process.kubeconfig(), ""), "turmoil", Set.of());
  }

  @Override
  public Cluster client() {
    return client;
  }

  @Override
  public void restart() throws Exception {
    client.close();
    process.kill();
    readHistory();
    process = start();
    client = connect();
  }

  /// What happens now is read after the next kill.
  @Override
  public void read() {}

  private void readHistory() throws InterruptedException {
    var settings = Settings.of(new Codec(Json::write, Json::readLenient));
    try (var store = Store.open(folder.resolve("data").resolve("store"), settings).store();
        var log = new WatchLog(store, LivingCluster.READ, readUpTo, invariants::read)) {
      log.readTo(store.revision());
      readUpTo = store.revision();
    }
  }

  /// Kills the process for the last time, and has the rest read.
  void end() throws InterruptedException {
    client.close();
    process.kill();
    readHistory();
  }

  @Override
  public void close() {
    client.close();
    process.close();
  }
}
