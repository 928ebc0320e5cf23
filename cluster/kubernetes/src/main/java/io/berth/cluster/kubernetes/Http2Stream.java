package io.berth.cluster.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One request on an [Http2Connection] and its answer.
///
/// The connection's reader puts in what comes; one thread takes it out. What comes faster than it
/// is taken waits here, up to [#WINDOW] bytes, and then at the server.
final class Http2Stream implements Answer {

  /// What a server may send before some of it has been read.
  static final int WINDOW = 1 << 20;

  private final Http2Connection connection;
  private final int id;
  private final boolean whole;
  private final long silenceNanos;
  private final Body body = new Body();
  private volatile long deadline;

  // Under the lock of this object.
  private final ArrayDeque<byte[]> chunks = new ArrayDeque<>(2);
  private long received;
  private int status;
  private String contentType = "";
  private int retryAfterSeconds;
  private boolean ended;
  private @Nullable IOException failure;
  private @Nullable Thread waiter;

  private int owed;

  /// What may still be sent; owned by the connection's sender, under its lock.
  long sendWindow;

  /// `whole` is an answer that is looked at when it has come whole, in the time of `silence`; any
  /// other may last as long as it is never silent for that long.
  Http2Stream(
      Http2Connection connection, int id, boolean whole, Duration silence, long sendWindow) {
    this.connection = connection;
    this.id = id;
    this.whole = whole;
    this.silenceNanos = silence.toNanos();
    this.deadline = System.nanoTime() + silenceNanos;
    this.sendWindow = sendWindow;
  }

  int id() {
    return id;
  }

  /// Whether the server still waits for the request, or we for the answer.
  boolean isOpen() {
    return connection.isOpen(this);
  }

  /// Whether the server has been silent for too long.
  boolean isOverdue(long now) {
    return now - deadline > 0;
  }

  synchronized void head(HeaderReader headers, boolean last) {
    if (headers.status() / 100 == 1) {
      return;
    }
    // What comes after the body are trailers, which say nothing that is needed here.
    if (status == 0) {
      status = headers.status();
      contentType = headers.contentType();
      retryAfterSeconds = headers.retryAfterSeconds();
    }
    ended |= last;
    progress();
  }

  synchronized void data(byte[] bytes, int offset, int length, boolean last) {
    if (length > 0) {
      var chunk = new byte[length];
      System.arraycopy(bytes, offset, chunk, 0, length);
      chunks.add(chunk);
      received += length;
    }
    ended |= last;
    progress();
  }

  private void progress() {
    if (!whole) {
      deadline = System.nanoTime() + silenceNanos;
    }
    if (!whole || ended) {
      wake();
    }
  }

  synchronized void fail(IOException cause) {
    if (!ended && failure == null) {
      failure = cause;
      wake();
    }
  }

  private void wake() {
    if (waiter != null) {
      LockSupport.unpark(waiter);
    }
  }

  synchronized boolean isEnded() {
    return ended;
  }

  /// Counts bytes that nobody will read one by one; how many to tell the server of now, or 0.
  /// Called by the connection's reader.
  int credit(int bytes) {
    owed += bytes;
    if (owed < WINDOW / 2) {
      return 0;
    }
    int due = owed;
    owed = 0;
    return due;
  }

  /// Bytes that have come, of which a whole answer may not have any number.
  synchronized long received() {
    return received;
  }

  boolean isWhole() {
    return whole;
  }

  /// Waits for the head, or for everything if it is to be whole.
  Http2Stream await() throws IOException {
    while (!isThere(false)) {
      park();
    }
    if (status == 0) {
      throw new IOException("the server ended its answer before it began");
    }
    return this;
  }

  private synchronized boolean isThere(boolean content) throws IOException {
    boolean there = ended || (content ? !chunks.isEmpty() : status != 0 && !whole);
    if (!there && failure != null) {
      throw again(failure);
    }
    waiter = there ? null : Thread.currentThread();
    return there;
  }

  // The connection's failure is told to many: each gets its own, with its own stack.
  private static IOException again(IOException cause) {
    if (cause instanceof NotProcessedException) {
      return new NotProcessedException(String.valueOf(cause.getMessage()));
    }
    return new IOException(
        cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
  }

  private void park() throws IOException {
    LockSupport.park(this);
    if (Thread.currentThread().isInterrupted()) {
      cancel();
      throw new InterruptedIOException("interrupted");
    }
  }

  /// Ends it at once, also under a thread that reads; the server is told.
  void cancel() {
    boolean open;
    synchronized (this) {
      open = !ended && failure == null;
      if (open) {
        failure = new IOException("ended by us");
        wake();
      }
    }
    if (open) {
      connection.reset(this);
    }
  }

  @Override
  public synchronized int status() {
    return status;
  }

  @Override
  public synchronized String contentType() {
    return contentType;
  }

  @Override
  public synchronized int retryAfterSeconds() {
    return retryAfterSeconds;
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public byte[] bytes(int limit) throws IOException {
    synchronized (this) {
      if (ended && chunks.size() == 1 && chunks.getFirst().length <= limit) {
        return chunks.removeFirst();
      }
    }
    return Answer.super.bytes(limit);
  }

  private synchronized byte @Nullable [] takeChunk() {
    return chunks.pollFirst();
  }

  /// What has come, chunk by chunk.
  private final class Body extends InputStream {

    private byte[] chunk = {};
    private int position;
    private int unacknowledged;

    @Override
    public int read() throws IOException {
      return more() ? chunk[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (!more()) {
        return -1;
      }
      int taken = Math.min(length, chunk.length - position);
      System.arraycopy(chunk, position, target, offset, taken);
      position += taken;
      return taken;
    }

    private boolean more() throws IOException {
      if (position < chunk.length) {
        return true;
      }
      while (!isThere(true)) {
        park();
      }
      var next = takeChunk();
      if (next == null) {
        return false;
      }
      chunk = next;
      position = 0;
      unacknowledged += next.length;
      if (!whole && unacknowledged >= WINDOW / 2 && !isEnded()) {
        connection.widen(Http2Stream.this, unacknowledged);
        unacknowledged = 0;
      }
      return true;
    }
  }
}
