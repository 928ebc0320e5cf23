package io.berth.admission.webhook;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/// Reads what a webhook answered, and puts what is no answer into Kubernetes' words.
final class Reply {

  private Reply() {}

  static Tree of(HttpResponse<byte[]> response) throws CallException {
    var body = new String(response.body(), StandardCharsets.UTF_8).strip();
    if (response.statusCode() / 100 != 2) {
      throw new CallException(refusal(response, body));
    }
    if (response.body().length == 0) {
      throw new CallException(
          "0-length response with status code: %d and content type: %s"
              .formatted(response.statusCode(), type(response)));
    }
    if (!body.startsWith("{")) {
      throw new CallException(
          "couldn't get version/kind; json parse error: json: cannot unmarshal %s into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }"
              .formatted(body.startsWith("[") ? "array" : "string"));
    }
    try {
      return Json.read(response.body());
    } catch (SyntaxException e) {
      throw new CallException("couldn't get version/kind; json parse error: " + e.getMessage());
    }
  }

  /// What Kubernetes' client says of an answer with this code; a `Status` speaks for itself.
  private static String refusal(HttpResponse<byte[]> response, String body) {
    var own = status(body);
    if (!own.isEmpty()) {
      return own;
    }
    int code = response.statusCode();
    var said = isText(response) ? body : "unknown";
    return switch (code) {
      case 400 -> "the server rejected our request for an unknown reason";
      case 401 -> "the server has asked for the client to provide credentials";
      case 403, 406, 415 -> said;
      case 404 -> "the server could not find the requested resource";
      case 405 -> "the server does not allow this method on the requested resource";
      case 409 -> "the server reported a conflict";
      case 413 -> "Request entity too large: " + said;
      case 422 -> "the server rejected our request due to an error in our request";
      case 429 -> "the server has received too many requests and has asked us to try again later";
      case 503 -> "the server is currently unable to handle the request";
      case 504 ->
          "the server was unable to return a response in the time allotted, but may still be"
              + " processing the request";
      default ->
          code >= 500
              ? "an error on the server (\"%s\") has prevented the request from succeeding"
                  .formatted(said)
              : "the server responded with the status code %d but did not return more information"
                  .formatted(code);
    };
  }

  private static String status(String body) {
    try {
      var tree = body.startsWith("{") ? Json.read(body) : new Tree();
      return tree.textOrEmpty("kind").equals("Status") ? tree.textOrEmpty("message") : "";
    } catch (SyntaxException e) {
      return "";
    }
  }

  private static boolean isText(HttpResponse<byte[]> response) {
    var type = type(response);
    return type.isEmpty() || type.startsWith("text/");
  }

  private static String type(HttpResponse<byte[]> response) {
    return response.headers().firstValue("content-type").orElse("");
  }
}
