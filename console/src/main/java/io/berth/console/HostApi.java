package io.berth.console;

import io.berth.admission.User;
import io.berth.api.Resource;
import io.berth.console.session.Credential;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;

/// The API that the console stands beside: who somebody is, what they may do, and doing it as them.
public interface HostApi {

  /// Who shows this credential; throws 401 when it is not, or no longer, good.
  User identify(Credential credential);

  /// What the API itself would answer; `namespace` and `name` are `""` for all of them.
  boolean allows(User user, String verb, Resource resource, String namespace, String name);

  /// Sends a request to the API as who shows this credential; `call` is the one it is sent for.
  Answer send(Credential credential, ApiRequest request, Call call);
}
