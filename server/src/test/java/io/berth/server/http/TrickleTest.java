package io.berth.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.TestTls;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.identity.Authority;
import io.berth.testing.RawHttp2;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that send a byte now and then, for as long as they are let.
class TrickleTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final Memory MEMORY = new Memory(Budget.ofHeap());
  private static final String HEAD = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n";

  @ParameterizedTest
  @ValueSource(strings = {"", HEAD, HEAD + "\r\n"})
  void isEnded(String beginning) throws Exception {
    try (var front = start(Duration.ofMillis(500));
        var socket =
            TestTls.client(AUTHORITY, null)
                .getSocketFactory()
                .createSocket("127.0.0.1", front.port())) {
      assertThat(bytesTaken(socket, beginning)).isLessThan(1_000_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\u0016\u0003\u0001@\u0000\u0001"})
  void isEndedInTheHandshake(String beginning) throws Exception {
    try (var front = start(Duration.ofMillis(500));
        var socket = new Socket(InetAddress.getLoopbackAddress(), front.port())) {
      assertThat(bytesTaken(socket, beginning)).isLessThan(1_000_000);
    }
  }

  record Head(String name, byte[] beginning) {

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Head> HEADS =
      List.of(
          new Head("no request, only pings", new byte[0]),
          new Head("a long frame", new byte[] {0, 64, 0, 1, 4, 0, 0, 0, 1}),
          new Head("a head without end", new byte[] {0, 0, 1, 1, 0, 0, 0, 0, 1, (byte) 0x82}));

  @ParameterizedTest
  @FieldSource("HEADS")
  void isEndedInFrames(Head head) throws Exception {
    try (var front = start(Duration.ofMillis(500));
        var client = new RawHttp2(TestTls.client(AUTHORITY, null), front.port())) {
      client.raw(head.beginning());
      var ping = new byte[] {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
      var more = new byte[] {0, 0, 1, 9, 0, 0, 0, 0, 1, (byte) 0x84};
      int taken = 0;
      try {
        for (; taken < 1_000; taken++) {
          switch (head.name()) {
            case "no request, only pings" -> client.raw(ping);
            case "a long frame" -> client.raw((byte) 0x84);
            default -> client.raw(more);
          }
          LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
      } catch (IOException e) {
        // Ended.
      }
      assertThat(taken).isLessThan(1_000);
    }
  }

  private static HttpFront start(Duration patience) throws Exception {
    var identity = AUTHORITY.server(List.of("127.0.0.1"));
    return HttpFront.start(
        "127.0.0.1",
        0,
        identity.certificate(),
        identity.key(),
        List.of(AUTHORITY.certificate()),
        call -> new Answer.Whole(200, List.of(), call.body().read()),
        MEMORY,
        new Connections(MEMORY, 100),
        new SlowClients(patience, patience, patience),
        Duration.ofMillis(20));
  }

  private static int bytesTaken(Socket socket, String beginning) {
    int taken = 0;
    try {
      var out = socket.getOutputStream();
      out.write(beginning.getBytes(StandardCharsets.ISO_8859_1));
      while (taken < 1_000_000) {
        out.write('x');
        out.flush();
        taken++;
        LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
      }
    } catch (IOException e) {
      // Ended.
    }
    return taken;
  }
}
