package io.berth.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.frames.Frame;
import org.eclipse.jetty.io.Connection;
import org.jspecify.annotations.Nullable;

/// Ends the connections of clients that take too long to say what they want: in the handshake, in
/// the head of a request, or in its body; and answers that they do not take.
///
/// The library ends connections on which nothing moves. One byte now and then keeps them open for
/// good, so this looks at how long the same piece has been on its way.
final class SlowClients implements Connection.Listener, HTTP2Session.FrameListener {

  private final long headNanos;
  private final long bodyNanos;
  private final long answerNanos;
  private final Map<Connection, Client> clients = new ConcurrentHashMap<>();
  private final Map<Piece, Connection> bodies = new ConcurrentHashMap<>();
  private final Set<Sending> answers = ConcurrentHashMap.newKeySet();

  SlowClients(Duration head, Duration body, Duration answer) {
    this.headNanos = head.toNanos();
    this.bodyNanos = body.toNanos();
    this.answerNanos = answer.toNanos();
  }

  @Override
  public void onOpened(Connection connection) {
    long now = System.nanoTime();
    clients.put(
        connection, connection instanceof HTTP2Connection ? new Framed(now) : new Plain(now));
  }

  @Override
  public void onClosed(Connection connection) {
    clients.remove(connection);
  }

  /// A head has arrived; what comes now is no head until [#served].
  void serving(Connection connection) {
    var client = clients.get(connection);
    if (client != null) {
      client.serving();
    }
  }

  void served(Connection connection) {
    var client = clients.get(connection);
    if (client != null) {
      client.served(connection.getBytesIn());
    }
  }

  /// Frames of a head are told with its last one; so this hears of whole heads alone.
  @Override
  public void onIncomingFrame(Session session, Frame frame) {
    var connection = ((HTTP2Session) session).getEndPoint().getConnection();
    if (clients.get(connection) instanceof Framed framed) {
      framed.bytesFramed = connection.getBytesIn();
    }
  }

  /// A body is read until the answer is closed.
  Piece reading(Connection connection) {
    var piece = new Piece(System.nanoTime());
    bodies.put(piece, connection);
    return piece;
  }

  /// This thread is going to write an answer, piece by piece.
  Sending sending() {
    return new Sending(Thread.currentThread());
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
    answers.forEach(sending -> sending.cutIfLate(now));
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

  /// An answer on its way; each of its pieces has its time. The thread that writes one for too long
  /// is interrupted: that ends one answer, where other streams of its connection may be fine.
  final class Sending {

    private final Thread writer;
    // Guarded by this.
    private long since;
    private boolean cut;

    private Sending(Thread writer) {
      this.writer = writer;
    }

    void begin() {
      synchronized (this) {
        since = System.nanoTime();
      }
      answers.add(this);
    }

    void end() {
      synchronized (this) {
        answers.remove(this);
        if (cut) {
          boolean _ = Thread.interrupted();
        }
      }
    }

    private synchronized void cutIfLate(long now) {
      if (!cut && answers.contains(this) && now - since > answerNanos) {
        cut = true;
        writer.interrupt();
      }
    }
  }

  private interface Client {

    void serving();

    void served(long bytes);

    boolean isLate(long bytes, long now);
  }

  /// One request after the other.
  private final class Plain implements Client {

    private volatile boolean serving;
    private volatile long bytesServed = Long.MIN_VALUE;
    // Used by sweeps alone; null between requests, where silence is for the library to end.
    private @Nullable Long waitingSince;

    private Plain(long opened) {
      waitingSince = opened;
    }

    @Override
    public void serving() {
      serving = true;
    }

    @Override
    public void served(long bytes) {
      bytesServed = bytes;
      serving = false;
    }

    @Override
    public boolean isLate(long bytes, long now) {
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

  /// Many requests at a time: what is late is a first request, or the end of a frame or a head.
  private final class Framed implements Client {

    private final long opened;
    private volatile boolean asked;
    private volatile long bytesFramed;
    // Used by sweeps alone.
    private long bytesSeen;
    private long waitingSince;

    private Framed(long opened) {
      this.opened = opened;
    }

    @Override
    public void serving() {
      asked = true;
    }

    @Override
    public void served(long bytes) {}

    @Override
    public boolean isLate(long bytes, long now) {
      if (!asked) {
        return now - opened > headNanos;
      }
      if (bytes == bytesFramed || bytesSeen != bytesFramed) {
        bytesSeen = bytesFramed;
        waitingSince = now;
      }
      return now - waitingSince > headNanos;
    }
  }
}
