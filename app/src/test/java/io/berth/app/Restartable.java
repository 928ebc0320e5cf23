package io.berth.app;

import io.berth.cluster.Cluster;

/// A cluster whose history an [Invariants] reads, and that can be stopped and started again.
interface Restartable extends AutoCloseable {

  Cluster client();

  /// Stops everything wherever it is, and starts it again on the same data.
  void restart() throws Exception;

  /// Has the checker read what can be read of what has happened so far.
  void read() throws InterruptedException;

  @Override
  void close();
}
