package io.berth.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.cluster.kubernetes.HttpClient.Call;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What becomes of requests on one connection of HTTP/2, whatever its server does.
class Http2Test {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Http2Connection.Patience IMPATIENT =
      new Http2Connection.Patience(Duration.ofMillis(1), LONG, Duration.ofMillis(1));
  private static final int ACKNOWLEDGED = 0x1;
  private static final int END_STREAM = 0x1;
  private static final int END_HEADERS = 0x4;
  private static final int PADDED = 0x8;

  private FramePeer peer;

  @BeforeEach
  void connect() throws IOException {
    peer = new FramePeer();
  }

  @AfterEach
  void disconnect() throws IOException {
    peer.close();
  }

  private Http2Stream get(String path) throws IOException {
    return peer.client().send(Call.get(path), null, true, LONG);
  }

  private Http2Stream post(int bytes) throws IOException {
    var call = new Call("POST", "/p", Call.JSON, Call.JSON, new byte[bytes]);
    return peer.client().send(call, null, true, LONG);
  }

  private Http2Stream watch() throws IOException {
    return peer.client().send(Call.get("/w"), null, false, LONG);
  }

  private static String text(Http2Stream stream) throws IOException {
    return new String(stream.await().bytes(1000), StandardCharsets.ISO_8859_1);
  }

  @Test
  void answersComeInAnyOrder() throws IOException {
    var first = get("/1");
    var second = get("/2");
    assertThat(peer.expect(FramePeer.HEADERS).text()).contains("/1");
    assertThat(peer.expect(FramePeer.HEADERS).text()).contains("/2");

    peer.answer(second.id(), "two").answer(first.id(), "one");

    assertThat(text(first)).isEqualTo("one");
    assertThat(text(second)).isEqualTo("two");
  }

  @Test
  void paddingContinuationsAndTrailersAreUnderstood() throws IOException {
    var stream = get("/");
    // 0f10 is the type of the content, which comes in the second frame.
    peer.send(FramePeer.HEADERS, 0, 1, 0x88, 0x0f)
        .send(FramePeer.CONTINUATION, END_HEADERS, 1, 0x10, 1, 't')
        .send(FramePeer.DATA, PADDED, 1, 2, 'o', 'k', 0, 0)
        .send(FramePeer.HEADERS, END_STREAM | END_HEADERS, 1, 0, 1, 'x', 0);

    assertThat(text(stream)).isEqualTo("ok");
    assertThat(stream.status()).isEqualTo(200);
    assertThat(stream.contentType()).isEqualTo("t");
  }

  @Test
  void whatAServerThatGoesAwayHasNotLookedAtMayBeSentAgain() throws IOException {
    var seen = post(1);
    var unseen = post(1);
    peer.send(FramePeer.GO_AWAY, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);

    assertThatThrownBy(unseen::await).isInstanceOf(NotProcessedException.class);
    assertThat(peer.client().hasRoom()).isFalse();
    assertThatThrownBy(() -> post(1)).isInstanceOf(NotProcessedException.class);

    peer.answer(seen.id(), "done");
    assertThat(text(seen)).isEqualTo("done");
  }

  @Test
  void aRefusedRequestMayBeSentAgainAndABrokenOneNot() throws IOException {
    var refused = post(1);
    var broken = post(1);
    peer.send(FramePeer.RESET, 0, refused.id(), FramePeer.number(7))
        .send(FramePeer.RESET, 0, broken.id(), FramePeer.number(2));

    assertThatThrownBy(refused::await).isInstanceOf(NotProcessedException.class);
    assertThatThrownBy(broken::await)
        .isNotInstanceOf(NotProcessedException.class)
        .isInstanceOf(IOException.class)
        .hasMessage("the server broke the request off, code 2");
  }

  @Test
  void everybodyHearsOfACut() throws IOException {
    var call = post(1);
    var watch = watch();
    peer.send(FramePeer.HEADERS, END_HEADERS, watch.id(), 0x88)
        .send(FramePeer.DATA, 0, watch.id(), 'a');
    assertThat(watch.await().body().read()).isEqualTo('a');
    peer.hangUp();

    assertThatThrownBy(call::await)
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(NotProcessedException.class);
    assertThatThrownBy(() -> watch.body().read()).isInstanceOf(IOException.class);
    assertThat(peer.client().hasRoom()).isFalse();
  }

  @Test
  void whatCameBeforeACutIsStillRead() throws IOException {
    var watch = watch();
    peer.send(FramePeer.HEADERS, END_HEADERS, 1, 0x88)
        .send(FramePeer.DATA, 0, 1, 'a', 'b')
        .hangUp();

    assertThat(watch.await().body().read()).isEqualTo('a');
    assertThat(watch.body().read()).isEqualTo('b');
    assertThatThrownBy(() -> watch.body().read()).isInstanceOf(IOException.class);
  }

  @Test
  void aLongBodyWaitsForRoomAtTheServer() throws Exception {
    peer.set(4, 10);
    var sender =
        Thread.ofVirtual()
            .start(() -> {
              try {
                post(25).await();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    peer.expect(FramePeer.HEADERS);
    assertThat(peer.expect(FramePeer.DATA).payload()).hasSize(10);

    peer.send(FramePeer.WINDOW, 0, 1, FramePeer.number(12));
    assertThat(peer.expect(FramePeer.DATA).payload()).hasSize(12);
    peer.send(FramePeer.WINDOW, 0, 1, FramePeer.number(12));
    var last = peer.expect(FramePeer.DATA);
    assertThat(last.payload()).hasSize(3);
    assertThat(last.flags()).isEqualTo(END_STREAM);

    peer.answer(1, "");
    sender.join();
  }

  @Test
  void whoReadsALongAnswerGetsMoreOfIt() throws IOException {
    var watch = watch();
    peer.expect(FramePeer.HEADERS);
    peer.send(FramePeer.HEADERS, END_HEADERS, 1, 0x88);
    int half = Http2Stream.WINDOW / 2;
    for (int sent = 0; sent < half; sent += 1 << 14) {
      peer.send(FramePeer.DATA, 0, 1, new byte[1 << 14]);
    }
    assertThat(watch.await().body().readNBytes(half)).hasSize(half);

    var window = peer.expect(FramePeer.WINDOW);
    assertThat(window.stream()).isEqualTo(1);
    assertThat(window.payload()).isEqualTo(FramePeer.number(half));
  }

  @Test
  void aServerThatAsksWhetherWeLiveIsAnswered() throws IOException {
    peer.send(FramePeer.PING, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);

    var answer = peer.expect(FramePeer.PING);
    assertThat(answer.flags()).isEqualTo(1);
    assertThat(answer.payload()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void aServerThatDoesNotAnswerIsLeft() throws IOException {
    var overdue = peer.client().send(Call.get("/"), null, true, Duration.ofMillis(1));
    peer.expect(FramePeer.HEADERS);

    assertThatThrownBy(overdue::await).hasMessage("the server does not answer");
    assertThat(peer.expect(FramePeer.RESET).stream()).isEqualTo(1);
    assertThat(peer.client().isDraining()).isTrue();
  }

  @Test
  void aWatchThatIsClosedEndsAtTheServer() throws IOException {
    var watch = watch();
    peer.expect(FramePeer.HEADERS);

    watch.cancel();

    assertThat(peer.expect(FramePeer.RESET).payload()).isEqualTo(FramePeer.number(8));
    assertThatThrownBy(watch::await).hasMessage("ended by us");
  }

  @Test
  void whoIsInterruptedLeavesAlone() throws Exception {
    var other = get("/other");
    peer.expect(FramePeer.HEADERS);
    var interrupted =
        Thread.ofVirtual()
            .start(() -> {
              Thread.currentThread().interrupt();
              assertThatThrownBy(() -> get("/mine").await())
                  .isInstanceOf(InterruptedIOException.class);
            });
    interrupted.join();
    assertThat(peer.expect(FramePeer.HEADERS).stream()).isEqualTo(3);
    assertThat(peer.expect(FramePeer.RESET).stream()).isEqualTo(3);

    peer.answer(other.id(), "done");
    assertThat(text(other)).isEqualTo("done");
  }

  @Test
  void noMoreRequestsThanTheServerAllows() throws IOException {
    peer.set(3, 2);
    get("/1");
    assertThat(peer.client().hasRoom()).isTrue();
    get("/2");
    assertThat(peer.client().hasRoom()).isFalse();
  }

  @Test
  void aServerThatBreaksTheRulesIsLeft() throws IOException {
    var call = get("/");
    peer.send(FramePeer.CONTINUATION, 0, 1);

    assertThatThrownBy(call::await).hasMessage("the server sends frames out of order");
  }

  @Test
  void aServerWithoutASignOfLifeIsGivenUp() throws IOException {
    try (var silent = new FramePeer(IMPATIENT)) {
      var watch = silent.client().send(Call.get("/w"), null, false, LONG);
      silent.expect(FramePeer.HEADERS);

      silent.expect(FramePeer.PING);

      assertThatThrownBy(watch::await).hasMessage("the server gives no sign of life");
      assertThat(silent.client().hasRoom()).isFalse();
    }
  }

  @Test
  void whoWaitsForAnAnswerIsNotLeftWaitingByADeadConnection() throws IOException {
    var patience = new Http2Connection.Patience(LONG, Duration.ofMillis(1), Duration.ofMillis(1));
    try (var silent = new FramePeer(patience)) {
      var call = silent.client().send(Call.get("/"), null, true, LONG);

      assertThatThrownBy(call::await).hasMessage("the server gives no sign of life");
    }
  }

  @Test
  void aSignOfLifeKeepsTheConnection() throws IOException {
    try (var quiet =
        new FramePeer(new Http2Connection.Patience(LONG, Duration.ofMillis(1), LONG))) {
      var watch = quiet.client().send(Call.get("/w"), null, true, LONG);
      quiet.expect(FramePeer.HEADERS);
      for (int i = 0; i < 2; i++) {
        var ping = quiet.expect(FramePeer.PING);
        quiet.send(FramePeer.PING, ACKNOWLEDGED, 0, ping.payload());
      }

      quiet.answer(watch.id(), "late");

      assertThat(text(watch)).isEqualTo("late");
    }
  }
}
