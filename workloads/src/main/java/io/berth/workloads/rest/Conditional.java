package io.berth.workloads.rest;

import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// ETags: what a GET answers has one, and a write may say which state it is meant for.
final class Conditional {

  private static final int STRIPES = 64;

  private final Function<Call, @Nullable Answer> current;
  // Two conditional writes to one path must not both pass the comparison.
  private final Object[] locks = new Object[STRIPES];

  Conditional(Function<Call, @Nullable Answer> current) {
    this.current = current;
    for (int i = 0; i < STRIPES; i++) {
      locks[i] = new Object();
    }
  }

  Answer around(Call call, Supplier<Answer> next) {
    if (call.request().method().equals("GET")) {
      return tagged(call, next.get());
    }
    var wanted = call.request().header("if-match");
    if (wanted.isEmpty()) {
      return next.get();
    }
    synchronized (locks[Math.floorMod(call.request().path().hashCode(), STRIPES)]) {
      if (!(current.apply(call) instanceof Answer.Whole now) || !matches(wanted, tag(now))) {
        throw new Refusal(412, "The resource has changed since it was read; read it again.");
      }
      return next.get();
    }
  }

  private static Answer tagged(Call call, Answer answer) {
    if (!(answer instanceof Answer.Whole whole) || whole.code() != 200) {
      return answer;
    }
    var tag = tag(whole);
    var known = call.request().header("if-none-match");
    return !known.isEmpty() && matches(known, tag)
        ? Answer.empty(304).with("ETag", tag)
        : whole.with("ETag", tag);
  }

  private static boolean matches(String header, String tag) {
    for (var each : header.split(",", -1)) {
      if (each.strip().equals("*") || each.strip().equals(tag)) {
        return true;
      }
    }
    return false;
  }

  private static String tag(Answer.Whole answer) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(answer.body());
      return '"' + HexFormat.of().formatHex(hash, 0, 16) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no SHA-256 in this Java", e);
    }
  }
}
