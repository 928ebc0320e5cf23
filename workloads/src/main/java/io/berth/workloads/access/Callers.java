package io.berth.workloads.access;

import io.berth.workloads.http.Refusal;
import io.berth.workloads.http.Request;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;

/// Finds out who sent a request.
public final class Callers {

  private final State state;
  private final Tokens tokens;
  private final Scopes scopes;

  public Callers(State state, Tokens tokens, Scopes scopes) {
    this.state = state;
    this.tokens = tokens;
    this.scopes = scopes;
  }

  public Caller of(Request request) {
    var header = request.header("authorization");
    if (!header.regionMatches(true, 0, "Bearer ", 0, 7)) {
      throw Refusal.unauthorized("Authorization header with a Bearer token is missing.");
    }
    var account =
        tokens
            .accountOf(header.substring(7).strip())
            .orElseThrow(() -> Refusal.unauthorized("Issuer is not familiar."));
    return of(account);
  }

  public Caller of(Account account) {
    var grants = new ArrayList<Caller.Grant>();
    for (var rule : state.table(BerthKinds.ACCESS_RULES).all()) {
      if (rule.textOrEmpty("spec", "subjectId").equals(account.subject())) {
        var role = Roles.find(rule.number(0, "spec", "roleId"));
        var scope = Scope.of(rule.treeOrEmpty("spec"));
        // One that was written with kubectl may make no sense: it allows nothing.
        if (role.isPresent() && scope.isPresent()) {
          grants.add(new Caller.Grant(role.get(), scope.get()));
        }
      }
    }
    return new Caller(account, grants, scopes);
  }
}
