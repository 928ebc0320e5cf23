package io.berth.server;

import io.berth.admission.User;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.request.RequestInfo;

/// What is served on the API's own address beside it, with its TLS, lanes, budget and audit, but
/// with ways of its own to tell who asks and what they may: the console.
public interface Annex {

  /// Serves nothing.
  Annex NONE =
      new Annex() {
        @Override
        public boolean serves(String path) {
          return false;
        }

        @Override
        public User caller(Call call, RequestInfo info) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Answer answer(Call call, RequestInfo info, User user) {
          throw new UnsupportedOperationException();
        }
      };

  /// Whether this path is the annex's; none of the API's own is.
  boolean serves(String path);

  /// Who sends this, or nobody known; throws 401 for credentials that are wrong.
  User caller(Call call, RequestInfo info);

  /// Authorizes and answers; `info` says what is asked for.
  Answer answer(Call call, RequestInfo info, User user);
}
