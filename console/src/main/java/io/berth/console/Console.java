package io.berth.console;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.console.page.PageFiles;
import io.berth.console.session.Credential;
import io.berth.console.session.Sessions;
import io.berth.server.Annex;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Authenticator;
import io.berth.server.request.Action;
import io.berth.server.request.RequestInfo;
import io.berth.server.rest.Refusals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The console from top to bottom: is it a file of the page, or a question; who asks it, from
/// where.
///
/// Files are for anybody. Below `/console/api/` nobody is answered who is not known, by a session
/// or by what they show with the request, and every answer is worked out with their rights.
public final class Console implements Annex, AutoCloseable {

  static final String ROOT = "/console";
  private static final String API = ROOT + "/api/";
  private static final String SESSION = API + "v1/session";

  private final HostApi host;
  private final Sessions sessions;
  private final Cookie cookie;
  private final Guard guard;
  private final ConsoleApi api;
  private final PageFiles files = new PageFiles();

  public Console(HostApi host, Sessions sessions, ConsoleSettings settings, Material material) {
    this.host = host;
    this.sessions = sessions;
    this.cookie = Cookie.of(settings.name(), settings.hosts().isEmpty());
    this.guard = new Guard(settings.hosts().isEmpty() ? "https" : "http", settings.hosts());
    this.api = new ConsoleApi(host, sessions, cookie, settings, material);
  }

  @Override
  public boolean serves(String path) {
    return path.equals(ROOT) || path.startsWith(ROOT + "/");
  }

  @Override
  public User caller(Call call, RequestInfo info) {
    if (!call.path().startsWith(API)) {
      return Authenticator.ANONYMOUS;
    }
    if (!call.header("impersonate-user").isEmpty()) {
      throw ApiException.badRequest(
          "the console acts as who signed in; Impersonate-User is not taken");
    }
    var secret = cookie.read(call);
    boolean signsIn = info.path().equals(SESSION) && info.action() != Action.GET;
    return host.identify(secret.isEmpty() || signsIn ? Credential.of(call) : credential(secret));
  }

  private Credential credential(String secret) {
    return sessions
        .find(secret)
        .orElseThrow(
            () -> new ApiException(401, "Unauthorized", "the session has ended; sign in again"));
  }

  @Override
  public Answer answer(Call call, RequestInfo info, User user) {
    try {
      guard.checkHost(call);
      return Guard.withHeaders(info.path().startsWith(API) ? ask(call, info, user) : file(info));
    } catch (ApiException e) {
      return Guard.withHeaders(Refusals.answer(e));
    }
  }

  private Answer ask(Call call, RequestInfo info, User user) {
    guard.checkSite(call);
    if (info.action() != Action.GET) {
      guard.checkWrite(call);
    }
    return api.answer(call, info, user);
  }

  private Answer file(RequestInfo info) {
    if (info.action() != Action.GET) {
      throw new ApiException(405, "MethodNotAllowed", "files of the page are only read");
    }
    if (info.path().equals(ROOT)) {
      var headers = new ArrayList<>(List.of(Map.entry("Location", ROOT + "/")));
      return new Answer.Whole(308, headers, new byte[0]);
    }
    return files
        .find(info.path().substring(ROOT.length() + 1))
        .orElseThrow(() ->
            new ApiException(404, "NotFound", "the page has no file %s".formatted(info.path())));
  }

  @Override
  public void close() {
    api.close();
  }
}
