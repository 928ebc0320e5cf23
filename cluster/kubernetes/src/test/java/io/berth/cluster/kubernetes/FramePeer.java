package io.berth.cluster.kubernetes;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// The other end of an [Http2Connection], which sends and expects frame by frame what a test says.
final class FramePeer implements AutoCloseable {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GO_AWAY = 7;
  static final int WINDOW = 8;
  static final int CONTINUATION = 9;

  private static final int PREFACE = 24;

  private final ServerSocket listener = new ServerSocket(0, 4, InetAddress.getLoopbackAddress());
  private final Http2Connection client;
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  FramePeer() throws IOException {
    this(
        new Http2Connection.Patience(
            Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1)));
  }

  FramePeer(Http2Connection.Patience patience) throws IOException {
    var uri = URI.create("http://127.0.0.1:" + listener.getLocalPort());
    var access = new Access(uri, "127.0.0.1", null, Credentials.NONE, "default");
    var connection = Connection.open(access, Duration.ofSeconds(10));
    client = Http2Connection.on(connection, new Http2Connection.Head("peer", "", "test"), patience);
    socket = listener.accept();
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
    in.readNBytes(PREFACE);
    expect(SETTINGS);
    expect(WINDOW);
  }

  Http2Connection client() {
    return client;
  }

  /// The next frame, which must be of this type.
  Frame expect(int type) throws IOException {
    var frame = next();
    if (frame.type != type) {
      throw new AssertionError("expected a frame of type %d, not %s".formatted(type, frame));
    }
    return frame;
  }

  private Frame next() throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    return new Frame(type, flags, stream, in.readNBytes(length));
  }

  FramePeer send(int type, int flags, int stream, byte[] payload) throws IOException {
    out.writeByte(payload.length >> 16);
    out.writeShort(payload.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(payload);
    out.flush();
    return this;
  }

  FramePeer send(int type, int flags, int stream, int... payload) throws IOException {
    var bytes = new byte[payload.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) payload[i];
    }
    return send(type, flags, stream, bytes);
  }

  /// An answer with status 200.
  FramePeer answer(int stream, String body) throws IOException {
    send(HEADERS, 0x4, stream, 0x88);
    return send(DATA, 0x1, stream, body.getBytes(StandardCharsets.ISO_8859_1));
  }

  /// Tells of settings and waits until they are taken.
  FramePeer set(int name, int value) throws IOException {
    send(SETTINGS, 0, 0, 0, name, value >> 24, value >> 16, value >> 8, value);
    expect(SETTINGS);
    return this;
  }

  static byte[] number(int value) {
    return new byte[] {
      (byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value
    };
  }

  void hangUp() throws IOException {
    socket.close();
  }

  @Override
  public void close() throws IOException {
    client.close(new IOException("the test is over"));
    socket.close();
    listener.close();
  }

  record Frame(int type, int flags, int stream, byte[] payload) {

    String text() {
      return new String(payload, StandardCharsets.ISO_8859_1);
    }
  }
}
