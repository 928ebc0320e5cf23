package io.berth.workloads.access;

import io.berth.workloads.http.Refusal;
import java.util.List;

/// Who calls, with what rights. A right holds in the scope of its rule and everywhere below it.
public record Caller(Account account, List<Grant> grants, Scopes scopes) {

  /// A role within a scope.
  public record Grant(Role role, Scope scope) {}

  public String name() {
    return account.name();
  }

  public boolean may(Action action, ResourceType type, Scope scope) {
    for (var grant : grants) {
      if (grant.role().allows(action, type) && scopes.covers(grant.scope(), scope)) {
        return true;
      }
    }
    return false;
  }

  /// Whether there is any scope in which the caller may.
  public boolean mayAnywhere(Action action, ResourceType type) {
    return grants.stream().anyMatch(grant -> grant.role().allows(action, type));
  }

  public boolean sees(ResourceType type, Scope scope) {
    return may(Action.READ, type, scope)
        || (type.isShared() && mayAnywhere(Action.READ, type))
        || (type.isInherited() && mayBelow(Action.READ, type, scope));
  }

  private boolean mayBelow(Action action, ResourceType type, Scope scope) {
    return grants.stream()
        .anyMatch(
            grant -> grant.role().allows(action, type) && scopes.covers(scope, grant.scope()));
  }

  /// Refuses what the caller may not do: as missing when the caller may not even see it.
  public void require(Action action, ResourceType type, Scope scope) {
    if (!sees(type, scope) && action != Action.CREATE) {
      throw Refusal.notFound();
    }
    if (action != Action.READ && !may(action, type, scope)) {
      throw Refusal.forbidden();
    }
  }

  /// Refuses what the caller may not do in a scope whose existence is no secret.
  public void requireOpenly(Action action, ResourceType type, Scope scope) {
    if (!may(action, type, scope)) {
      throw Refusal.forbidden();
    }
  }

  /// Whether the caller itself may do everything `role` allows within `scope`: nobody hands out
  /// more than they have.
  public boolean holds(Role role, Scope scope) {
    return grants.stream()
        .anyMatch(grant -> role.isWithin(grant.role()) && scopes.covers(grant.scope(), scope));
  }
}
