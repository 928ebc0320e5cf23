package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.request.Media;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Refusals as `Status` objects, with `Retry-After` where they say when to come back.
public final class Refusals {

  private Refusals() {}

  public static Answer.Whole answer(ApiException refusal) {
    return answer(refusal, false);
  }

  /// The refusal in the encoding the caller asked for, where it is one.
  public static Answer.Whole answer(ApiException refusal, Call call) {
    return answer(refusal, wantsYaml(call.header("accept")));
  }

  private static boolean wantsYaml(String accept) {
    try {
      return accept.contains("yaml")
          && Media.negotiate(accept, false).encoding() == Media.Encoding.YAML;
    } catch (ApiException e) {
      return false;
    }
  }

  static Answer.Whole answer(ApiException refusal, boolean yaml) {
    var status = refusal.status();
    var answer =
        yaml
            ? Answer.of(
                refusal.code(),
                "application/yaml",
                Yaml.write(status).getBytes(StandardCharsets.UTF_8))
            : Answer.of(refusal.code(), "application/json", Json.write(status));
    var details = refusal.details();
    long retry = details == null ? 0 : details.number(0, "retryAfterSeconds");
    if (retry > 0) {
      answer.headers().add(Map.entry("Retry-After", String.valueOf(retry)));
    }
    return answer;
  }
}
