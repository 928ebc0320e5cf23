package io.berth.workloads.access;

import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.http.Request;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;

/// Finds out who sent a request.
public final class Callers {

  private final State state;
  private final Accounts accounts;
  private final Tokens tokens;
  private final Scopes scopes;

  public Callers(State state, Accounts accounts, Tokens tokens, Scopes scopes) {
    this.state = state;
    this.accounts = accounts;
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
            .clientIdOf(header.substring(7).strip())
            .flatMap(accounts::findByClientId)
            .filter(Account::enabled)
            .orElseThrow(() -> Refusal.unauthorized("Issuer is not familiar."));
    return of(account);
  }

  public Caller of(Account account) {
    var grants = new ArrayList<Caller.Grant>();
    for (var rule : state.table(BerthKinds.ACCESS_RULES).all()) {
      if (rule.textOrEmpty("spec", "subjectId").equals(account.subject())) {
        var scope =
            new Scope(
                Level.of(rule.textOrEmpty("spec", "scopeType")),
                rule.textOrEmpty("spec", "scopeId"));
        Roles.find(rule.number(0, "spec", "roleId"))
            .ifPresent(role -> grants.add(new Caller.Grant(role, scope)));
      }
    }
    return new Caller(account, grants, scopes);
  }
}
