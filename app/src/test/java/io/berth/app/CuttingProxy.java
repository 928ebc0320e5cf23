package io.berth.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Stands between a client and a server, and cuts all connections when told to: within requests,
/// within answers, within watch events.
final class CuttingProxy implements AutoCloseable {

  private final int target;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  CuttingProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /// Ends every connection there is; new ones work.
  void cut() {
    open.forEach(CuttingProxy::quietly);
    open.clear();
  }

  private void accept() {
    try {
      while (true) {
        connect(listener.accept());
      }
    } catch (IOException e) {
      cut();
    }
  }

  private void connect(Socket client) {
    try {
      var server = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(client);
      open.add(server);
      Thread.startVirtualThread(() -> copy(client, server));
      Thread.startVirtualThread(() -> copy(server, client));
    } catch (IOException e) {
      // The server is away just now; whoever wants it comes again.
      quietly(client);
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One end is gone; the other follows.
    } finally {
      quietly(from);
      quietly(to);
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
