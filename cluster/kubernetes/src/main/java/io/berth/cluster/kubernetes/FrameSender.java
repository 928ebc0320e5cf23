package io.berth.cluster.kubernetes;

import io.berth.cluster.kubernetes.HttpClient.Call;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The half of an [Http2Connection] that sends.
///
/// Who sends puts frames into a buffer, under a lock; the first to do so writes them all. Of a body
/// no more is sent than the server has room for.
final class FrameSender {

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final long TICK_MILLIS = 1000;
  private static final int LAST_ID = Integer.MAX_VALUE - 2;

  private final OutputStream out;
  private final Http2Connection.Head head;

  // Under the lock.
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition windowGrew = lock.newCondition();
  private final HeaderWriter headers = new HeaderWriter();
  private FrameBuffer filling = new FrameBuffer();
  private FrameBuffer written = new FrameBuffer();
  private boolean writing;
  private int nextId = 1;
  private long window = Frames.FIRST_WINDOW;
  private int streamWindow = Frames.FIRST_WINDOW;
  private int maxFrame = Frames.FIRST_MAX_FRAME;

  FrameSender(OutputStream out, Http2Connection.Head head) {
    this.out = out;
    this.head = head;
  }

  /// Begins the connection, with a window of this many bytes for all answers together.
  void greet(int ownWindow) throws IOException {
    put(frames -> {
      frames.putAscii(PREFACE);
      int settings = frames.begin(Frames.SETTINGS, 0, 0);
      putSetting(frames, Frames.SETTING_TABLE, 0);
      putSetting(frames, Frames.SETTING_PUSH, 0);
      putSetting(frames, Frames.SETTING_WINDOW, Http2Stream.WINDOW);
      frames.end(settings);
      putNumber(frames, Frames.WINDOW_UPDATE, 0, ownWindow - Frames.FIRST_WINDOW);
    });
  }

  private static void putSetting(FrameBuffer frames, int name, int value) {
    frames.put(0);
    frames.put(name);
    frames.putInt(value);
  }

  private static void putNumber(FrameBuffer frames, int type, int stream, int value) {
    int start = frames.begin(type, 0, stream);
    frames.putInt(value);
    frames.end(start);
  }

  /// Tells the server that so much has been read; 0 is the connection as a whole.
  void widen(int stream, int bytes) throws IOException {
    put(frames -> putNumber(frames, Frames.WINDOW_UPDATE, stream, bytes));
  }

  /// Tells the server that nobody waits for this answer any more.
  void cancel(int stream) throws IOException {
    put(frames -> putNumber(frames, Frames.RESET, stream, Frames.CANCEL));
  }

  /// Asks for a sign of life.
  void ping() throws IOException {
    put(frames -> putPing(frames, 0, 0, 0));
  }

  /// Says that we live.
  void answerPing(int first, int second) throws IOException {
    put(frames -> putPing(frames, Frames.ACKNOWLEDGED, first, second));
  }

  private static void putPing(FrameBuffer frames, int flags, int first, int second) {
    int start = frames.begin(Frames.PING, flags, 0);
    frames.putInt(first);
    frames.putInt(second);
    frames.end(start);
  }

  /// Takes settings, which `change` applies under the lock, and says so.
  void acknowledge(Runnable change) throws IOException {
    put(frames -> {
      change.run();
      windowGrew.signalAll();
      frames.end(frames.begin(Frames.SETTINGS, Frames.ACKNOWLEDGED, 0));
    });
  }

  /// Of [#acknowledge]: the server keeps a table of headers no larger than this.
  void limitTable(int bytes) {
    headers.limit(bytes);
  }

  /// Of [#acknowledge]: no frame may be longer than this.
  void limitFrames(int bytes) {
    maxFrame = bytes;
  }

  /// Of [#acknowledge]: the room that the server has for each body from now on.
  void resizeWindows(int bytes, Collection<Http2Stream> open) {
    for (var stream : open) {
      stream.sendWindow += (long) bytes - streamWindow;
    }
    streamWindow = bytes;
  }

  /// The server has room for more, of one body or of all together.
  void widened(@Nullable Http2Stream stream, int bytes) {
    lock.lock();
    try {
      if (stream == null) {
        window += bytes;
      } else {
        stream.sendWindow += bytes;
      }
      windowGrew.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Sends a request as the stream that `opening` makes; numbers ascend in the order of sending.
  Http2Stream send(Call call, @Nullable String authorization, Opening opening) throws IOException {
    Http2Stream stream;
    int sent;
    boolean claimed;
    lock.lock();
    try {
      if (nextId > LAST_ID) {
        throw new NotProcessedException("the connection has run out of numbers");
      }
      stream = opening.open(nextId, streamWindow);
      nextId += 2;
      putHead(stream.id(), call, authorization);
      sent = putBody(stream, call.body(), 0);
      claimed = claim();
    } finally {
      lock.unlock();
    }
    write(claimed);
    sendRest(stream, call.body(), sent);
    return stream;
  }

  private void putHead(int id, Call call, @Nullable String authorization) {
    var body = call.body();
    int flags = Frames.END_HEADERS | (body == null ? Frames.END_STREAM : 0);
    int start = filling.begin(Frames.HEADERS, flags, id);
    headers.begin(filling);
    headers.method(filling, call.method());
    headers.scheme(filling);
    headers.kept(filling, HeaderWriter.AUTHORITY, head.authority());
    headers.once(filling, HeaderWriter.PATH, head.prefix() + call.target());
    headers.kept(filling, HeaderWriter.USER_AGENT, head.agent());
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
      int room = (int) Math.min(Math.min(window, stream.sendWindow), maxFrame);
      int size = Math.min(room, body.length - at);
      if (size <= 0) {
        break;
      }
      int flags = at + size == body.length ? Frames.END_STREAM : 0;
      int start = filling.begin(Frames.DATA, flags, stream.id());
      filling.putAll(body, at, size);
      filling.end(start);
      window -= size;
      stream.sendWindow -= size;
      at += size;
    }
    return at;
  }

  private void sendRest(Http2Stream stream, byte @Nullable [] body, int from) throws IOException {
    int at = from;
    while (body != null && at < body.length && stream.isOpen()) {
      boolean claimed = false;
      lock.lock();
      try {
        int before = at;
        at = putBody(stream, body, at);
        if (at > before) {
          claimed = claim();
        } else if (!windowGrew.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
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

  private void put(Consumer<FrameBuffer> frames) throws IOException {
    boolean claimed;
    lock.lock();
    try {
      frames.accept(filling);
      claimed = claim();
    } finally {
      lock.unlock();
    }
    write(claimed);
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
    // A thread that was interrupted would close the socket of all others.
    boolean interrupted = Thread.interrupted();
    try {
      for (var frames = takeFrames(); frames != null; frames = takeFrames()) {
        out.write(frames.bytes(), 0, frames.length());
        out.flush();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
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

  /// Makes the stream of a request, under the lock.
  interface Opening {

    Http2Stream open(int id, long window) throws IOException;
  }
}
