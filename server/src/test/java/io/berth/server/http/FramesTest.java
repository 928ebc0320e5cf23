package io.berth.server.http;

import static io.berth.testing.RawHttp2.CONTINUATION;
import static io.berth.testing.RawHttp2.DATA;
import static io.berth.testing.RawHttp2.END_HEADERS;
import static io.berth.testing.RawHttp2.END_STREAM;
import static io.berth.testing.RawHttp2.GOAWAY;
import static io.berth.testing.RawHttp2.HEADERS;
import static io.berth.testing.RawHttp2.PING;
import static io.berth.testing.RawHttp2.PRIORITY;
import static io.berth.testing.RawHttp2.RESET;
import static io.berth.testing.RawHttp2.SETTINGS;
import static io.berth.testing.RawHttp2.WINDOW_UPDATE;
import static io.berth.testing.RawHttp2.head;
import static io.berth.testing.RawHttp2.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.Limits;
import io.berth.server.TestTls;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.identity.Authority;
import io.berth.testing.RawHttp2;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Frames that ask for work and take it back, or for none at all, from one who is not known.
class FramesTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final byte[] HEAD = head("GET", "/healthz");
  private static final int MANY = 200_000;

  private final CountDownLatch answering = new CountDownLatch(1);
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger mostUnderWay = new AtomicInteger();
  private boolean known;
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
            AUTHORITY.certificate(),
            this::answer,
            new Memory(Budget.ofHeap()));
  }

  @AfterEach
  void stop() {
    answering.countDown();
    front.close();
  }

  private Answer answer(Call call) {
    mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    try {
      if (known) {
        call.visitor().isKnownAs("somebody");
      }
      if (!call.path().equals("/quick")) {
        call.visitor().rest();
        answering.await();
      }
      return new Answer.Whole(200, List.of(), new byte[100]);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      underWay.decrementAndGet();
    }
  }

  @Test
  void requestsThatAreTakenBackAtOnceEndTheConnection() throws Exception {
    try (var client = new RawHttp2(TestTls.client(AUTHORITY, null), front.port())) {
      assertThat(sent(client, MANY, stream -> resetRequest(client, stream))).isLessThan(MANY);
    }
    assertThat(mostUnderWay.get()).isLessThanOrEqualTo(Limits.STREAMS_PER_CONNECTION);
  }

  @Test
  void requestsThatAreTakenBackCountUntilTheyAreDone() throws Exception {
    int some = Limits.STREAMS_PER_CONNECTION * 9 / 10;
    known = true;
    try (var client = new RawHttp2(TestTls.client(AUTHORITY, null), front.port())) {
      for (int i = 0; i < some; i++) {
        client.frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, HEAD);
      }
      client.flush();
      while (underWay.get() < some) {
        Thread.onSpinWait();
      }
      for (int i = 0; i < some; i++) {
        client.frame(RESET, 0, 2 * i + 1, number(8));
      }
      assertThat(
              sent(
                  client,
                  some,
                  i -> client.frame(HEADERS, END_HEADERS | END_STREAM, 2 * (some + i) + 1, HEAD)))
          .isLessThan(some);
    }
    assertThat(mostUnderWay.get()).isEqualTo(Limits.STREAMS_PER_CONNECTION);
  }

  private static void resetRequest(RawHttp2 client, int number) throws IOException {
    client
        .frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, HEAD)
        .frame(RESET, 0, 2 * number + 1, number(8));
  }

  record Flood(String name, Beginning beginning, Each each) {

    @Override
    public String toString() {
      return name;
    }
  }

  interface Beginning {
    void send(RawHttp2 client) throws IOException;
  }

  interface Each {
    void send(RawHttp2 client, int number) throws IOException;
  }

  private static final Beginning NONE = _ -> {};
  private static final Beginning OPEN_STREAM =
      client -> client.frame(HEADERS, END_HEADERS, 1, HEAD);

  static final List<Flood> FLOODS =
      List.of(
          new Flood("pings", NONE, (client, _) -> client.frame(PING, 0, 0, new byte[8])),
          new Flood("settings", NONE, (client, _) -> client.frame(SETTINGS, 0, 0)),
          new Flood("priorities", NONE, (client, _) -> client.frame(PRIORITY, 0, 1, new byte[5])),
          new Flood("unknown frames", NONE, (client, _) -> client.frame(200, 0, 0)),
          new Flood(
              "windows of the connection",
              NONE,
              (client, _) -> client.frame(WINDOW_UPDATE, 0, 0, number(1))),
          new Flood(
              "windows of a stream",
              OPEN_STREAM,
              (client, _) -> client.frame(WINDOW_UPDATE, 0, 1, number(1))),
          new Flood("empty data", OPEN_STREAM, (client, _) -> client.frame(DATA, 0, 1)),
          new Flood(
              "crumbs of data", OPEN_STREAM, (client, _) -> client.frame(DATA, 0, 1, new byte[1])),
          new Flood(
              "empty continuations",
              client -> client.frame(HEADERS, 0, 1, HEAD),
              (client, _) -> client.frame(CONTINUATION, 0, 1)),
          new Flood(
              "broken heads",
              NONE,
              (client, i) -> client.frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1)),
          new Flood(
              "heads that unpack to much",
              // Puts a long value where one byte refers to it.
              client -> {
                var block = new byte[4005];
                System.arraycopy(
                    new byte[] {0x40, 1, 'x', 0x7f, (byte) 0xa1, 0x1e}, 0, block, 0, 6);
                java.util.Arrays.fill(block, 6, block.length, (byte) 'y');
                client.frame(HEADERS, END_HEADERS | END_STREAM, 1, block);
              },
              (client, i) -> {
                var block = new byte[1000];
                java.util.Arrays.fill(block, (byte) 0xbe);
                client.frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 3, block);
              }));

  @ParameterizedTest
  @FieldSource("FLOODS")
  void framesThatAskForNothingEndTheConnection(Flood flood) throws Exception {
    try (var client = new RawHttp2(TestTls.client(AUTHORITY, null), front.port())) {
      flood.beginning().send(client);

      assertThat(sent(client, MANY, i -> flood.each().send(client, i))).isLessThan(MANY);
    }
  }

  private interface Sending {
    void send(int number) throws IOException;
  }

  /// How much could be sent until the connection ended.
  private static int sent(RawHttp2 client, int count, Sending each) throws InterruptedException {
    var ended = new CountDownLatch(1);
    Thread.startVirtualThread(() -> readToTheEnd(client, ended));
    int sent = 0;
    try {
      while (sent < count && ended.getCount() > 0) {
        each.send(sent++);
      }
      client.flush();
    } catch (IOException e) {
      return sent - 1;
    }
    // What was sent is still on its way.
    return ended.await(20, TimeUnit.SECONDS) ? sent - 1 : sent;
  }

  private static void readToTheEnd(RawHttp2 client, CountDownLatch ended) {
    try {
      while (client.read().type() != GOAWAY) {
        // All others are of no interest.
      }
    } catch (IOException e) {
      // That is an end, too.
    }
    ended.countDown();
  }

  @Test
  void oneWhoAsksForMuchAndTakesItMayGoOn() throws Exception {
    int requests = 20_000;
    known = true;
    try (var client = new RawHttp2(TestTls.client(AUTHORITY, null), front.port())) {
      var room = new Semaphore(1);
      var answered = new AtomicInteger();
      var reader = Thread.startVirtualThread(() -> countAnswers(client, room, answered, requests));
      for (int i = 0; i < requests; i++) {
        if (!room.tryAcquire()) {
          client.flush();
          room.acquire();
        }
        if (i == 1) {
          // Until the first answer it was a stranger, who has little credit.
          room.release(Limits.STREAMS_PER_CONNECTION / 2 - 1);
        }
        client
            .frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, head("GET", "/quick"))
            .frame(WINDOW_UPDATE, 0, 0, number(100))
            .frame(WINDOW_UPDATE, 0, 2 * i + 1, number(100));
      }
      client.flush();
      reader.join();
      assertThat(answered.get()).isEqualTo(requests);
    }
  }

  private static void countAnswers(
      RawHttp2 client, Semaphore room, AtomicInteger answered, int requests) {
    try {
      while (answered.get() < requests) {
        var frame = client.read();
        if (frame.type() == GOAWAY) {
          break;
        }
        if (frame.type() == DATA && (frame.flags() & END_STREAM) != 0) {
          answered.incrementAndGet();
          room.release();
        }
      }
    } catch (IOException e) {
      // What was not answered shows.
    }
    room.release(requests);
  }
}
