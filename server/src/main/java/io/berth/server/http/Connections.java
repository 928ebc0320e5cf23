package io.berth.server.http;

import io.berth.server.Limits;
import io.berth.server.budget.Memory;
import io.berth.server.budget.Owner;
import io.berth.server.budget.Use;
import io.berth.server.budget.Visitor;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Connection;
import org.jspecify.annotations.Nullable;

/// The connections there are, and what goes on on each.
///
/// Those on which nobody is known, from the first byte of their handshake on, are bounded in
/// number: a new one ends the oldest. So strangers push out each other, and who comes to be known
/// before so many others have come stays. Connections of known owners are charged to them.
final class Connections implements Connection.Listener {

  /// About what TLS and HTTP/2 keep for one.
  private static final int CONNECTION_BYTES = 32 << 10;

  private final Memory memory;
  private final int mostStrange;
  private final Map<Connection, Peer> peers = new ConcurrentHashMap<>();
  // Guarded by itself; the oldest first.
  private final SequencedSet<Connection> strange = new LinkedHashSet<>();

  Connections(Memory memory, int mostStrange) {
    this.memory = memory;
    this.mostStrange = mostStrange;
  }

  @Override
  public void onOpened(Connection connection) {
    peers.put(connection, new Peer());
    Connection oldest = null;
    synchronized (strange) {
      strange.add(connection);
      if (strange.size() > mostStrange) {
        oldest = strange.removeFirst();
      }
    }
    if (oldest != null) {
      end(oldest, "newer connections need the room");
    }
  }

  @Override
  public void onClosed(Connection connection) {
    synchronized (strange) {
      strange.remove(connection);
    }
    var peer = peers.remove(connection);
    if (peer != null) {
      peer.close();
    }
  }

  /// A request begins; whether there may be one more on this connection, which may be gone.
  boolean begin(Connection connection) {
    var peer = peers.get(connection);
    return peer != null && peer.underWay.incrementAndGet() <= Limits.STREAMS_PER_CONNECTION;
  }

  /// A request is done, whether or not anybody waited for it.
  void done(Connection connection) {
    var peer = peers.get(connection);
    if (peer != null) {
      peer.underWay.decrementAndGet();
    }
  }

  /// Who was at the other end before, if anybody is known.
  @Nullable Owner owner(Connection connection) {
    var peer = peers.get(connection);
    return peer == null ? null : peer.owner;
  }

  /// Who is at the other end; the connection ends when they have too many.
  private void known(Connection connection, Owner owner) {
    var peer = peers.get(connection);
    if (peer == null || peer.owner != null) {
      return;
    }
    synchronized (strange) {
      strange.remove(connection);
    }
    if (peer.belongsTo(owner)) {
      FrameCredit.known(connection);
    } else {
      end(connection, "there are too many connections of " + owner.name());
    }
  }

  /// What a request on `connection` needs to know of all of them.
  Visitor.Host host(Connection connection) {
    return new Visitor.Host() {
      @Override
      public void isKnown(Owner owner) {
        known(connection, owner);
      }

      @Override
      public void makeRoom() {
        Connection oldest;
        synchronized (strange) {
          oldest = strange.isEmpty() ? null : strange.removeFirst();
        }
        if (oldest != null) {
          end(oldest, "other strangers need the room");
        }
      }
    };
  }

  static void end(Connection connection, String reason) {
    connection.getEndPoint().close(new IOException(reason));
  }

  private final class Peer {

    private final AtomicInteger underWay = new AtomicInteger();
    private volatile @Nullable Owner owner;
    private boolean closed;

    synchronized boolean belongsTo(Owner known) {
      if (closed || owner != null) {
        return true;
      }
      boolean taken = memory.takeNow(known, Use.CONNECTIONS, CONNECTION_BYTES);
      if (taken) {
        owner = known;
      }
      return taken;
    }

    synchronized void close() {
      closed = true;
      if (owner != null) {
        memory.release(owner, Use.CONNECTIONS, CONNECTION_BYTES);
      }
    }
  }
}
