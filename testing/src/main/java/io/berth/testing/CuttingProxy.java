package io.berth.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Stands between a client and a server, and cuts all connections when told to, or has them fall
/// silent: within requests, within answers, within watch events.
public final class CuttingProxy implements AutoCloseable {

  private final int target;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger joined = new AtomicInteger();
  private volatile boolean refusing;
  private volatile int silent;

  public CuttingProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /// Ends every connection there is; new ones work, unless they are refused.
  public void cut() {
    for (var socket : open) {
      quietly(socket);
    }
  }

  /// Has every connection there is lose all that is sent from now on; new ones work.
  public void silence() {
    silent = joined.get();
  }

  /// Whether new connections are closed at once.
  public void refuse(boolean whether) {
    refusing = whether;
  }

  private void accept() {
    try {
      while (true) {
        join(listener.accept());
      }
    } catch (IOException e) {
      cut();
    }
  }

  private void join(Socket client) {
    try {
      var server = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(client);
      open.add(server);
      // A connection that came in while all were cut must not survive the cut.
      if (refusing) {
        quietly(client);
        quietly(server);
      }
      int number = joined.incrementAndGet();
      Thread.startVirtualThread(() -> copy(client, server, number));
      Thread.startVirtualThread(() -> copy(server, client, number));
    } catch (IOException e) {
      // The server is away just now; whoever wants it comes again.
      quietly(client);
    }
  }

  private void copy(Socket from, Socket to, int number) {
    var buffer = new byte[16 << 10];
    try {
      var in = from.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (number > silent) {
          to.getOutputStream().write(buffer, 0, read);
        }
      }
    } catch (IOException e) {
      // One end is gone; the other follows.
    } finally {
      quietly(from);
      quietly(to);
      open.remove(from);
    }
  }

  private static void quietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
