package io.berth.console;

import io.berth.api.ApiException;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What keeps other sites out of a browser's session, and other things out of the page.
///
/// @param hosts the names under which the console may be called, with port; empty where TLS says so
/// @param scheme `https`, or `http` on loopback
record Guard(String scheme, Set<String> hosts) {

  private static final List<Map.Entry<String, String>> HEADERS =
      List.of(
          Map.entry(
              "Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                  + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none';"
                  + " form-action 'none'"),
          Map.entry("X-Content-Type-Options", "nosniff"),
          Map.entry("Referrer-Policy", "no-referrer"),
          Map.entry("Cross-Origin-Opener-Policy", "same-origin"),
          Map.entry("Cross-Origin-Resource-Policy", "same-origin"));

  /// Refuses names that somebody else gave this address, as in DNS rebinding.
  void checkHost(Call call) {
    if (!hosts.isEmpty() && !hosts.contains(call.header("host"))) {
      throw new ApiException(
          421,
          "MisdirectedRequest",
          "host \"%s\" is not served here; use one of %s"
              .formatted(call.header("host"), String.join(", ", hosts)));
    }
  }

  /// Refuses requests that a page of another site has its reader's browser send.
  void checkSite(Call call) {
    var site = call.header("sec-fetch-site");
    if (!site.isEmpty() && !site.equals("same-origin") && !site.equals("none")) {
      throw forbidden("requests from other sites are refused");
    }
  }

  /// The same for what changes something: only the console's own page can send this.
  void checkWrite(Call call) {
    if (!call.header("x-berth-console").equals("1")) {
      throw forbidden("the header X-Berth-Console: 1 is missing");
    }
    var own = scheme + "://" + call.header("host");
    if (!call.header("origin").equals(own)) {
      throw forbidden("origin \"%s\" is not %s".formatted(call.header("origin"), own));
    }
  }

  private static ApiException forbidden(String message) {
    return new ApiException(403, "Forbidden", message);
  }

  static Answer withHeaders(Answer answer) {
    var headers = new ArrayList<>(answer.headers());
    headers.addAll(HEADERS);
    return switch (answer) {
      case Answer.Whole whole -> new Answer.Whole(whole.code(), headers, whole.pieces());
      case Answer.Stream stream -> new Answer.Stream(stream.code(), headers, stream.frames());
    };
  }
}
