package io.berth.workloads.rest;

import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// `Idempotency-Key`: a POST that is sent again with its key gets its first answer again.
///
/// Kept in memory, the last 10,000 keys; after a restart a repeated request is a new one. An answer
/// that asks to try again (5xx) is not kept.
final class Repeats {

  private static final int REMEMBERED = 10_000;
  private static final int MAX_KEY = 255;

  // Guarded by itself.
  private final Map<String, Seen> seen = new LinkedHashMap<>();

  private record Seen(String request, CompletableFuture<Answer> answer) {}

  /// Tells requests apart, also by their query: a trial is not the same as what follows it.
  private static String fingerprint(Call call) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(
          "%s?%s\n"
              .formatted(call.request().path(), new TreeMap<>(call.request().query()))
              .getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(call.bytes()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no SHA-256 in this Java", e);
    }
  }

  Answer around(Route route, Call call, Supplier<Answer> next) {
    var key = call.request().header("idempotency-key");
    if (key.isEmpty() || route.isOpen() || !call.request().method().equals("POST")) {
      return next.get();
    }
    if (key.length() > MAX_KEY) {
      throw Refusal.badRequest("Idempotency-Key: at most %d characters".formatted(MAX_KEY));
    }
    var name = call.caller().account().clientId() + "\n" + key;
    var mine = new Seen(fingerprint(call), new CompletableFuture<>());
    Seen first;
    synchronized (seen) {
      first = seen.putIfAbsent(name, mine);
      if (seen.size() > REMEMBERED) {
        seen.remove(seen.keySet().iterator().next());
      }
    }
    return first == null ? make(name, mine, next) : again(first, mine);
  }

  private Answer make(String name, Seen mine, Supplier<Answer> next) {
    Answer answer;
    try {
      answer = next.get();
    } catch (Refusal e) {
      answer = e.answer();
    } catch (RuntimeException e) {
      forget(name);
      mine.answer().completeExceptionally(e);
      throw e;
    }
    if (answer.code() >= 500) {
      forget(name);
    }
    mine.answer().complete(answer);
    return answer;
  }

  private static Answer again(Seen first, Seen mine) {
    if (!first.request().equals(mine.request())) {
      throw new Refusal(422, "This Idempotency-Key was used for a different request.");
    }
    return first.answer().join();
  }

  private void forget(String name) {
    synchronized (seen) {
      seen.remove(name);
    }
  }
}
