package io.berth.cluster.kubernetes;

/// A kubeconfig or an environment that gives no access to a cluster; the message says what to
/// change.
public final class AccessException extends RuntimeException {

  private static final long serialVersionUID = 1;

  AccessException(String message) {
    super(message);
  }
}
