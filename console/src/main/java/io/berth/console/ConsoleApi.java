package io.berth.console;

import static io.berth.console.SessionEndpoint.known;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.console.answer.Plans;
import io.berth.console.scene.Scene;
import io.berth.console.session.Sessions;
import io.berth.console.sight.SeenForecast;
import io.berth.console.view.DecisionsView;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.request.RequestInfo;

/// What is below `/console/api/v1/`: each request is authorized anew, by what its caller may do
/// now.
final class ConsoleApi implements AutoCloseable {

  private final HostApi host;
  private final ConsoleSettings settings;
  private final Material material;
  private final Scene scene;
  private final SessionEndpoint sessions;
  private final MapEndpoint maps;
  private final PodEndpoint pods;
  private final Plans plans;

  ConsoleApi(
      HostApi host, Sessions sessions, Cookie cookie, ConsoleSettings settings, Material material) {
    this.host = host;
    this.settings = settings;
    this.material = material;
    this.scene = new Scene(material.cluster());
    this.sessions = new SessionEndpoint(host, sessions, cookie, settings);
    this.maps = new MapEndpoint(scene);
    this.pods = new PodEndpoint(material);
    this.plans = new Plans(material.answers(), material.fleets());
  }

  Answer answer(Call call, RequestInfo info, User user) {
    var parts = RequestInfo.parts(info.path());
    if (parts.size() < 4 || !parts.get(2).equals("v1")) {
      throw nothing(info);
    }
    var route = info.verb() + " " + parts.get(3);
    return switch (route) {
      case "post session" -> sessions.open(call, user);
      case "delete session" -> sessions.end(call);
      case "get session" -> JsonBodies.json(sessions.show(known(user)));
      case "post codes" -> {
        known(user);
        yield JsonBodies.json(sessions.code(call));
      }
      case "get pods" -> pods.answer(inquiry(call, user), parts.subList(4, parts.size()));
      case "get map" -> maps.map(inquiry(call, user));
      case "get pending" -> maps.pending(inquiry(call, user));
      case "get stream" -> maps.stream(inquiry(call, user), () -> sessions.again(call));
      case "get decisions" -> decisions(inquiry(call, user));
      case "post plans" -> plan(inquiry(call, user));
      case "post requests" -> send(inquiry(call, user));
      default -> throw nothing(info);
    };
  }

  private static ApiException nothing(RequestInfo info) {
    return new ApiException(
        404, "NotFound", "the console has nothing at %s %s".formatted(info.verb(), info.path()));
  }

  private Inquiry inquiry(Call call, User user) {
    return new Inquiry(call, known(user), sessions.visibility(user));
  }

  private Answer decisions(Inquiry inquiry) {
    inquiry.with("since", "pod", "result", "limit");
    var asked =
        DecisionsView.Selection.of(
            inquiry.parameter("since"),
            inquiry.parameter("pod"),
            inquiry.parameter("result"),
            inquiry.parameter("limit"));
    scene.awaitKnown();
    var view = new DecisionsView(material.cluster(), inquiry.visibility());
    return JsonBodies.json(view.toTree(asked, scene.namespaces()));
  }

  private Answer plan(Inquiry inquiry) {
    inquiry.with().checkSeesAll();
    var body = JsonBodies.read(inquiry.call().body().read());
    var forecast = plans.after(body, inquiry.user().name());
    return JsonBodies.json(SeenForecast.toTree(forecast, inquiry.visibility()));
  }

  /// Sends what a person has seen and agreed to, as this person.
  private Answer send(Inquiry inquiry) {
    if (settings.readOnly()) {
      throw new ApiException(403, "Forbidden", "this console is read-only");
    }
    var call = inquiry.with().call();
    var request = ApiRequest.read(JsonBodies.read(call.body().read()));
    return host.send(sessions.credential(call), request, call);
  }

  @Override
  public void close() {
    scene.close();
  }
}
