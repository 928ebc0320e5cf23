package io.berth.server;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.server.request.RequestInfo;
import java.util.concurrent.Semaphore;

/// Requests in flight, in lanes that do not hinder one another: a flood of lists must not stop
/// heartbeats. A full lane refuses with 429 and says when to come back.
final class Lanes {

  /// Kubernetes names its flow schema and priority level in every answer; these are ours.
  static final String FLOW_SCHEMA = "5f0b3f5e-64a4-4d38-8d53-0f3c8f1c2a01";

  static final String PRIORITY_LEVEL = "5f0b3f5e-64a4-4d38-8d53-0f3c8f1c2a02";

  private final Semaphore reads = new Semaphore(Limits.READS);
  private final Semaphore writes = new Semaphore(Limits.WRITES);
  private final Semaphore heartbeats = new Semaphore(Limits.HEARTBEATS);

  Place enter(RequestInfo info) {
    var lane = lane(info);
    if (!lane.tryAcquire()) {
      throw new ApiException(
          429,
          "TooManyRequests",
          "Too many requests, please try again later.",
          Tree.of("retryAfterSeconds", 1));
    }
    return lane::release;
  }

  private Semaphore lane(RequestInfo info) {
    boolean heartbeat =
        info.resource().equals("leases")
            || (info.resource().equals("nodes") && info.subresource().equals("status"));
    if (heartbeat) {
      return heartbeats;
    }
    return switch (info.verb()) {
      case "create", "update", "patch", "delete", "deletecollection" -> writes;
      default -> reads;
    };
  }

  /// A place in a lane; left when closed.
  interface Place extends AutoCloseable {

    @Override
    void close();
  }
}
