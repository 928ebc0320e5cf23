package io.berth.console;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.server.http.Answer;

/// JSON in and out.
final class JsonBodies {

  private JsonBodies() {}

  static Tree read(byte[] body) {
    try {
      return Json.read(body);
    } catch (SyntaxException e) {
      throw ApiException.badRequest("the body is no JSON object: " + e.getMessage());
    }
  }

  static Answer.Whole json(Tree tree) {
    return Answer.of(200, "application/json", Json.write(tree));
  }
}
