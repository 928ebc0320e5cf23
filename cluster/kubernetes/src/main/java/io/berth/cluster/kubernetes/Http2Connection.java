package io.berth.cluster.kubernetes;

import io.berth.cluster.kubernetes.HttpClient.Call;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// One connection that speaks HTTP/2: many requests at a time, in few and large records of TLS.
///
/// A virtual thread reads and hands out what comes, another looks every second whether somebody
/// waits in vain; what is sent goes through its [FrameSender]. A connection with an answer that is
/// overdue takes no more requests, so that a server that hangs is left behind. One on which nothing
/// comes is asked for a sign of life, so that a watch does not wait for a network that is gone.
final class Http2Connection {

  private static final Duration TICK = Duration.ofSeconds(1);

  // As long as Kubernetes' own clients wait; less when somebody waits with us.
  private static final Patience PATIENCE =
      new Patience(Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(15));
  private static final int WINDOW = 16 << 20;
  private static final int MAX_HEADERS = 64 << 10;

  private final Connection connection;
  private final FrameSender sender;
  private final Map<Integer, Http2Stream> streams = new ConcurrentHashMap<>();
  private volatile boolean draining;
  private volatile int maxStreams = 100;
  private volatile long heardAt = System.nanoTime();

  // Of the reader alone.
  private final HeaderReader answers = new HeaderReader();
  private int unacknowledged;

  /// What all requests have in common.
  record Head(String authority, String prefix, String agent) {}

  /// After how long a silence the server is asked for a sign of life, when only watches are open
  /// and when a call waits for its answer, and how long it has for that.
  record Patience(Duration quiet, Duration waiting, Duration answer) {}

  private Http2Connection(Connection connection, Head head) {
    this.connection = connection;
    this.sender = new FrameSender(connection.out(), head);
  }

  /// Takes over a connection whose server has agreed to HTTP/2.
  static Http2Connection on(Connection connection, Head head) throws IOException {
    return on(connection, head, PATIENCE);
  }

  static Http2Connection on(Connection connection, Head head, Patience patience)
      throws IOException {
    connection.socket().setSoTimeout(0);
    var http2 = new Http2Connection(connection, head);
    http2.sender.greet(WINDOW);
    Thread.ofVirtual().name("http2-reader").start(http2::read);
    Thread.ofVirtual().name("http2-watchdog").start(() -> http2.keepWatch(patience));
    return http2;
  }

  /// Whether it takes another request now.
  boolean hasRoom() {
    return !draining && streams.size() < maxStreams;
  }

  /// Whether it takes no more requests, ever.
  boolean isDraining() {
    return draining;
  }

  /// Sends a request; see [Http2Stream] for `whole` and `silence`.
  Http2Stream send(Call call, @Nullable String authorization, boolean whole, Duration silence)
      throws IOException {
    try {
      return sender.send(call, authorization, (id, window) -> open(id, window, whole, silence));
    } catch (NotProcessedException e) {
      draining = true;
      throw e;
    } catch (InterruptedIOException e) {
      // Nothing to do with the others.
      throw e;
    } catch (IOException e) {
      close(e);
      throw e;
    }
  }

  private Http2Stream open(int id, long window, boolean whole, Duration silence)
      throws IOException {
    var stream = new Http2Stream(this, id, whole, silence, window);
    streams.put(id, stream);
    // Looked at last: who closes the connection from now on finds the stream and tells it.
    if (draining) {
      streams.remove(id);
      throw new NotProcessedException("the connection is closing");
    }
    return stream;
  }

  private void read() {
    try {
      var frames = new FrameReader(connection.in());
      while (true) {
        frames.next();
        heardAt = System.nanoTime();
        take(frames);
      }
    } catch (IOException e) {
      close(e);
    } catch (RuntimeException e) {
      close(new IOException(e));
    }
  }

  private void take(FrameReader frame) throws IOException {
    switch (frame.type()) {
      case Frames.DATA -> takeData(frame);
      case Frames.HEADERS -> takeHeaders(frame);
      case Frames.RESET -> takeReset(frame);
      case Frames.SETTINGS -> takeSettings(frame);
      case Frames.PING -> takePing(frame);
      case Frames.GO_AWAY -> takeGoAway(frame);
      case Frames.WINDOW_UPDATE -> takeWindow(frame);
      case Frames.PUSH, Frames.CONTINUATION ->
          throw new IOException("the server sends frames out of order");
      default -> {
        // To be ignored, so that the protocol can grow.
      }
    }
  }

  private void takeData(FrameReader frame) throws IOException {
    unacknowledged += frame.length();
    if (unacknowledged >= WINDOW / 2) {
      sender.widen(0, unacknowledged);
      unacknowledged = 0;
    }
    var stream = streams.get(frame.stream());
    if (stream == null) {
      return;
    }
    frame.strip(frame.has(Frames.PADDED), 0);
    boolean last = frame.has(Frames.END_STREAM);
    if (stream.isWhole() && stream.received() + frame.length() > HttpClient.MAX_BODY) {
      stream.fail(new IOException("the answer is too long"));
      reset(stream);
      return;
    }
    if (last) {
      streams.remove(stream.id());
    } else {
      // Padding is read by nobody, and of what waits to be whole nobody reads a part.
      int unread = frame.length() - (stream.isWhole() ? 0 : frame.contentLength());
      int credit = stream.credit(unread);
      if (credit > 0) {
        sender.widen(stream.id(), credit);
      }
    }
    stream.data(frame.bytes(), frame.contentAt(), frame.contentLength(), last);
  }

  private void takeHeaders(FrameReader frame) throws IOException {
    int id = frame.stream();
    boolean last = frame.has(Frames.END_STREAM);
    frame.strip(frame.has(Frames.PADDED), frame.has(Frames.PRIORITY) ? 5 : 0);
    if (frame.has(Frames.END_HEADERS)) {
      answers.read(frame.bytes(), frame.contentAt(), frame.contentLength());
    } else {
      var block = new FrameBuffer();
      block.putAll(frame.bytes(), frame.contentAt(), frame.contentLength());
      do {
        frame.next();
        if (frame.type() != Frames.CONTINUATION || frame.stream() != id) {
          throw new IOException("the server sends frames out of order");
        }
        frame.strip(false, 0);
        block.putAll(frame.bytes(), frame.contentAt(), frame.contentLength());
        if (block.length() > MAX_HEADERS) {
          throw new IOException("the headers of the answer are longer than 64 KiB");
        }
      } while (!frame.has(Frames.END_HEADERS));
      answers.read(block.bytes(), 0, block.length());
    }
    var stream = last ? streams.remove(id) : streams.get(id);
    if (stream != null) {
      stream.head(answers, last);
    }
  }

  private void takeReset(FrameReader frame) throws IOException {
    int code = frame.intAt(0);
    var stream = streams.remove(frame.stream());
    if (stream != null) {
      stream.fail(
          code == Frames.REFUSED
              ? new NotProcessedException("the server refused the request for now")
              : new IOException("the server broke the request off, code " + code));
    }
  }

  private void takeSettings(FrameReader frame) throws IOException {
    if (frame.has(Frames.ACKNOWLEDGED)) {
      return;
    }
    var settings = new ArrayList<Runnable>();
    for (int at = 0; at + 6 <= frame.length(); at += 6) {
      settings.add(setting(frame.shortAt(at), frame.intAt(at + 2)));
    }
    sender.acknowledge(() -> settings.forEach(Runnable::run));
  }

  // Numbers have 32 bits; what is below zero here is more than anybody has.
  private Runnable setting(int name, int value) throws IOException {
    int bounded = value < 0 ? Integer.MAX_VALUE : value;
    return switch (name) {
      case Frames.SETTING_TABLE -> () -> sender.limitTable(bounded);
      case Frames.SETTING_STREAMS -> () -> maxStreams = bounded;
      case Frames.SETTING_FRAME -> () -> sender.limitFrames(bounded);
      case Frames.SETTING_WINDOW -> {
        if (value < 0) {
          throw new IOException("the server opens too large a window");
        }
        yield () -> sender.resizeWindows(value, streams.values());
      }
      default -> () -> {};
    };
  }

  private void takePing(FrameReader frame) throws IOException {
    if (!frame.has(Frames.ACKNOWLEDGED)) {
      sender.answerPing(frame.intAt(0), frame.intAt(4));
    }
  }

  private void takeGoAway(FrameReader frame) throws IOException {
    draining = true;
    int last = frame.intAt(0) & Integer.MAX_VALUE;
    streams
        .values()
        .removeIf(stream -> {
          boolean unseen = stream.id() > last;
          if (unseen) {
            stream.fail(new NotProcessedException("the server is going away"));
          }
          return unseen;
        });
  }

  private void takeWindow(FrameReader frame) throws IOException {
    int more = frame.intAt(0) & Integer.MAX_VALUE;
    var stream = streams.get(frame.stream());
    if (stream != null || frame.stream() == 0) {
      sender.widened(stream, more);
    }
  }

  /// Tells the server that so much of an answer has been read.
  void widen(Http2Stream stream, int bytes) throws IOException {
    try {
      sender.widen(stream.id(), bytes);
    } catch (IOException e) {
      close(e);
      throw e;
    }
  }

  /// Whether an answer is still to come.
  boolean isOpen(Http2Stream stream) {
    return streams.containsKey(stream.id());
  }

  /// Tells the server that nobody waits for this answer any more.
  void reset(Http2Stream stream) {
    streams.remove(stream.id());
    try {
      sender.cancel(stream.id());
    } catch (IOException e) {
      close(e);
    }
  }

  private void keepWatch(Patience patience) {
    long askedAt = heardAt;
    try {
      while (!draining || !streams.isEmpty()) {
        Thread.sleep(TICK);
        long now = System.nanoTime();
        var silence = patience.quiet;
        for (var stream : streams.values()) {
          if (stream.isWhole()) {
            silence = patience.waiting;
          }
          if (stream.isOverdue(now)) {
            draining = true;
            stream.fail(new IOException("the server does not answer"));
            reset(stream);
          }
        }
        boolean asked = askedAt - heardAt > 0;
        if (asked && now - askedAt >= patience.answer.toNanos()) {
          close(new IOException("the server gives no sign of life"));
        } else if (!asked && now - heardAt >= silence.toNanos()) {
          askedAt = now;
          Thread.startVirtualThread(this::ping);
        }
      }
      close(new IOException("the connection is closed"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ping() {
    try {
      sender.ping();
    } catch (IOException e) {
      close(e);
    }
  }

  /// Takes no more requests, and ends when those under way have their answers.
  void drain() {
    draining = true;
    if (streams.isEmpty()) {
      close(new IOException("the connection is closed"));
    }
  }

  /// Ends it at once; whoever waits for an answer is told why.
  void close(IOException why) {
    draining = true;
    connection.abort();
    streams
        .values()
        .removeIf(stream -> {
          stream.fail(why);
          return true;
        });
  }
}
