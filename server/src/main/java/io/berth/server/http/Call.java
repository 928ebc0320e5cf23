package io.berth.server.http;

import io.berth.server.budget.Visitor;
import io.berth.server.request.Query;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// One HTTP request: where it points, what came with it, and its body when it is asked for.
///
/// Header names are lower case. `path` is decoded once and begins with a slash.
public record Call(
    String method,
    String path,
    Query query,
    Map<String, List<String>> headers,
    List<X509Certificate> certificates,
    String remoteAddress,
    Body body,
    Visitor visitor,
    Map<String, String> auditAnnotations) {

  /// `auditAnnotations` begin empty: whoever serves the call adds what the audit log is to be told.
  public Call(
      String method,
      String path,
      Query query,
      Map<String, List<String>> headers,
      List<X509Certificate> certificates,
      String remoteAddress,
      Body body,
      Visitor visitor) {
    this(method, path, query, headers, certificates, remoteAddress, body, visitor, new HashMap<>());
  }

  /// From a caller who may take whatever it needs.
  public Call(
      String method,
      String path,
      Query query,
      Map<String, List<String>> headers,
      List<X509Certificate> certificates,
      String remoteAddress,
      Body body) {
    this(method, path, query, headers, certificates, remoteAddress, body, Visitor.guest());
  }

  /// The first value of a header, or `""`.
  public String header(String name) {
    var values = headers.get(name.toLowerCase(Locale.ROOT));
    return values == null || values.isEmpty() ? "" : values.getFirst();
  }

  public List<String> headerValues(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  /// About what the head takes in memory.
  public long headBytes() {
    long bytes = 2048L + 2L * path.length();
    for (var values : headers.values()) {
      for (var value : values) {
        bytes += 64 + value.length();
      }
    }
    return bytes;
  }

  public boolean isUpgrade() {
    return header("upgrade").equalsIgnoreCase("websocket");
  }

  /// The body; it is read when it is first asked for.
  public interface Body {

    Body EMPTY = () -> new byte[0];

    /// Throws the refusal for one that is too large.
    byte[] read();

    /// As above, for where no more than `most` bytes make sense.
    default byte[] read(int most) {
      return read();
    }
  }
}
