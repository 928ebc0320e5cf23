package io.berth.console;

import io.berth.api.ApiException;
import io.berth.server.Limits;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.http.Endpoint;
import io.berth.server.identity.Authenticator;
import io.berth.server.request.Action;
import io.berth.server.request.RequestInfo;
import io.berth.server.rest.Refusals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A console by itself, on a listener of this machine: there is no API beside it.
public final class Loopback implements Endpoint {

  private static final Logger log = LoggerFactory.getLogger(Loopback.class);

  private final Console console;

  public Loopback(Console console) {
    this.console = console;
  }

  @Override
  public Answer answer(Call call) {
    var info = RequestInfo.parse(call.method(), call.path(), call.query());
    try {
      return answer(call, info);
    } catch (ApiException e) {
      return Guard.withHeaders(Refusals.answer(e));
    } catch (RuntimeException e) {
      log.error("{} failed", call.path(), e);
      return Guard.withHeaders(
          Refusals.answer(new ApiException(500, "InternalError", "the console failed: " + e)));
    }
  }

  private Answer answer(Call call, RequestInfo info) {
    if (call.path().equals("/")) {
      var headers = new ArrayList<>(List.of(Map.entry("Location", Console.ROOT + "/")));
      return Guard.withHeaders(new Answer.Whole(307, headers, new byte[0]));
    }
    if (!console.serves(call.path())) {
      throw new ApiException(404, "NotFound", "there is nothing at " + call.path());
    }
    var user = console.caller(call, info);
    if (info.action() != Action.GET) {
      boolean known = Authenticator.isKnown(user);
      var _ = call.body().read(known ? Limits.BODY_BYTES : Limits.STRANGE_BODY_BYTES);
    }
    return console.answer(call, info, user);
  }
}
