package io.berth.server;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Owner;
import io.berth.server.http.Answer;
import io.berth.server.request.RequestInfo;
import java.util.Map;

/// Requests in flight, in lanes that do not hinder one another: a flood of lists must not stop
/// heartbeats. A lane that is full, or too full of requests of one owner, refuses with 429 and says
/// when to come back.
///
/// A request is in its lane while it is worked on, not while it waits for its body, for a revision
/// from the future, or for its client to take the answer.
final class Lanes {

  private final Budget reads = new Budget(Limits.READS);
  private final Budget writes = new Budget(Limits.WRITES);
  private final Budget heartbeats = new Budget(Limits.HEARTBEATS);
  private final Budget waits = new Budget(Limits.WAITS);
  private final Budget remotes = new Budget(Limits.REMOTE_CALLS);
  private final Budget streams;

  /// `most` streams are open at once.
  Lanes(int most) {
    this.streams = new Budget(most);
  }

  Place enter(RequestInfo info, Owner owner) {
    return enter(lane(info), owner);
  }

  /// A place to wait in for a revision from the future.
  Place await(Owner owner) {
    return enter(waits, owner);
  }

  /// A place to wait in for another API server.
  Place forward(Owner owner) {
    return enter(remotes, owner);
  }

  private static Place enter(Budget lane, Owner owner) {
    if (!lane.take(owner, 1)) {
      throw full();
    }
    return () -> lane.release(owner, 1);
  }

  /// The answer with its stream, if it is one, in a lane of its own for as long as it lasts.
  Answer counted(Answer answer, Owner owner) {
    return counted(streams, answer, owner);
  }

  /// The same for an answer of another API server, which takes a connection as well.
  Answer countedRemote(Answer answer, Owner owner) {
    return counted(streams, counted(remotes, answer, owner), owner);
  }

  private static Answer counted(Budget lane, Answer answer, Owner owner) {
    if (!(answer instanceof Answer.Stream stream)) {
      return answer;
    }
    enter(lane, owner).close();
    return new Answer.Stream(
        stream.code(),
        stream.headers(),
        outlet -> {
          // Whoever comes too late after all finds the stream at its end, and tries again.
          if (lane.take(owner, 1)) {
            try {
              stream.frames().writeTo(outlet);
            } finally {
              lane.release(owner, 1);
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

  Map<String, Budget> all() {
    return Map.of(
        "reads", reads,
        "writes", writes,
        "heartbeats", heartbeats,
        "waits", waits,
        "remotes", remotes,
        "streams", streams);
  }

  int streamsOpen() {
    return (int) streams.inUse();
  }

  int readsInFlight() {
    return (int) reads.inUse();
  }

  int writesInFlight() {
    return (int) writes.inUse();
  }

  private Budget lane(RequestInfo info) {
    boolean heartbeat =
        info.resource().equals("leases")
            || (info.resource().equals("nodes") && info.subresource().equals("status"));
    // Only of single objects: a list of all leases is a list.
    if (heartbeat && !info.name().isEmpty()) {
      return heartbeats;
    }
    return isWrite(info) ? writes : reads;
  }

  static boolean isWrite(RequestInfo info) {
    return switch (info.verb()) {
      case "create", "update", "patch", "delete", "deletecollection" -> true;
      default -> false;
    };
  }

  /// A place in a lane; left when closed.
  interface Place extends AutoCloseable {

    @Override
    void close();
  }
}
