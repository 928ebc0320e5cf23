package io.berth.server;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.server.http.Answer;
import io.berth.server.request.RequestInfo;
import java.util.concurrent.Semaphore;

/// Requests in flight, in lanes that do not hinder one another: a flood of lists must not stop
/// heartbeats. A full lane refuses with 429 and says when to come back.
final class Lanes {

  private final Semaphore reads = new Semaphore(Limits.READS);
  private final Semaphore writes = new Semaphore(Limits.WRITES);
  private final Semaphore heartbeats = new Semaphore(Limits.HEARTBEATS);
  private final Semaphore streams;

  private final int most;

  /// `most` streams are open at once.
  Lanes(int most) {
    this.most = most;
    this.streams = new Semaphore(most);
  }

  Place enter(RequestInfo info) {
    var lane = lane(info);
    if (!lane.tryAcquire()) {
      throw full();
    }
    return lane::release;
  }

  /// The answer with its stream, if it is one, in a lane of its own for as long as it lasts.
  Answer counted(Answer answer) {
    if (!(answer instanceof Answer.Stream stream)) {
      return answer;
    }
    if (streams.availablePermits() == 0) {
      throw full();
    }
    return new Answer.Stream(
        stream.code(),
        stream.headers(),
        outlet -> {
          // Whoever comes too late after all finds the stream at its end, and tries again.
          if (streams.tryAcquire()) {
            try {
              stream.frames().writeTo(outlet);
            } finally {
              streams.release();
            }
          }
        });
  }

  private static ApiException full() {
    return new ApiException(
        429,
        "TooManyRequests",
        "Too many requests, please try again later.",
        Tree.of("retryAfterSeconds", 1));
  }

  int streamsOpen() {
    return most - streams.availablePermits();
  }

  int readsInFlight() {
    return Limits.READS - reads.availablePermits();
  }

  int writesInFlight() {
    return Limits.WRITES - writes.availablePermits();
  }

  private Semaphore lane(RequestInfo info) {
    boolean heartbeat =
        info.resource().equals("leases")
            || (info.resource().equals("nodes") && info.subresource().equals("status"));
    // Only of single objects: a list of all leases is a list.
    if (heartbeat && !info.name().isEmpty()) {
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
