package io.berth.workloads.iam;

import static io.berth.workloads.access.ResourceType.ACCESS_KEYS;
import static io.berth.workloads.access.ResourceType.SERVICE_ACCOUNT;
import static io.berth.workloads.access.ResourceType.USERS;

import io.berth.api.Tree;
import io.berth.workloads.access.Account;
import io.berth.workloads.access.Account.Kind;
import io.berth.workloads.access.Accounts;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Callers;
import io.berth.workloads.access.ResourceType;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Service accounts, access keys and users.
public final class AccountRoutes {

  private static final String SERVICE_ACCOUNTS = "/api/v1/service-accounts";
  private static final String KEYS = "/api/v1/access-keys";
  private static final String ALL_KEYS = "/api/v1/administration/access-keys";
  private static final String USERS_PATH = "/api/v1/users";

  private final State state;
  private final Accounts accounts;
  private final Callers callers;
  private final Scopes scopes;

  public AccountRoutes(State state, Accounts accounts, Callers callers, Scopes scopes) {
    this.state = state;
    this.accounts = accounts;
    this.callers = callers;
    this.scopes = scopes;
  }

  public void addTo(Routes routes) {
    addServiceAccounts(routes, SERVICE_ACCOUNTS, "service_account");
    addKeys(routes);
    addUsers(routes);
  }

  private void addServiceAccounts(Routes routes, String base, String name) {
    var one = base + "/{serviceAccountId}";
    routes
        .get(
            base,
            "get_" + name + "s",
            call -> {
              allowed(call, Action.READ, SERVICE_ACCOUNT);
              return Answer.json(200, all(Kind.SERVICE_ACCOUNT, this::shown));
            })
        .needs(Action.READ, SERVICE_ACCOUNT);
    routes
        .post(
            base,
            "create_" + name,
            call -> {
              allowed(call, Action.CREATE, SERVICE_ACCOUNT);
              var wanted = name(call, "ServiceAccountCreationRequest");
              return created(
                  accounts.create(Kind.SERVICE_ACCOUNT, wanted, call.caller().name(), ""));
            })
        .needs(Action.CREATE, SERVICE_ACCOUNT)
        .takes("ServiceAccountCreationRequest")
        .answers(201);
    routes
        .get(
            one,
            "get_" + name + "_by_id",
            call -> {
              allowed(call, Action.READ, SERVICE_ACCOUNT);
              return Answer.json(200, shown(found(call)));
            })
        .needs(Action.READ, SERVICE_ACCOUNT);
    routes
        .patch(
            one,
            "update_" + name + "_by_id",
            call -> {
              allowed(call, Action.UPDATE, SERVICE_ACCOUNT);
              var account = found(call);
              checkHoldsAll(call, account);
              accounts.enable(account, call.body("ServiceAccountPatchRequest").flag("enabled"));
              return Answer.empty(200);
            })
        .needs(Action.UPDATE, SERVICE_ACCOUNT)
        .takes("ServiceAccountPatchRequest")
        .answers(200)
        .silently();
    routes
        .delete(
            one,
            "delete_" + name + "_by_id",
            call -> {
              allowed(call, Action.DELETE, SERVICE_ACCOUNT);
              delete(call, found(call));
              return Answer.empty(204);
            })
        .needs(Action.DELETE, SERVICE_ACCOUNT)
        .answers(204);
    routes
        .post(
            one + "/secret",
            "regenerate_" + name + "_secret",
            call -> {
              allowed(call, Action.UPDATE, SERVICE_ACCOUNT);
              var account = found(call);
              checkHoldsAll(call, account);
              return Answer.json(200, Tree.of("clientSecret", accounts.renewSecret(account)));
            })
        .needs(Action.UPDATE, SERVICE_ACCOUNT)
        .answers(200);
  }

  private void addKeys(Routes routes) {
    var one = KEYS + "/{accessKeyId}";
    routes
        .get(
            KEYS,
            "get_access_keys",
            call ->
                Answer.json(200, Tree.of("accessKeys", keys(call.caller().account().subject()))))
        .needs(Action.READ, ACCESS_KEYS);
    routes
        .post(
            KEYS,
            "create_access_key1",
            call -> {
              var wanted = name(call, "AccessKeyCreationRequest");
              var owner = call.caller().account();
              return created(
                  accounts.create(Kind.ACCESS_KEY, wanted, owner.name(), owner.subject()));
            })
        .needs(Action.CREATE, ACCESS_KEYS)
        .takes("AccessKeyCreationRequest")
        .answers(201);
    routes
        .get(one, "get_access_key_by_id1", call -> Answer.json(200, shownKey(ownKey(call))))
        .needs(Action.READ, ACCESS_KEYS);
    routes
        .delete(
            one,
            "delete_access_key_by_id",
            call -> {
              accounts.delete(ownKey(call));
              return Answer.empty(204);
            })
        .needs(Action.DELETE, ACCESS_KEYS)
        .answers(204);
    routes
        .post(
            one + "/secret",
            "regenerate_access_key_secret",
            call -> Answer.json(200, Tree.of("clientSecret", accounts.renewSecret(ownKey(call)))))
        .needs(Action.UPDATE, ACCESS_KEYS)
        .answers(200);
    routes
        .get(
            ALL_KEYS,
            "get_access_keys_administration",
            call -> {
              allowed(call, Action.READ, USERS);
              return Answer.json(200, Tree.of("accessKeys", allKeys(call)));
            })
        .needs(Action.READ, USERS)
        .query("clientId", "createdBy");
    routes
        .delete(
            ALL_KEYS + "/{accessKeyId}",
            "delete_access_key_by_id_administration",
            call -> {
              allowed(call, Action.DELETE, USERS);
              delete(call, key(call));
              return Answer.empty(204);
            })
        .needs(Action.DELETE, USERS)
        .answers(204);
  }

  private void addUsers(Routes routes) {
    routes
        .get(
            USERS_PATH,
            "get_users",
            call -> {
              allowed(call, Action.READ, USERS);
              return Answer.json(200, all(Kind.USER, AccountRoutes::shownUser));
            })
        .needs(Action.READ, USERS);
    routes
        .post(USERS_PATH, "create_user", this::createUser)
        .needs(Action.CREATE, USERS)
        .takes("UserCreationRequest")
        .answers(201);
    routes
        .delete(
            USERS_PATH + "/{userId}",
            "delete_user",
            call -> {
              allowed(call, Action.DELETE, USERS);
              delete(
                  call,
                  accounts.find(Kind.USER, call.path("userId")).orElseThrow(Refusal::notFound));
              return Answer.empty(204);
            })
        .needs(Action.DELETE, USERS)
        .answers(204);
  }

  private Answer createUser(Call call) {
    allowed(call, Action.CREATE, USERS);
    var body = call.body("UserCreationRequest");
    var email = body.textOrEmpty("email");
    if (!email.matches("[^@\\s]{1,64}@[^@\\s]{1,190}")) {
      throw Refusal.badRequest("Bad request - email: \"%s\" is no e-mail address".formatted(email));
    }
    var created = accounts.create(Kind.USER, email, call.caller().name(), "");
    return Answer.json(201, shownUser(created.account()).put("tempPassword", created.secret()));
  }

  private void allowed(Call call, Action action, ResourceType type) {
    call.caller().requireOpenly(action, type, scopes.tenant());
  }

  private void delete(Call call, Account account) {
    checkHoldsAll(call, account);
    accounts.delete(account);
  }

  /// Who has an account's secret can do what the account may: nobody gets to do more that way. Nor
  /// does anybody put an end to who may do more.
  private void checkHoldsAll(Call call, Account account) {
    for (var grant : callers.of(account).grants()) {
      if (!call.caller().holds(grant.role(), grant.scope())) {
        throw Refusal.forbidden();
      }
    }
  }

  private static String name(Call call, String type) {
    var name = call.body(type).textOrEmpty("name");
    if (!name.matches("[a-z][-_a-z0-9]*[a-z0-9]") || name.length() > 63) {
      throw Refusal.badRequest(
          "Bad request - name: \"%s\" must be 2 to 63 lower-case letters, digits, hyphens and underscores, and begin with a letter"
              .formatted(name));
    }
    return name;
  }

  private Account found(Call call) {
    return accounts
        .find(Kind.SERVICE_ACCOUNT, call.path("serviceAccountId"))
        .orElseThrow(Refusal::notFound);
  }

  private Account key(Call call) {
    return accounts.find(Kind.ACCESS_KEY, call.path("accessKeyId")).orElseThrow(Refusal::notFound);
  }

  private Account ownKey(Call call) {
    var key = key(call);
    if (!key.subject().equals(call.caller().account().subject())) {
      throw Refusal.notFound();
    }
    return key;
  }

  private List<Object> all(Kind kind, java.util.function.Function<Account, Tree> shown) {
    return new ArrayList<>(accounts.all(kind).stream().map(shown).toList());
  }

  private List<Object> keys(String subject) {
    return new ArrayList<>(
        accounts.all(Kind.ACCESS_KEY).stream()
            .filter(key -> key.subject().equals(subject))
            .map(AccountRoutes::shownKey)
            .toList());
  }

  private List<Object> allKeys(Call call) {
    var clientId = call.parameter("clientId");
    var createdBy = call.parameter("createdBy");
    return new ArrayList<>(
        accounts.all(Kind.ACCESS_KEY).stream()
            .filter(key -> clientId.isEmpty() || key.clientId().equals(clientId))
            .filter(key -> createdBy.isEmpty() || key.createdBy().equals(createdBy))
            .map(key -> shownKey(key).put("createdBy", key.createdBy()))
            .toList());
  }

  private static Answer created(Accounts.Created created) {
    return Answer.json(
        201,
        Tree.of(
            "id", created.account().id(),
            "name", created.account().name(),
            "clientId", created.account().clientId(),
            "clientSecret", created.secret(),
            "createdAt", created.account().createdAt()));
  }

  private Tree shown(Account account) {
    return Tree.of(
        "id", account.id(),
        "name", account.name(),
        "clientId", account.clientId(),
        "createdBy", account.createdBy(),
        "createdAt", time(account.createdAt()),
        "updatedAt", time(account.updatedAt()),
        "lastLogin", time(account.lastLogin()),
        "enabled", account.enabled(),
        "tenantId", Long.toString(state.tenantId()));
  }

  private static Tree shownKey(Account account) {
    return Tree.of(
        "id", account.id(),
        "name", account.name(),
        "clientId", account.clientId(),
        "createdAt", time(account.createdAt()),
        "lastLogin", time(account.lastLogin()));
  }

  private static Tree shownUser(Account account) {
    return Tree.of(
        "id", account.id(),
        "username", account.name(),
        "createdBy", account.createdBy(),
        "createdAt", time(account.createdAt()),
        "lastLogin", time(account.lastLogin()));
  }

  private static @Nullable String time(String text) {
    return text.isEmpty() ? null : text;
  }
}
