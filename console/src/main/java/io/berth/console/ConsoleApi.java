package io.berth.console;

import io.berth.admission.User;
import io.berth.answers.explain.Explanations.Wish;
import io.berth.answers.explain.PodExplanation;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.Selection;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.console.scene.Scene;
import io.berth.console.session.Credential;
import io.berth.console.session.Sessions;
import io.berth.console.sight.SeenExplanation;
import io.berth.console.sight.Visibility;
import io.berth.console.view.MapStream;
import io.berth.console.view.MapView;
import io.berth.console.view.PendingView;
import io.berth.console.view.ScoresView;
import io.berth.server.access.Authorizer;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Authenticator;
import io.berth.server.request.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/// What is below `/console/api/v1/`: each request is authorized anew, by what its caller may do now.
final class ConsoleApi implements AutoCloseable {

  private static final int STREAMS = 200;
  private static final int EVENTS = 100;
  private static final int KEYS = 4;
  private static final int KEY_LENGTH = 317;
  private static final String ZONE = "topology.kubernetes.io/zone";

  private final HostApi host;
  private final Sessions sessions;
  private final Cookie cookie;
  private final ConsoleSettings settings;
  private final Material material;
  private final Scene scene;
  private final String epoch = UUID.randomUUID().toString().substring(0, 8);
  private final Semaphore streams = new Semaphore(STREAMS);

  ConsoleApi(
      HostApi host,
      Sessions sessions,
      Cookie cookie,
      ConsoleSettings settings,
      Material material) {
    this.host = host;
    this.sessions = sessions;
    this.cookie = cookie;
    this.settings = settings;
    this.material = material;
    this.scene = new Scene(material.cluster());
  }

  Answer answer(Call call, RequestInfo info, User user) {
    var parts = RequestInfo.parts(info.path());
    if (parts.size() < 4 || !parts.get(2).equals("v1")) {
      throw nothing(info);
    }
    var rest = parts.subList(4, parts.size());
    return switch (info.verb() + " " + parts.get(3)) {
      case "post session" -> signIn(call, user);
      case "delete session" -> signOut(call);
      case "get session" -> json(session(known(user)));
      case "post codes" -> json(Tree.of("code", sessions.code(credential(call, known(user)))));
      case "get map" -> map(call, known(user));
      case "get stream" -> stream(call, known(user));
      case "get pending" -> pending(call, known(user));
      case "get pods" -> pod(call, info, known(user), rest);
      case "post requests" -> send(call, known(user));
      default -> throw nothing(info);
    };
  }

  private static ApiException nothing(RequestInfo info) {
    return new ApiException(
        404, "NotFound", "the console has nothing at %s %s".formatted(info.verb(), info.path()));
  }

  private static User known(User user) {
    if (!Authenticator.isKnown(user)) {
      throw new ApiException(401, "Unauthorized", "sign in to see anything of the cluster");
    }
    return user;
  }

  private Answer signIn(Call call, User caller) {
    var body = call.body().read();
    var code = body.length == 0 ? "" : read(body).textOrEmpty("code");
    var credential =
        code.isEmpty()
            ? Credential.of(call)
            : sessions
                .redeem(code)
                .orElseThrow(() ->
                    new ApiException(
                        401,
                        "Unauthorized",
                        "the code is not, or no longer, good: it opens one session within a"
                            + " minute; ask for another one with 'berth console --open'"));
    var user = known(code.isEmpty() ? caller : host.identify(credential));
    call.auditAnnotations().put("console.berth.io/signed-in", user.name());
    var answer = json(session(user));
    answer
        .headers()
        .add(Map.entry("Set-Cookie", cookie.set(sessions.open(user.name(), credential))));
    return answer;
  }

  private Answer signOut(Call call) {
    sessions.end(cookie.read(call));
    var answer = json(Tree.of("kind", "Status", "status", "Success"));
    answer.headers().add(Map.entry("Set-Cookie", cookie.end()));
    return answer;
  }

  private Tree session(User user) {
    var visibility = visibility(user);
    return Tree.of("user", user.name(), "groups", user.groups(), "cluster", settings.cluster())
        .put("complete", visibility.seesEverything())
        .put("seesNodes", visibility.seesNodes())
        .put("seesEveryPod", visibility.seesEveryPod())
        .put("readOnly", settings.readOnly());
  }

  /// What is kept of whoever calls: what the session was opened with, or what came with the call.
  private Credential credential(Call call, User user) {
    var secret = cookie.read(call);
    return secret.isEmpty()
        ? Credential.of(call)
        : sessions.find(secret).orElseThrow(() -> ended(user));
  }

  private static ApiException ended(User user) {
    return new ApiException(
        401, "Unauthorized", "the session of %s has ended; sign in again".formatted(user.name()));
  }

  private Visibility visibility(User user) {
    return new Visibility(
        (verb, resource, namespace, name) -> host.allows(user, verb, resource, namespace, name));
  }

  private Answer map(Call call, User user) {
    allow(call, "by");
    scene.awaitKnown();
    var visibility = visibility(user);
    var snapshot = scene.snapshot();
    var keys = keys(call);
    var seen = visibility.podNamespaces(scene.namespaces());
    var sees = List.of(keys, visibility.seesNodes(), visibility.seesEveryPod(), seen);
    var tag = "\"%s-%08x\"".formatted(revision(snapshot.revision()), sees.hashCode());
    if (call.header("if-none-match").equals(tag)) {
      return tagged(new Answer.Whole(304, new ArrayList<>(), new byte[0]), tag);
    }
    var view = new MapView(scene, visibility, keys);
    return tagged(json(view.toTree(snapshot, revision(snapshot.revision()))), tag);
  }

  private static Answer tagged(Answer.Whole answer, String tag) {
    answer.headers().add(Map.entry("ETag", tag));
    return answer;
  }

  private String revision(long number) {
    return epoch + "." + number;
  }

  private static List<String> keys(Call call) {
    var text = call.query().text("by");
    var keys = List.of((text.isEmpty() ? ZONE : text).split(",", -1));
    if (keys.size() > KEYS || keys.stream().anyMatch(key -> key.length() > KEY_LENGTH)) {
      throw ApiException.badRequest("by: at most %d topology keys".formatted(KEYS));
    }
    return keys;
  }

  private Answer stream(Call call, User user) {
    allow(call, "by", "since");
    scene.awaitKnown();
    var resumed = call.header("last-event-id");
    var since = resumed.isEmpty() ? call.query().text("since") : resumed;
    var stream =
        new MapStream(
            scene,
            epoch,
            since,
            keys(call),
            () -> visibility(known(host.identify(credential(call, user)))));
    if (!streams.tryAcquire()) {
      throw new ApiException(
          429, "TooManyRequests", "%d streams are open; close one".formatted(STREAMS));
    }
    streams.release();
    var headers = new ArrayList<>(List.of(Map.entry("Content-Type", "text/event-stream")));
    return new Answer.Stream(
        200,
        headers,
        outlet -> {
          // Whoever comes too late after all finds the stream at its end, and tries again.
          if (streams.tryAcquire()) {
            try {
              stream.writeTo(outlet);
            } finally {
              streams.release();
            }
          }
        });
  }

  private Answer pending(Call call, User user) {
    allow(call);
    scene.awaitKnown();
    var snapshot = scene.snapshot();
    var view = new PendingView(scene, visibility(user));
    return json(view.toTree(snapshot, revision(snapshot.revision())));
  }

  private Answer pod(Call call, RequestInfo info, User user, List<String> rest) {
    if (rest.size() < 2 || rest.size() > 3 || rest.contains("")) {
      throw nothing(info);
    }
    var namespace = rest.get(0);
    var name = rest.get(1);
    var visibility = visibility(user);
    if (!visibility.gets(Resource.PODS, namespace, name)) {
      throw forbidden(user, "get", Resource.PODS, namespace, name);
    }
    return switch (rest.size() == 2 ? "" : rest.get(2)) {
      case "" -> {
        allow(call);
        yield json(detail(namespace, name, visibility));
      }
      case "explanation" -> {
        allow(call, "node");
        var answer = explain(namespace, name, Wish.SUGGESTIONS);
        var node = call.query().text("node");
        if (!node.isEmpty() && !visibility.seesNodes()) {
          throw forbidden(user, "list", Resource.NODES, "", "");
        }
        yield json(new SeenExplanation(answer.on(node), visibility).toTree());
      }
      case "scores" -> scores(call, user, visibility, namespace, name);
      default -> throw nothing(info);
    };
  }

  private Answer scores(
      Call call, User user, Visibility visibility, String namespace, String name) {
    allow(call, "node");
    // What other pods add to a score would tell of them.
    for (var resource : List.of(Resource.NODES, Resource.PODS)) {
      if (!visibility.listsAll(resource)) {
        throw forbidden(user, "list", resource, "", "");
      }
    }
    var answer = explain(namespace, name, new Wish(false, true));
    var node = call.query().text("node");
    return json(node.isEmpty() ? ScoresView.of(answer) : ScoresView.of(answer, node));
  }

  private PodExplanation explain(String namespace, String name, Wish wish) {
    return material
        .answers()
        .explain(namespace, name, wish)
        .orElseThrow(() -> ApiException.notFound(Resource.PODS, name));
  }

  private Tree detail(String namespace, String name, Visibility visibility) {
    var pod = material.cluster().fetch(Resource.PODS, namespace, name).copy();
    pod.treeOrEmpty("metadata").remove("managedFields");
    var tree = Tree.of("pod", pod);
    if (visibility.lists(Resource.CORE_EVENTS, namespace)) {
      var selection = Selection.fields("involvedObject.kind=Pod,involvedObject.name=" + name);
      var events = material.cluster().list(Resource.CORE_EVENTS, namespace, selection).items();
      tree.put("events", events.stream().limit(EVENTS).map(ConsoleApi::event).toList());
    }
    return tree;
  }

  private static Tree event(Tree event) {
    var last = event.textOrEmpty("lastTimestamp");
    return Tree.of(
        "type", event.textOrEmpty("type"),
        "reason", event.textOrEmpty("reason"),
        "message", event.textOrEmpty("message"),
        "count", event.number(1, "count"),
        "time", last.isEmpty() ? event.textOrEmpty("eventTime") : last);
  }

  /// Sends what a person has seen and agreed to, as this person.
  private Answer send(Call call, User user) {
    if (settings.readOnly()) {
      throw new ApiException(403, "Forbidden", "this console is read-only");
    }
    var request = ApiRequest.read(read(call.body().read()));
    return host.send(credential(call, user), request, call);
  }

  private static Tree read(byte[] body) {
    try {
      return Json.read(body);
    } catch (SyntaxException e) {
      throw ApiException.badRequest("the body is no JSON object: " + e.getMessage());
    }
  }

  private static void allow(Call call, String... parameters) {
    var allowed = Set.of(parameters);
    for (var name : call.query().parameters().keySet()) {
      if (!allowed.contains(name)) {
        throw ApiException.badRequest(
            "unknown parameter \"%s\"; there %s"
                .formatted(
                    name,
                    parameters.length == 0 ? "are none" : "is " + String.join(", ", parameters)));
      }
    }
  }

  private static ApiException forbidden(
      User user, String verb, Resource resource, String namespace, String name) {
    return Authorizer.forbidden(
        new Authorizer.Request(
            user,
            verb,
            resource.group(),
            resource.version(),
            resource.plural(),
            "",
            namespace,
            name,
            ""),
        "");
  }

  private static Answer.Whole json(Tree tree) {
    return Answer.of(200, "application/json", Json.write(tree));
  }

  @Override
  public void close() {
    scene.close();
  }
}
