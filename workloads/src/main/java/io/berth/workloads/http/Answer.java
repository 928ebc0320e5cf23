package io.berth.workloads.http;

import io.berth.codec.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What goes back: a whole body, or events for as long as both sides like.
public sealed interface Answer {

  int code();

  Map<String, String> headers();

  record Whole(int code, Map<String, String> headers, byte[] body) implements Answer {

    public Whole with(String header, String value) {
      var more = new LinkedHashMap<>(headers);
      more.put(header, value);
      return new Whole(code, more, body);
    }

    /// With what the caller should know although the request succeeded.
    public Whole warning(List<String> warnings) {
      return warnings.isEmpty()
          ? this
          : with("Warning", "299 - \"%s\"".formatted(String.join("; ", warnings)));
    }

    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  record Stream(int code, Map<String, String> headers, Feed feed) implements Answer {}

  static Whole json(int code, @Nullable Object value) {
    return new Whole(code, Map.of("Content-Type", "application/json"), Json.write(value));
  }

  static Whole empty(int code) {
    return new Whole(code, Map.of(), new byte[0]);
  }

  static Whole bytes(int code, String contentType, byte[] body) {
    return new Whole(code, Map.of("Content-Type", contentType), body);
  }

  /// Writes until it is done, or until the other side closes.
  interface Feed {

    void writeTo(Outlet outlet) throws IOException, InterruptedException;
  }

  /// The other side of a feed.
  interface Outlet {

    void send(byte[] bytes) throws IOException;

    /// Runs when the client leaves, at once if it already has.
    void onClose(Runnable action);
  }
}
