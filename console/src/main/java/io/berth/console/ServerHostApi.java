package io.berth.console;

import io.berth.admission.User;
import io.berth.api.Resource;
import io.berth.codec.Json;
import io.berth.console.session.Credential;
import io.berth.server.ApiServer;
import io.berth.server.access.Authorizer;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.request.Query;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The API server of this process, as the console beside it uses it: the same authentication, the
/// same authorizer, and writes through the same pipeline as everybody's.
public final class ServerHostApi implements HostApi {

  private final ApiServer server;

  public ServerHostApi(ApiServer server) {
    this.server = server;
  }

  @Override
  public User identify(Credential credential) {
    return server
        .authenticator()
        .authenticate(credential.certificates(), credential.authorization());
  }

  @Override
  public boolean allows(User user, String verb, Resource resource, String namespace, String name) {
    return server
        .authorizer()
        .decide(
            new Authorizer.Request(
                user,
                verb,
                resource.group(),
                resource.version(),
                resource.plural(),
                "",
                namespace,
                name,
                ""))
        .allowed();
  }

  @Override
  public Answer send(Credential credential, ApiRequest request, Call call) {
    var headers = new HashMap<String, List<String>>();
    headers.put("content-type", List.of(request.contentType()));
    headers.put("accept", List.of("application/json"));
    headers.put("user-agent", call.headerValues("user-agent"));
    if (!credential.authorization().isEmpty()) {
      headers.put("authorization", List.of(credential.authorization()));
    }
    var body = request.body() == null ? new byte[0] : Json.write(request.body());
    return server
        .endpoint()
        .answer(
            new Call(
                request.method(),
                request.path(),
                request.dryRun() ? Query.of(Map.of("dryRun", "All")) : Query.EMPTY,
                headers,
                credential.certificates(),
                call.remoteAddress(),
                () -> body,
                call.visitor()));
  }
}
