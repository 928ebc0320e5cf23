package io.berth.console;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.console.session.Credential;
import io.berth.console.session.Sessions;
import io.berth.console.sight.Visibility;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Authenticator;
import java.util.Map;

/// Who is signed in: `session` is opened, shown and ended, `codes` are given out.
final class SessionEndpoint {

  private final HostApi host;
  private final Sessions sessions;
  private final Cookie cookie;
  private final ConsoleSettings settings;

  SessionEndpoint(HostApi host, Sessions sessions, Cookie cookie, ConsoleSettings settings) {
    this.host = host;
    this.sessions = sessions;
    this.cookie = cookie;
    this.settings = settings;
  }

  /// Opens a session with a code, or with what came with the call.
  Answer open(Call call, User caller) {
    var body = call.body().read();
    var code = body.length == 0 ? "" : JsonBodies.read(body).textOrEmpty("code");
    var credential = code.isEmpty() ? Credential.of(call) : redeemed(code);
    var user = known(code.isEmpty() ? caller : host.identify(credential));
    call.auditAnnotations().put("console.berth.io/signed-in", user.name());
    var answer = JsonBodies.json(show(user));
    answer
        .headers()
        .add(Map.entry("Set-Cookie", cookie.set(sessions.open(user.name(), credential))));
    return answer;
  }

  private Credential redeemed(String code) {
    return sessions
        .redeem(code)
        .orElseThrow(() ->
            new ApiException(
                401,
                "Unauthorized",
                "the code is not, or no longer, good: it opens one session within a minute; ask for"
                    + " another one with 'berth console --open'"));
  }

  Answer end(Call call) {
    sessions.end(cookie.read(call));
    var answer = JsonBodies.json(Tree.of("kind", "Status", "status", "Success"));
    answer.headers().add(Map.entry("Set-Cookie", cookie.end()));
    return answer;
  }

  Tree show(User user) {
    var visibility = visibility(user);
    return Tree.of("user", user.name(), "groups", user.groups(), "cluster", settings.cluster())
        .put("complete", visibility.seesEverything())
        .put("seesNodes", visibility.seesNodes())
        .put("seesEveryPod", visibility.seesEveryPod())
        .put("readOnly", settings.readOnly());
  }

  Tree code(Call call) {
    return Tree.of("code", sessions.code(credential(call)));
  }

  static User known(User user) {
    if (!Authenticator.isKnown(user)) {
      throw new ApiException(401, "Unauthorized", "sign in to see anything of the cluster");
    }
    return user;
  }

  /// What is kept of whoever calls: what the session was opened with, or what came with the call.
  Credential credential(Call call) {
    var secret = cookie.read(call);
    return secret.isEmpty()
        ? Credential.of(call)
        : sessions
            .find(secret)
            .orElseThrow(() ->
                new ApiException(401, "Unauthorized", "the session has ended; sign in again"));
  }

  Visibility visibility(User user) {
    return new Visibility(
        (verb, resource, namespace, name) -> host.allows(user, verb, resource, namespace, name));
  }

  /// What the caller may see by now; throws when they may not ask any more.
  Visibility again(Call call) {
    return visibility(known(host.identify(credential(call))));
  }
}
