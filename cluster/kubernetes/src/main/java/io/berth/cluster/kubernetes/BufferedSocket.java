package io.berth.cluster.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/// A socket from which as much is read at once as there is.
///
/// TLS reads the head of each record and then the record; without a buffer each of them is a call
/// of the operating system.
final class BufferedSocket extends Socket {

  private static final int BUFFER = 17 << 10;

  private @Nullable InputStream buffered;

  @Override
  public synchronized InputStream getInputStream() throws IOException {
    if (buffered == null) {
      buffered = new Buffered(super.getInputStream());
    }
    return buffered;
  }

  /// Never waits for more than one byte: who asks for many gets those that are there.
  private static final class Buffered extends InputStream {

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;

    Buffered(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      return position < limit || fill() ? buffer[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (position == limit) {
        if (length >= BUFFER) {
          return in.read(target, offset, length);
        }
        if (length > 0 && !fill()) {
          return -1;
        }
      }
      int taken = Math.min(length, limit - position);
      System.arraycopy(buffer, position, target, offset, taken);
      position += taken;
      return taken;
    }

    private boolean fill() throws IOException {
      position = 0;
      limit = 0;
      int read = in.read(buffer, 0, BUFFER);
      limit = Math.max(0, read);
      return read > 0;
    }

    @Override
    public int available() throws IOException {
      return limit - position + in.available();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
