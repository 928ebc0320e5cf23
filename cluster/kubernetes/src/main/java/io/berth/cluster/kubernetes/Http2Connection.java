package io.berth.cluster.kubernetes;

import io.berth.cluster.kubernetes.HttpClient.Call;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One connection that speaks HTTP/2: many requests at a time, in few and large records of TLS.
///
/// A virtual thread reads and hands out what comes, another looks every second whether somebody
/// waits in vain. Who sends puts frames into a buffer; the first to do so writes them all. A
/// connection with an answer that is overdue takes no more requests, so that a network or server
/// that hangs is left behind.
final class Http2Connection {

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final Duration TICK = Duration.ofSeconds(1);

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PUSH = 5;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int CONTINUATION = 9;

  private static final int END_STREAM = 0x1;
  private static final int ACKNOWLEDGED = 0x1;
  private static final int END_HEADERS = 0x4;
  private static final int PADDED = 0x8;
  private static final int PRIORITY = 0x20;

  private static final int SETTING_TABLE = 1;
  private static final int SETTING_PUSH = 2;
  private static final int SETTING_STREAMS = 3;
  private static final int SETTING_WINDOW = 4;
  private static final int SETTING_FRAME = 5;

  private static final int REFUSED = 7;
  private static final int CANCEL = 8;

  private static final int FIRST_WINDOW = 65_535;
  private static final int WINDOW = 16 << 20;
  private static final int MAX_HEADERS = 64 << 10;
  private static final int LAST_ID = Integer.MAX_VALUE - 2;

  private final Connection connection;
  private final Head head;
  private final Map<Integer, Http2Stream> streams = new ConcurrentHashMap<>();
  private volatile boolean draining;
  private volatile int maxStreams = 100;

  // Under the lock.
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition windowGrew = lock.newCondition();
  private final HeaderWriter headers = new HeaderWriter();
  private FrameBuffer filling = new FrameBuffer();
  private FrameBuffer written = new FrameBuffer();
  private boolean writing;
  private int nextId = 1;
  private long sendWindow = FIRST_WINDOW;
  private int firstStreamWindow = FIRST_WINDOW;
  private int maxFrame = 16 << 10;

  // Of the reader alone.
  private final HeaderReader answers = new HeaderReader();
  private int unacknowledged;

  /// What all requests have in common.
  record Head(String authority, String prefix, String agent) {}

  private Http2Connection(Connection connection, Head head) {
    this.connection = connection;
    this.head = head;
  }

  /// Takes over a connection whose server has agreed to HTTP/2.
  static Http2Connection on(Connection connection, Head head) throws IOException {
    connection.socket().setSoTimeout(0);
    var http2 = new Http2Connection(connection, head);
    http2.greet();
    Thread.ofVirtual().name("http2-reader").start(http2::read);
    Thread.ofVirtual().name("http2-watchdog").start(http2::keepWatch);
    return http2;
  }

  private void greet() throws IOException {
    boolean claimed;
    lock.lock();
    try {
      filling.putAscii(PREFACE);
      int settings = filling.begin(SETTINGS, 0, 0);
      putSetting(SETTING_TABLE, 0);
      putSetting(SETTING_PUSH, 0);
      putSetting(SETTING_WINDOW, Http2Stream.WINDOW);
      filling.end(settings);
      putWindow(0, WINDOW - FIRST_WINDOW);
      claimed = claim();
    } finally {
      lock.unlock();
    }
    write(claimed);
  }

  private void putSetting(int name, int value) {
    filling.put(0);
    filling.put(name);
    filling.putInt(value);
  }

  private void putWindow(int stream, int more) {
    int start = filling.begin(WINDOW_UPDATE, 0, stream);
    filling.putInt(more);
    filling.end(start);
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
    Http2Stream stream;
    int sent;
    boolean claimed;
    lock.lock();
    try {
      if (draining || nextId > LAST_ID) {
        draining = true;
        throw new NotProcessedException("the connection is closing");
      }
      stream = new Http2Stream(this, nextId, whole, silence, firstStreamWindow);
      nextId += 2;
      streams.put(stream.id(), stream);
      putHead(stream.id(), call, authorization);
      sent = putBody(stream, call.body(), 0);
      claimed = claim();
    } finally {
      lock.unlock();
    }
    write(claimed);
    if (draining && streams.remove(stream.id()) != null) {
      // Closed between two looks: nobody else would tell the new stream.
      throw new IOException("the connection is closing");
    }
    sendRest(stream, call.body(), sent);
    return stream;
  }

  private void putHead(int id, Call call, @Nullable String authorization) {
    var body = call.body();
    int start = filling.begin(HEADERS, END_HEADERS | (body == null ? END_STREAM : 0), id);
    headers.begin(filling);
    headers.method(filling, call.method());
    headers.scheme(filling);
    headers.kept(filling, HeaderWriter.AUTHORITY, head.authority);
    headers.once(filling, HeaderWriter.PATH, head.prefix + call.target());
    headers.kept(filling, HeaderWriter.USER_AGENT, head.agent);
    headers.kept(filling, HeaderWriter.ACCEPT, call.accept());
    if (authorization != null) {
      headers.kept(filling, HeaderWriter.AUTHORIZATION, authorization);
    }
    if (body != null) {
      headers.kept(filling, HeaderWriter.CONTENT_TYPE, call.contentType());
      headers.once(filling, HeaderWriter.CONTENT_LENGTH, Integer.toString(body.length));
    }
    filling.end(start);
  }

  /// Puts as much as the server takes now; how far it got.
  private int putBody(Http2Stream stream, byte @Nullable [] body, int from) {
    int at = from;
    while (body != null && at < body.length) {
      int window = (int) Math.min(Math.min(sendWindow, stream.sendWindow), maxFrame);
      int size = Math.min(window, body.length - at);
      if (size <= 0) {
        break;
      }
      int start = filling.begin(DATA, at + size == body.length ? END_STREAM : 0, stream.id());
      filling.putAll(body, at, size);
      filling.end(start);
      sendWindow -= size;
      stream.sendWindow -= size;
      at += size;
    }
    return at;
  }

  private void sendRest(Http2Stream stream, byte @Nullable [] body, int from) throws IOException {
    int at = from;
    while (body != null && at < body.length && streams.containsKey(stream.id())) {
      boolean claimed = false;
      lock.lock();
      try {
        int before = at;
        at = putBody(stream, body, at);
        if (at > before) {
          claimed = claim();
        } else if (!windowGrew.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
          continue;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        stream.cancel();
        throw new InterruptedIOException("interrupted");
      } finally {
        lock.unlock();
      }
      write(claimed);
    }
  }

  /// Under the lock: whether the caller is the one to write. Nobody else is at it then, and who is
  /// will write what others put as well.
  private boolean claim() {
    boolean mine = !writing;
    writing = true;
    return mine;
  }

  @SuppressWarnings("ThreadPriorityCheck") // without the yield it is slower, not wrong
  private void write(boolean claimed) throws IOException {
    if (!claimed) {
      return;
    }
    // Those who are about to send come first: together they are one record.
    Thread.yield();
    try {
      for (var frames = takeFrames(); frames != null; frames = takeFrames()) {
        connection.out().write(frames.bytes(), 0, frames.length());
        connection.out().flush();
      }
    } catch (IOException e) {
      close(e);
      throw e;
    }
  }

  private @Nullable FrameBuffer takeFrames() {
    lock.lock();
    try {
      if (filling.length() == 0) {
        writing = false;
        return null;
      }
      var full = filling;
      filling = written;
      filling.clear();
      written = full;
      return full;
    } finally {
      lock.unlock();
    }
  }

  private void read() {
    try {
      var frames = new FrameReader(connection.in());
      while (true) {
        frames.next();
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
      case DATA -> takeData(frame);
      case HEADERS -> takeHeaders(frame);
      case RESET -> takeReset(frame);
      case SETTINGS -> takeSettings(frame);
      case PING -> takePing(frame);
      case GO_AWAY -> takeGoAway(frame);
      case WINDOW_UPDATE -> takeWindow(frame);
      case PUSH, CONTINUATION -> throw new IOException("the server sends frames out of order");
      default -> {
        // To be ignored, so that the protocol can grow.
      }
    }
  }

  private void takeData(FrameReader frame) throws IOException {
    unacknowledged += frame.length();
    if (unacknowledged >= WINDOW / 2) {
      widen(0, unacknowledged);
      unacknowledged = 0;
    }
    var stream = streams.get(frame.stream());
    if (stream == null) {
      return;
    }
    frame.strip(frame.has(PADDED), 0);
    boolean last = frame.has(END_STREAM);
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
        widen(stream.id(), credit);
      }
    }
    stream.data(frame.bytes(), frame.contentAt(), frame.contentLength(), last);
  }

  private void takeHeaders(FrameReader frame) throws IOException {
    int id = frame.stream();
    boolean last = frame.has(END_STREAM);
    frame.strip(frame.has(PADDED), frame.has(PRIORITY) ? 5 : 0);
    if (frame.has(END_HEADERS)) {
      answers.read(frame.bytes(), frame.contentAt(), frame.contentLength());
    } else {
      var block = new FrameBuffer();
      block.putAll(frame.bytes(), frame.contentAt(), frame.contentLength());
      do {
        frame.next();
        if (frame.type() != CONTINUATION || frame.stream() != id) {
          throw new IOException("the server sends frames out of order");
        }
        frame.strip(false, 0);
        block.putAll(frame.bytes(), frame.contentAt(), frame.contentLength());
        if (block.length() > MAX_HEADERS) {
          throw new IOException("the headers of the answer are longer than 64 KiB");
        }
      } while (!frame.has(END_HEADERS));
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
          code == REFUSED
              ? new NotProcessedException("the server refused the request for now")
              : new IOException("the server broke the request off, code " + code));
    }
  }

  private void takeSettings(FrameReader frame) throws IOException {
    if (frame.has(ACKNOWLEDGED)) {
      return;
    }
    boolean claimed;
    lock.lock();
    try {
      for (int at = 0; at + 6 <= frame.length(); at += 6) {
        set(frame.shortAt(at), frame.intAt(at + 2));
      }
      filling.end(filling.begin(SETTINGS, ACKNOWLEDGED, 0));
      windowGrew.signalAll();
      claimed = claim();
    } finally {
      lock.unlock();
    }
    write(claimed);
  }

  private void set(int name, int value) throws IOException {
    switch (name) {
      case SETTING_TABLE -> headers.limit(value < 0 ? Integer.MAX_VALUE : value);
      case SETTING_STREAMS -> maxStreams = value < 0 ? Integer.MAX_VALUE : value;
      case SETTING_WINDOW -> {
        if (value < 0) {
          throw new IOException("the server opens too large a window");
        }
        for (var stream : streams.values()) {
          stream.sendWindow += (long) value - firstStreamWindow;
        }
        firstStreamWindow = value;
      }
      case SETTING_FRAME -> maxFrame = value;
      default -> {
        // Not about us.
      }
    }
  }

  private void takePing(FrameReader frame) throws IOException {
    if (frame.has(ACKNOWLEDGED)) {
      return;
    }
    boolean claimed;
    lock.lock();
    try {
      int start = filling.begin(PING, ACKNOWLEDGED, 0);
      filling.putInt(frame.intAt(0));
      filling.putInt(frame.intAt(4));
      filling.end(start);
      claimed = claim();
    } finally {
      lock.unlock();
    }
    write(claimed);
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
    lock.lock();
    try {
      if (frame.stream() == 0) {
        sendWindow += more;
      } else {
        var stream = streams.get(frame.stream());
        if (stream != null) {
          stream.sendWindow += more;
        }
      }
      windowGrew.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Tells the server that so much has been read; 0 is the connection as a whole.
  void widen(int stream, int bytes) throws IOException {
    boolean claimed;
    lock.lock();
    try {
      putWindow(stream, bytes);
      claimed = claim();
    } finally {
      lock.unlock();
    }
    write(claimed);
  }

  /// Tells the server that nobody waits for this answer any more.
  void reset(Http2Stream stream) {
    streams.remove(stream.id());
    boolean claimed;
    lock.lock();
    try {
      int start = filling.begin(RESET, 0, stream.id());
      filling.putInt(CANCEL);
      filling.end(start);
      claimed = claim();
    } finally {
      lock.unlock();
    }
    try {
      write(claimed);
    } catch (IOException e) {
      // The connection is gone, and the stream with it.
    }
  }

  private void keepWatch() {
    try {
      while (!draining || !streams.isEmpty()) {
        Thread.sleep(TICK);
        long now = System.nanoTime();
        for (var stream : streams.values()) {
          if (stream.isOverdue(now)) {
            draining = true;
            stream.fail(new IOException("the server does not answer"));
            reset(stream);
          }
        }
      }
      close(new IOException("the connection is closed"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
