package io.berth.server.aggregation;

import io.berth.server.request.Query;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.TreeMap;

/// Writes the path and the parameters that were authorized into a URL again.
///
/// Both were decoded once; the other server decodes them once, and so reads what was read here.
final class RemotePaths {

  private static final String PLAIN = "-._~!$&'()*+,;=:@/";

  private RemotePaths() {}

  /// Whether every server reads the same resource in this path: some leave out empty segments, and
  /// follow dots.
  static boolean isPlain(String path) {
    var inner = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    for (var segment : inner.substring(1).split("/", -1)) {
      if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
        return false;
      }
    }
    return path.chars().noneMatch(c -> c < ' ' || c == '\\' || c == 0x7f);
  }

  static String encode(String path, Query query) {
    var encoded = new StringBuilder();
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean legal =
          (c >= '0' && c <= '9')
              || (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || PLAIN.indexOf(c) >= 0;
      encoded.append(legal ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    var parameters = new StringJoiner("&", "?", "").setEmptyValue("");
    new TreeMap<>(query.parameters())
        .forEach((name, values) ->
            values.forEach(value -> parameters.add(encode(name) + "=" + encode(value))));
    return encoded.append(parameters).toString();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
