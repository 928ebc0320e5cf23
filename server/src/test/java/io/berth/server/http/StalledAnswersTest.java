package io.berth.server.http;

import static io.berth.testing.RawHttp2.END_HEADERS;
import static io.berth.testing.RawHttp2.END_STREAM;
import static io.berth.testing.RawHttp2.HEADERS;
import static io.berth.testing.RawHttp2.RESET;
import static io.berth.testing.RawHttp2.WINDOW_UPDATE;
import static io.berth.testing.RawHttp2.head;
import static io.berth.testing.RawHttp2.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.TestTls;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.identity.Authority;
import io.berth.testing.RawHttp2;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that take a byte now and then of what they asked for, or nothing.
class StalledAnswersTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final int ENDLESS = 64 << 20;
  private static final byte[] NO_WINDOW = {0, 4, 0, 0, 0, 0};

  private final Memory memory = new Memory(new Budget(1L << 30));
  private HttpFront front;

  @BeforeEach
  void start() throws Exception {
    var identity = AUTHORITY.server(List.of("127.0.0.1"));
    front =
        HttpFront.start(
            "127.0.0.1",
            0,
            identity.certificate(),
            identity.key(),
            List.of(AUTHORITY.certificate()),
            call -> answer(call),
            memory,
            new Connections(memory, 100),
            new SlowClients(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMillis(500)),
            Duration.ofMillis(20));
  }

  private static Answer answer(Call call) {
    return switch (call.path()) {
      case "/small" -> new Answer.Whole(200, List.of(), new byte[1000]);
      case "/large" -> new Answer.Whole(200, List.of(), new byte[ENDLESS]);
      default ->
          new Answer.Stream(
              200,
              List.of(),
              outlet -> {
                for (int i = 0; i < ENDLESS >> 10; i++) {
                  outlet.send(new byte[1 << 10]);
                }
              });
    };
  }

  @AfterEach
  void stop() {
    front.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/small", "/large", "/stream"})
  void anAnswerThatWaitsForAWindowEndsAndItsConnectionDoesNot(String path) throws Exception {
    try (var client = new RawHttp2(TestTls.client(AUTHORITY, null), front.port(), NO_WINDOW)) {
      client.frame(HEADERS, END_HEADERS | END_STREAM, 1, head("GET", path));
      // Now and then room for one byte, which is movement but no progress.
      client.frame(WINDOW_UPDATE, 0, 1, number(1));
      client.flush();
      while (client.read().type() != RESET) {
        // Its head, and one byte.
      }
      awaitNothingHeld();

      client.frame(HEADERS, END_HEADERS | END_STREAM, 3, head("GET", "/small"));
      client.frame(WINDOW_UPDATE, 0, 3, number(1000));
      client.flush();
      assertThat(bytesOf(client, 3)).isEqualTo(1000);
    }
  }

  private static int bytesOf(RawHttp2 client, int stream) throws IOException {
    int bytes = 0;
    while (bytes < 1000) {
      var frame = client.read();
      if (frame.type() == RawHttp2.DATA && frame.stream() == stream) {
        bytes += frame.payload().length;
      }
    }
    return bytes;
  }

  @Test
  void aReaderThatTakesNothingIsCutOff() throws Exception {
    try (var socket =
        TestTls.client(AUTHORITY, null)
            .getSocketFactory()
            .createSocket("127.0.0.1", front.port())) {
      socket
          .getOutputStream()
          .write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      while (memory.budget().inUse() == 0) {
        LockSupport.parkNanos(1_000_000);
      }

      awaitNothingHeld();
      assertThat(read(socket)).isLessThan(ENDLESS);
    }
  }

  private static long read(java.net.Socket socket) {
    long bytes = 0;
    try {
      var buffer = new byte[1 << 16];
      for (int more = 0; more >= 0; more = socket.getInputStream().read(buffer)) {
        bytes += more;
      }
    } catch (IOException e) {
      // Cut off.
    }
    return bytes;
  }

  private void awaitNothingHeld() {
    while (memory.budget().inUse() > 0) {
      LockSupport.parkNanos(1_000_000);
    }
  }
}
