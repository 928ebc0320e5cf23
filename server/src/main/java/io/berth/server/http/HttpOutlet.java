package io.berth.server.http;

import io.berth.server.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// A chunked body: JSON events are lines.
///
/// Events that come at once go out together. Encrypting and writing them one by one would cost more
/// than all the rest of a watch.
final class HttpOutlet implements Answer.Outlet {

  private static final long IDLE = Long.MIN_VALUE;

  /// About as much as goes out in one piece anyway.
  private static final int TOGETHER = 32 << 10;

  private final Writer out;
  private final boolean raw;
  private final CloseSignal closed = new CloseSignal();
  private volatile long sending = IDLE;

  // Used by the thread of the stream alone.
  private byte[] pending = new byte[1 << 10];
  private int size;

  HttpOutlet(Writer out, String contentType) {
    this.out = out;
    // Text and files are sent as they are; binary events carry their length already.
    this.raw = !contentType.equals("application/json");
  }

  void open() throws IOException {
    out.write(false, ByteBuffer.allocate(0));
  }

  @Override
  public void send(byte[] frame) throws IOException {
    append(frame);
    flush();
  }

  @Override
  public void append(byte[] frame) throws IOException {
    if (size > 0 && size + frame.length + 1 > TOGETHER) {
      flush();
    }
    if (size + frame.length + 1 > pending.length) {
      pending = Arrays.copyOf(pending, Math.max(2 * pending.length, size + frame.length + 1));
    }
    System.arraycopy(frame, 0, pending, size, frame.length);
    size += frame.length;
    if (!raw) {
      pending[size++] = '\n';
    }
  }

  @Override
  public void flush() throws IOException {
    if (size > 0) {
      sending = System.nanoTime();
      out.write(false, ByteBuffer.wrap(pending, 0, size));
      sending = IDLE;
      size = 0;
      if (pending.length > 2 * TOGETHER) {
        pending = new byte[TOGETHER];
      }
    }
  }

  /// Whether the client has not taken a frame for too long.
  boolean isStalled() {
    long since = sending;
    return since != IDLE && System.nanoTime() - since > Limits.WATCH_STALL.toNanos();
  }

  @Override
  public void onClose(Runnable action) {
    closed.onClose(action);
  }

  void close() {
    closed.close();
  }
}
