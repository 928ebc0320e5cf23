package io.berth.cli;

import io.berth.cluster.Cluster;
import java.nio.file.Path;

/// How commands reach the API of a running cluster.
public interface Connections {

  /// Connects with what the kubeconfig says. One that cannot be used is a [UserError].
  Connection open(Path kubeconfig);

  /// An API for the length of one command.
  interface Connection extends AutoCloseable {

    Cluster cluster();

    @Override
    void close();
  }
}
