package io.berth.cluster.kubernetes;

import java.io.IOException;

/// A request that the server has certainly not looked at: it may be sent again, whatever it does.
final class NotProcessedException extends IOException {

  private static final long serialVersionUID = 1L;

  NotProcessedException(String message) {
    super(message);
  }
}
