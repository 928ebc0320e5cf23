package io.berth.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.jspecify.annotations.Nullable;

/// Ends the connections of clients that take too long to say what they want: in the handshake, in
/// the head of a request, or in its body.
///
/// The library ends connections on which nothing moves. One byte now and then keeps them open for
/// good, so this looks at how long the same piece has been on its way.
final class SlowClients implements Connection.Listener {

  private final long headNanos;
  private final long bodyNanos;
  private final Map<Connection, Client> clients = new ConcurrentHashMap<>();
  private final Map<Piece, Connection> bodies = new ConcurrentHashMap<>();

  SlowClients(Duration head, Duration body) {
    this.headNanos = head.toNanos();
    this.bodyNanos = body.toNanos();
  }

  @Override
  public void onOpened(Connection connection) {
    clients.put(connection, new Client(System.nanoTime()));
  }

  @Override
  public void onClosed(Connection connection) {
    clients.remove(connection);
  }

  /// A head has arrived; what comes now is no head until [#served].
  void serving(Connection connection) {
    var client = clients.get(connection);
    if (client != null) {
      client.serving = true;
    }
  }

  void served(Connection connection) {
    var client = clients.get(connection);
    if (client != null) {
      client.bytesServed = connection.getBytesIn();
      client.serving = false;
    }
  }

  /// A body is read until the answer is closed.
  Piece reading(Connection connection) {
    var piece = new Piece(System.nanoTime());
    bodies.put(piece, connection);
    return piece;
  }

  /// Looks at every connection once.
  void sweep(long now) {
    clients.forEach((connection, client) -> {
      if (client.isLate(connection.getBytesIn(), now)) {
        end(connection, "the head of a request");
      }
    });
    bodies.forEach((piece, connection) -> {
      if (now - piece.since > bodyNanos) {
        end(connection, "the body of a request");
      }
    });
  }

  private static void end(Connection connection, String what) {
    connection.getEndPoint().close(new TimeoutException(what + " did not arrive in time"));
  }

  /// A body on its way.
  final class Piece implements AutoCloseable {

    private final long since;

    private Piece(long since) {
      this.since = since;
    }

    @Override
    public void close() {
      bodies.remove(this);
    }
  }

  private final class Client {

    private volatile boolean serving;
    private volatile long bytesServed = Long.MIN_VALUE;
    // Used by sweeps alone; null between requests, where silence is for the library to end.
    private @Nullable Long waitingSince;

    private Client(long opened) {
      waitingSince = opened;
    }

    private boolean isLate(long bytes, long now) {
      if (serving || bytes == bytesServed) {
        waitingSince = null;
        return false;
      }
      if (waitingSince == null) {
        waitingSince = now;
      }
      return now - waitingSince > headNanos;
    }
  }
}
