package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever starts a cluster and says nothing about addresses can be reached from this machine
/// alone.
class PortScanTest {

  private static final String LISTENING = "0A";

  @TempDir private Path folder = Path.of("");

  private record Listener(InetAddress address, int port) {}

  @Test
  void aDefaultStartListensOnLoopbackOnly() throws Exception {
    assumeThat(Path.of("/proc/self/net/tcp")).as("the kernel's list of sockets").exists();
    try (var cluster = ClusterProcess.start(folder, "--data", folder.resolve("data").toString())) {
      var listeners = listeners(cluster.process().pid());

      assertThat(listeners).as("the API and the workload API").hasSizeGreaterThanOrEqualTo(2);
      assertThat(listeners).allMatch(listener -> listener.address.isLoopbackAddress());
      for (var listener : listeners) {
        for (var address : addressesOfThisMachine()) {
          assertThat(isOpen(address, listener.port)).as("%s:%d", address, listener.port).isFalse();
        }
      }
    }
  }

  /// What a process has open to the network, as the kernel sees it.
  private static List<Listener> listeners(long pid) throws IOException {
    var own = sockets(pid);
    var listeners = new ArrayList<Listener>();
    for (var protocol : List.of("tcp", "tcp6", "udp", "udp6")) {
      var lines = Files.readAllLines(Path.of("/proc/%d/net/%s".formatted(pid, protocol)));
      for (var line : lines.subList(1, lines.size())) {
        var words = line.strip().split("\\s+", -1);
        boolean open = protocol.startsWith("udp") || words[3].equals(LISTENING);
        if (open && own.contains("socket:[" + words[9] + "]")) {
          var place = words[1].split(":", -1);
          listeners.add(new Listener(address(place[0]), Integer.parseInt(place[1], 16)));
        }
      }
    }
    return listeners;
  }

  private static Set<String> sockets(long pid) throws IOException {
    var sockets = new HashSet<String>();
    try (var files = Files.list(Path.of("/proc/%d/fd".formatted(pid)))) {
      for (var file : files.toList()) {
        try {
          sockets.add(Files.readSymbolicLink(file).toString());
        } catch (IOException e) {
          // Closed meanwhile.
        }
      }
    }
    return sockets;
  }

  /// The kernel writes addresses as words of 32 bits, in the order of the processor.
  private static InetAddress address(String hex) throws UnknownHostException {
    var words = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    var address = ByteBuffer.allocate(words.capacity()).order(ByteOrder.nativeOrder());
    while (words.hasRemaining()) {
      address.putInt(words.getInt());
    }
    return InetAddress.getByAddress(address.array());
  }

  private static List<InetAddress> addressesOfThisMachine() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .toList();
  }

  private static boolean isOpen(InetAddress address, int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
