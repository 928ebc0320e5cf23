package io.berth.cli;

import java.nio.file.Path;

/// What `berth console` needs: consoles of clusters, and a browser to show them in.
public interface Consoles {

  /// The address of the cluster's own console, with a code in it that signs in once, within a
  /// minute, as who the kubeconfig says. A [UserError] where there is none.
  String invitation(Path kubeconfig);

  /// Serves a console on loopback over the cluster of a kubeconfig, with the rights of its user.
  Running serve(Path kubeconfig, boolean readOnly);

  /// A console in this process.
  interface Running extends AutoCloseable {

    /// Its address, with a code in it that signs in once, within a minute.
    String invitation();

    /// Waits until somebody asks it to stop.
    void awaitStop() throws InterruptedException;

    @Override
    void close();
  }

  /// Shows an address in the user's browser; `false` if none was found.
  boolean show(String address);
}
