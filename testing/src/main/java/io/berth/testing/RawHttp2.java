package io.berth.testing;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// HTTP/2 frame by frame, for what no client that means well would send.
///
/// One thread writes, another one may read. Heads are plain literals: nothing is compressed.
public final class RawHttp2 implements Closeable {

  public static final int DATA = 0;
  public static final int HEADERS = 1;
  public static final int PRIORITY = 2;
  public static final int RESET = 3;
  public static final int SETTINGS = 4;
  public static final int PING = 6;
  public static final int GOAWAY = 7;
  public static final int WINDOW_UPDATE = 8;
  public static final int CONTINUATION = 9;

  public static final int END_STREAM = 1;
  public static final int END_HEADERS = 4;

  private static final int BUFFERED = 16 << 10;

  private final SSLSocket socket;
  private final OutputStream out;
  private final DataInputStream in;
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

  /// Shakes hands and sends the preface with `settings`, the payload of its frame.
  public RawHttp2(SSLContext tls, int port, byte... settings) throws IOException {
    socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port);
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    out = socket.getOutputStream();
    in = new DataInputStream(socket.getInputStream());
    pending.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, settings);
    flush();
  }

  /// Frames go out together, many in one record.
  public RawHttp2 frame(int type, int flags, int stream, byte... payload) throws IOException {
    pending.writeBytes(
        ByteBuffer.allocate(9)
            .putInt(payload.length << 8 | type)
            .put((byte) flags)
            .putInt(stream)
            .array());
    pending.writeBytes(payload);
    if (pending.size() >= BUFFERED) {
      flush();
    }
    return this;
  }

  /// Bytes that need not be a frame.
  public void raw(byte... bytes) throws IOException {
    pending.writeBytes(bytes);
    flush();
  }

  public void flush() throws IOException {
    out.write(pending.toByteArray());
    out.flush();
    pending.reset();
  }

  /// The next frame; blocks until there is one.
  public Frame read() throws IOException {
    int lengthAndType = in.readInt();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    return new Frame(lengthAndType & 0xff, flags, stream, in.readNBytes(lengthAndType >>> 8));
  }

  public record Frame(int type, int flags, int stream, byte[] payload) {}

  /// A header block: method, path, and then names and values by turns.
  public static byte[] head(String method, String path, String... more) {
    var block = new ByteArrayOutputStream();
    literal(block, ":method", method);
    literal(block, ":scheme", "https");
    literal(block, ":authority", "127.0.0.1");
    literal(block, ":path", path);
    for (int i = 0; i < more.length; i += 2) {
      literal(block, more[i], more[i + 1]);
    }
    return block.toByteArray();
  }

  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    text(block, name);
    text(block, value);
  }

  private static void text(ByteArrayOutputStream block, String text) {
    int rest = text.length() - 127;
    block.write(Math.min(text.length(), 127));
    for (; rest >= 128; rest >>>= 7) {
      block.write((rest & 127) | 128);
    }
    if (text.length() >= 127) {
      block.write(rest);
    }
    block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public static byte[] number(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
