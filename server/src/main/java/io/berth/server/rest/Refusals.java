package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.codec.Json;
import io.berth.server.http.Answer;
import java.util.Map;

/// Refusals as `Status` objects, with `Retry-After` where they say when to come back.
public final class Refusals {

  private Refusals() {}

  public static Answer.Whole answer(ApiException refusal) {
    var answer = Answer.of(refusal.code(), "application/json", Json.write(refusal.status()));
    var details = refusal.details();
    long retry = details == null ? 0 : details.number(0, "retryAfterSeconds");
    if (retry > 0) {
      answer.headers().add(Map.entry("Retry-After", String.valueOf(retry)));
    }
    return answer;
  }
}
