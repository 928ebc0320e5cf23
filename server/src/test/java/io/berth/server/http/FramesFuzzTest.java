package io.berth.server.http;

import static io.berth.testing.RawHttp2.DATA;
import static io.berth.testing.RawHttp2.END_HEADERS;
import static io.berth.testing.RawHttp2.END_STREAM;
import static io.berth.testing.RawHttp2.GOAWAY;
import static io.berth.testing.RawHttp2.HEADERS;
import static io.berth.testing.RawHttp2.head;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.berth.server.TestTls;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.identity.Authority;
import io.berth.testing.RawHttp2;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// Whatever a stranger sends behind the handshake: others are answered as before.
///
/// The first byte chooses between HTTP/2 frames and HTTP/1.1.
class FramesFuzzTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final byte[] LAST =
      "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.ISO_8859_1);

  /// An honest client opens a new connection after so many requests.
  private static final int REQUESTS = 1000;

  private static HttpFront front;
  private static SSLContext tls;
  private static RawHttp2 honest;
  private static int asked;

  @BeforeAll
  static void start() throws Exception {
    var identity = AUTHORITY.server(List.of("127.0.0.1"));
    front =
        HttpFront.start(
            "127.0.0.1",
            0,
            identity.certificate(),
            identity.key(),
            AUTHORITY.certificate(),
            call -> new Answer.Whole(200, List.of(), call.body().read(1 << 16)),
            new Memory(Budget.ofHeap()));
    tls = TestTls.client(AUTHORITY, null);
    honest = new RawHttp2(tls, front.port());
  }

  @AfterAll
  static void stop() throws IOException {
    honest.close();
    front.close();
  }

  @FuzzTest(maxDuration = "10m")
  void bytes(byte[] bytes) throws Exception {
    if (bytes.length == 0) {
      return;
    }
    var rest = Arrays.copyOfRange(bytes, 1, bytes.length);
    try {
      if (bytes[0] % 2 == 0) {
        sendFrames(rest);
      } else {
        sendText(rest);
      }
    } catch (IOException e) {
      // It was shut out.
    }
    assertThat(isAnswered()).isTrue();
  }

  /// Ends with a frame that no server can take, so that the connection ends.
  private static void sendFrames(byte[] bytes) throws IOException {
    try (var client = new RawHttp2(tls, front.port())) {
      client.raw(bytes);
      client.frame(DATA, 0, 0, new byte[1]).flush();
      while (client.read().type() != GOAWAY) {
        // What it says before is its business.
      }
    }
  }

  private static void sendText(byte[] bytes) throws IOException {
    try (var socket = tls.getSocketFactory().createSocket("127.0.0.1", front.port())) {
      // A length that is told may be longer than what comes.
      socket.setSoTimeout(50);
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().write(LAST);
      socket.getInputStream().readAllBytes();
    }
  }

  private static boolean isAnswered() throws IOException {
    if (asked == REQUESTS) {
      honest.close();
      honest = new RawHttp2(tls, front.port());
      asked = 0;
    }
    honest.frame(HEADERS, END_HEADERS | END_STREAM, 2 * asked++ + 1, head("GET", "/")).flush();
    while (true) {
      var frame = honest.read();
      if (frame.type() == GOAWAY) {
        return false;
      }
      if (frame.stream() == 2 * asked - 1 && (frame.flags() & END_STREAM) != 0) {
        return true;
      }
    }
  }
}
