package io.berth.console;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.console.sight.Visibility;
import io.berth.server.access.Authorizer;
import io.berth.server.http.Call;
import java.util.List;
import java.util.Set;

/// A request of somebody who is known, and what they may see.
record Inquiry(Call call, User user, Visibility visibility) {

  String parameter(String name) {
    return call.query().text(name);
  }

  /// Refuses parameters beside these.
  Inquiry with(String... parameters) {
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
    return this;
  }

  /// What is asked about all pods on all nodes is for those who see them.
  void checkSeesAll() {
    for (var resource : List.of(Resource.NODES, Resource.PODS)) {
      if (!visibility.listsAll(resource)) {
        throw forbidden("list", resource, "", "");
      }
    }
  }

  /// As the API itself refuses it.
  ApiException forbidden(String verb, Resource resource, String namespace, String name) {
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
}
