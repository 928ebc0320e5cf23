package io.berth.cluster.kubernetes;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The connections that speak HTTP/2: one, and another when the server allows no more requests on
/// it, up to a few.
final class Multiplexed implements AutoCloseable {

  private static final int MAX_CONNECTIONS = 4;
  private static final String HTTP2 = "h2";
  private static final String HTTP1 = "http/1.1";

  private final Access access;
  private final Http2Connection.Head head;
  private final Consumer<Connection> others;
  private final List<Http2Connection> open = new CopyOnWriteArrayList<>();
  private final ReentrantLock opening = new ReentrantLock();
  private volatile boolean spoken;
  private volatile boolean closed;
  private final AtomicInteger openings = new AtomicInteger();
  private @Nullable IOException failure;

  /// `others` is handed a connection whose server has chosen HTTP/1.1.
  Multiplexed(Access access, Http2Connection.Head head, Consumer<Connection> others) {
    this.access = access;
    this.head = head;
    this.others = others;
    // Without TLS nobody can be asked what they speak.
    this.spoken = access.sockets() != null;
  }

  /// A connection with room for a request, opened if need be; `null` when the server does not speak
  /// HTTP/2, or has no room on any.
  @Nullable Http2Connection connection() throws IOException {
    if (!spoken) {
      return null;
    }
    int seen = openings.get();
    var found = find();
    if (found != null) {
      return found;
    }
    opening.lock();
    try {
      found = find();
      if (found != null || !spoken || open.size() >= MAX_CONNECTIONS) {
        return found;
      }
      // Who waited while somebody else failed would fail as well, a time limit later.
      if (openings.get() != seen && failure != null) {
        throw new IOException(failure.getMessage(), failure);
      }
      return open();
    } finally {
      opening.unlock();
    }
  }

  private @Nullable Http2Connection find() {
    for (var connection : open) {
      if (connection.hasRoom()) {
        return connection;
      }
    }
    open.removeIf(Http2Connection::isDraining);
    return null;
  }

  private @Nullable Http2Connection open() throws IOException {
    try {
      failure = null;
      var connection = Connection.open(access, HttpClient.CONNECT, HTTP2, HTTP1);
      if (!connection.protocol().equals(HTTP2)) {
        spoken = false;
        others.accept(connection);
        return null;
      }
      var http2 = Http2Connection.on(connection, head);
      open.add(http2);
      if (closed) {
        http2.drain();
      }
      return http2;
    } catch (IOException e) {
      failure = e;
      throw e;
    } finally {
      openings.incrementAndGet();
    }
  }

  /// Calls under way get their answers.
  @Override
  public void close() {
    closed = true;
    open.forEach(Http2Connection::drain);
  }
}
