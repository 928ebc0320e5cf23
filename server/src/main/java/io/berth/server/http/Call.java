package io.berth.server.http;

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
    Map<String, String> auditAnnotations) {

  /// `auditAnnotations` begin empty: whoever serves the call adds what the audit log is to be told.
  public Call(
      String method,
      String path,
      Query query,
      Map<String, List<String>> headers,
      List<X509Certificate> certificates,
      String remoteAddress,
      Body body) {
    this(method, path, query, headers, certificates, remoteAddress, body, new HashMap<>());
  }

  /// The first value of a header, or `""`.
  public String header(String name) {
    var values = headers.get(name.toLowerCase(Locale.ROOT));
    return values == null || values.isEmpty() ? "" : values.getFirst();
  }

  public List<String> headerValues(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  public boolean isUpgrade() {
    return header("upgrade").equalsIgnoreCase("websocket");
  }

  /// Reads the body, at most once; throws the refusal for one that is too large.
  public interface Body {

    Body EMPTY = () -> new byte[0];

    byte[] read();
  }
}
