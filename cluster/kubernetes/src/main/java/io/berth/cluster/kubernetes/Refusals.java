package io.berth.cluster.kubernetes;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.nio.charset.StandardCharsets;

/// What a server says when it says no.
final class Refusals {

  static final int MAX_BODY = 1 << 20;

  private static final int SHOWN = 300;

  private Refusals() {}

  /// A `Status` as it is; anything else, from proxies and load balancers, as what it says.
  static ApiException of(int code, byte[] body) {
    try {
      var status = Json.readLenient(body);
      if (status.textOrEmpty("kind").equals("Status")) {
        return of(code, status);
      }
    } catch (SyntaxException e) {
      // Not JSON: shown as text below.
    }
    var text = new String(body, StandardCharsets.UTF_8).strip();
    return new ApiException(
        code,
        reason(code),
        "the server answered %d: %s"
            .formatted(code, text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…"));
  }

  /// A `Status` that has been read already.
  static ApiException of(int code, Tree status) {
    status.putIfAbsent("code", (long) code);
    return ApiException.ofStatus(status);
  }

  private static String reason(int code) {
    return switch (code) {
      case 400 -> "BadRequest";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "NotFound";
      case 409 -> "Conflict";
      case 410 -> "Gone";
      case 429 -> "TooManyRequests";
      case 500 -> "InternalError";
      case 503 -> "ServiceUnavailable";
      case 504 -> "Timeout";
      default -> "Unknown";
    };
  }
}
