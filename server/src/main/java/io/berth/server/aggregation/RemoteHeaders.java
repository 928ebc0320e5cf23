package io.berth.server.aggregation;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.server.http.Call;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Which headers of a request and of its answer are passed on.
///
/// Who asks is told by `X-Remote-…` headers of our own alone: whatever the caller sent of them, of
/// its credentials, or to change what was authorized, stays here.
///
/// Mirrors: client-go/transport.SetAuthProxyHeaders
final class RemoteHeaders {

  /// About one connection, not about the request.
  private static final Set<String> OF_CONNECTIONS =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private static final Set<String> KEPT_HERE =
      Set.of(
          "accept-encoding",
          "authorization",
          "cookie",
          "forwarded",
          "x-http-method",
          "x-http-method-override",
          "x-method-override");

  private static final List<String> KEPT_HERE_BEGIN =
      List.of("x-remote-", "impersonate-", "proxy-", "x-forwarded-", "sec-websocket-");

  /// This server says these itself.
  private static final Set<String> OURS =
      Set.of(
          "audit-id",
          "date",
          "set-cookie",
          "x-kubernetes-pf-flowschema-uid",
          "x-kubernetes-pf-prioritylevel-uid");

  private static final String TOKEN = "!#$&'*+-.^_`|~";

  private RemoteHeaders() {}

  /// Adds what the caller sent, and who it is.
  static void add(HttpRequest.Builder request, Call call, User user) {
    var dropped = new HashSet<String>();
    for (var list : call.headerValues("connection")) {
      for (var name : list.split(",", -1)) {
        dropped.add(name.strip().toLowerCase(Locale.ROOT));
      }
    }
    call.headers()
        .forEach((name, values) -> {
          if (isPassedOn(name) && !dropped.contains(name)) {
            values.stream()
                .filter(RemoteHeaders::isPlain)
                .forEach(value -> request.header(name, value));
          }
        });
    request.header("X-Forwarded-For", call.remoteAddress());
    addIdentity(request, user);
  }

  static void addIdentity(HttpRequest.Builder request, User user) {
    add(request, "X-Remote-User", user.name());
    if (!user.uid().isEmpty()) {
      add(request, "X-Remote-Uid", user.uid());
    }
    user.groups().forEach(group -> add(request, "X-Remote-Group", group));
    user.extra()
        .forEach((key, values) ->
            values.forEach(value -> add(request, "X-Remote-Extra-" + escaped(key), value)));
  }

  /// The library would send other letters as question marks, and so name somebody else.
  private static void add(HttpRequest.Builder request, String name, String value) {
    if (!isPlain(value)) {
      throw ApiException.badRequest(
          "the user cannot be told to another API server: \"%s\" has letters beyond ASCII"
              .formatted(value));
    }
    request.header(name, value);
  }

  private static boolean isPassedOn(String name) {
    return !OF_CONNECTIONS.contains(name)
        && !KEPT_HERE.contains(name)
        && KEPT_HERE_BEGIN.stream().noneMatch(name::startsWith);
  }

  private static boolean isPlain(String value) {
    return value.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  /// As in Go, what no header's name may hold is written as `%2f`.
  private static String escaped(String key) {
    var text = new StringBuilder();
    for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean legal =
          (c >= '0' && c <= '9')
              || (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || TOKEN.indexOf(c) >= 0;
      text.append(legal ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return text.toString();
  }

  /// What goes back to the caller, in the spelling that is used here.
  static List<Map.Entry<String, String>> back(HttpHeaders headers) {
    var back = new ArrayList<Map.Entry<String, String>>();
    headers
        .map()
        .forEach((name, values) -> {
          var plain = name.toLowerCase(Locale.ROOT);
          if (!OF_CONNECTIONS.contains(plain)
              && !OURS.contains(plain)
              && !plain.startsWith("proxy-")) {
            values.stream()
                .filter(RemoteHeaders::isPlain)
                .forEach(value -> back.add(Map.entry(canonical(plain), value)));
          }
        });
    return back;
  }

  private static String canonical(String name) {
    var text = new StringBuilder(name);
    for (int i = 0; i < text.length(); i++) {
      if (i == 0 || text.charAt(i - 1) == '-') {
        text.setCharAt(i, Character.toUpperCase(text.charAt(i)));
      }
    }
    return text.toString();
  }
}
