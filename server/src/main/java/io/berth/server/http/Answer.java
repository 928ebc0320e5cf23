package io.berth.server.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What goes back: a whole body, or frames for as long as both sides like.
public sealed interface Answer {

  int code();

  /// Names and values in the order they are sent; a name may occur twice.
  List<Map.Entry<String, String>> headers();

  record Whole(int code, List<Map.Entry<String, String>> headers, Pieces pieces) implements Answer {

    public Whole(int code, List<Map.Entry<String, String>> headers, byte[] body) {
      this(code, headers, Pieces.of(body));
    }

    public byte[] body() {
      return pieces.joined();
    }
  }

  record Stream(int code, List<Map.Entry<String, String>> headers, Frames frames)
      implements Answer {}

  static Whole of(int code, String contentType, byte[] body) {
    var headers = new ArrayList<Map.Entry<String, String>>();
    if (!contentType.isEmpty()) {
      headers.add(Map.entry("Content-Type", contentType));
    }
    return new Whole(code, headers, body);
  }

  /// Writes until it is done, or until the outlet closes.
  interface Frames {

    void writeTo(Outlet outlet) throws IOException, InterruptedException;
  }

  /// The other side of a stream. A send blocks until the client can take more.
  interface Outlet {

    /// One event: a line of JSON, a length-prefixed message, or a WebSocket message.
    void send(byte[] frame) throws IOException;

    /// One event that may wait for others until [#flush()].
    default void append(byte[] frame) throws IOException {
      send(frame);
    }

    /// Sends what was appended.
    default void flush() throws IOException {}

    /// Runs when the client leaves, at once if it already has.
    void onClose(Runnable action);
  }
}
