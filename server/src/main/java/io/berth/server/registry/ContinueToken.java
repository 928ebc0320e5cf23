package io.berth.server.registry;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Where the next page of a list starts: the revision of the first page, or a negative one for the
/// newest, and the last key shown.
///
/// Opaque to clients, and of the form Kubernetes uses: base64 of a small JSON object.
record ContinueToken(long revision, String namespace, String name) {

  private static final String VERSION = "meta.k8s.io/v1";

  String encode() {
    var start = namespace.isEmpty() ? name : namespace + "/" + name;
    var json = Json.write(Tree.of("v", VERSION, "rv", revision, "start", start + "\u0000"));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
  }

  /// The same place, in whatever is there when the token is used.
  ContinueToken inconsistent() {
    return new ContinueToken(-1, namespace, name);
  }

  static ContinueToken decode(String token, boolean namespaced) {
    var tree = parse(bytes(token));
    var start = tree.textOrEmpty("start");
    if (!tree.textOrEmpty("v").equals(VERSION)) {
      throw invalid(
          "continue key is not valid: server does not recognize this encoded version \"%s\""
              .formatted(tree.textOrEmpty("v")));
    }
    if (tree.number(0, "rv") == 0) {
      throw invalid(
          "continue key is not valid: incorrect encoded start resourceVersion (version "
              + VERSION
              + ")");
    }
    if (start.isEmpty()) {
      throw invalid("continue key is not valid: encoded start key empty (version " + VERSION + ")");
    }
    var last = start.endsWith("\u0000") ? start.substring(0, start.length() - 1) : start;
    int slash = last.indexOf('/');
    return namespaced && slash >= 0
        ? new ContinueToken(
            tree.number(0, "rv"), last.substring(0, slash), last.substring(slash + 1))
        : new ContinueToken(tree.number(0, "rv"), "", last);
  }

  /// As in Go, line breaks are no part of base64.
  private static byte[] bytes(String given) {
    var token = given.replace("\n", "").replace("\r", "");
    for (int i = 0; i < token.length(); i++) {
      char c = token.charAt(i);
      boolean known =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_';
      if (!known) {
        throw invalid("continue key is not valid: illegal base64 data at input byte " + i);
      }
    }
    try {
      return Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw invalid(
          "continue key is not valid: illegal base64 data at input byte "
              + (token.length() - token.length() % 4));
    }
  }

  private static Tree parse(byte[] json) {
    try {
      return Json.read(json);
    } catch (SyntaxException e) {
      var first = json.length == 0 ? "" : new String(json, StandardCharsets.ISO_8859_1);
      throw invalid(
          first.isEmpty()
              ? "continue key is not valid: unexpected end of JSON input"
              : "continue key is not valid: invalid character '%s' looking for beginning of value"
                  .formatted(first.charAt(0)));
    }
  }

  private static ApiException invalid(String why) {
    return ApiException.badRequest("invalid continue token: " + why);
  }
}
