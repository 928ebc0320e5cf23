package io.berth.console;

import io.berth.console.session.Sessions;
import io.berth.server.http.Call;

/// The cookie that stands for a session. No script can read it, no other site has it sent.
///
/// Cookies know no ports: its name is this console's own, so that two on one machine do not put out
/// each other's.
record Cookie(String name, boolean secure) {

  /// Browsers take a name with `__Host-` over TLS only, for this host and no other.
  static Cookie of(String console, boolean secure) {
    return new Cookie((secure ? "__Host-" : "") + "berth-" + console, secure);
  }

  /// What the caller sent, `""` if nothing.
  String read(Call call) {
    for (var header : call.headerValues("cookie")) {
      for (var pair : header.split(";", -1)) {
        var text = pair.strip();
        if (text.startsWith(name + "=")) {
          return text.substring(name.length() + 1);
        }
      }
    }
    return "";
  }

  String set(String secret) {
    return text(secret, Sessions.LONGEST.toSeconds());
  }

  String end() {
    return text("", 0);
  }

  private String text(String value, long seconds) {
    return "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict%s"
        .formatted(name, value, seconds, secure ? "; Secure" : "");
  }
}
