package io.berth.workloads.access;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// Accounts, each in a Secret of the layer's namespace: whoever may read custom resources may not
/// read these.
public final class Accounts {

  private static final String LABEL = "berth.io/account";
  private static final String FIELD = "account";
  // Compared against when there is no such account, so that the answer takes as long.
  private static final String NOBODY = Passwords.hash("nobody");

  private final State state;

  public Accounts(State state) {
    this.state = state;
  }

  /// A new account and its secret, which is not kept and cannot be shown again.
  public record Created(Account account, String secret) {}

  public Created create(Account.Kind kind, String name, String createdBy, String subject) {
    return create(kind, name, createdBy, subject, Passwords.newSecret());
  }

  public Created create(
      Account.Kind kind, String name, String createdBy, String subject, String secret) {
    if (all(kind).stream().anyMatch(each -> each.name().equals(name))) {
      throw Refusal.conflict("there is already a %s \"%s\"".formatted(kind.text(), name));
    }
    var now = state.times().now();
    var clientId =
        kind == Account.Kind.USER
            ? name
            : name + "-" + Passwords.newSecret().substring(0, 8).toLowerCase(java.util.Locale.ROOT);
    var account =
        new Account(
            UUID.randomUUID().toString(),
            kind,
            name,
            clientId,
            Passwords.hash(secret),
            subject.isEmpty() ? clientId : subject,
            true,
            createdBy,
            now,
            now,
            "");
    state.table(Resource.SECRETS).create(secretOf(account));
    return new Created(account, secret);
  }

  /// The account, when the secret is its own and it is enabled.
  public Optional<Account> authenticate(String clientId, String secret) {
    var account = findByClientId(clientId);
    var hash = account.map(Account::secretHash).orElse(NOBODY);
    boolean right = Passwords.matches(secret, hash);
    return account.filter(each -> right && isActive(each));
  }

  /// Whether it may act: it is enabled, and so is the account it acts for.
  public boolean isActive(Account account) {
    return account.enabled()
        && (account.kind() != Account.Kind.ACCESS_KEY
            || findByClientId(account.subject()).filter(Account::enabled).isPresent());
  }

  public void loggedIn(Account account) {
    change(account, latest -> latest.withLogin(state.times().now()));
  }

  public String renewSecret(Account account) {
    var secret = Passwords.newSecret();
    var hash = Passwords.hash(secret);
    change(account, latest -> latest.withSecret(hash, state.times().now()));
    return secret;
  }

  public void enable(Account account, boolean on) {
    change(account, latest -> latest.withEnabled(on, state.times().now()));
  }

  /// Deletes an account with all it may do: one that comes to have its name gets none of that.
  public void delete(Account account) {
    if (account.kind() != Account.Kind.ACCESS_KEY) {
      deleteRights(account.subject());
    }
    state.table(Resource.SECRETS).delete(State.NAMESPACE, name(account));
  }

  private void deleteRights(String subject) {
    var rules = state.table(BerthKinds.ACCESS_RULES);
    for (var rule : rules.all()) {
      if (rule.textOrEmpty("spec", "subjectId").equals(subject)) {
        rules.delete(rule);
      }
    }
    for (var key : all(Account.Kind.ACCESS_KEY)) {
      if (key.subject().equals(subject)) {
        delete(key);
      }
    }
  }

  public Optional<Account> find(Account.Kind kind, String id) {
    return all(kind).stream().filter(account -> account.id().equals(id)).findFirst();
  }

  public Optional<Account> find(String id) {
    return all().stream().filter(account -> account.id().equals(id)).findFirst();
  }

  public Optional<Account> findByClientId(String clientId) {
    return all().stream().filter(account -> account.clientId().equals(clientId)).findFirst();
  }

  public List<Account> all(Account.Kind kind) {
    return all().stream().filter(account -> account.kind() == kind).toList();
  }

  private List<Account> all() {
    var accounts = new ArrayList<Account>();
    for (var secret : state.table(Resource.SECRETS).all()) {
      if (secret.textOrEmpty("metadata", "namespace").equals(State.NAMESPACE)
          && secret.at("metadata", "labels", LABEL) != null) {
        accounts.add(accountIn(secret));
      }
    }
    return accounts;
  }

  /// From its latest state: one who logs in must not undo what was done to the account meanwhile.
  private void change(Account account, UnaryOperator<Account> change) {
    try {
      state
          .table(Resource.SECRETS)
          .change(
              State.NAMESPACE,
              name(account),
              secret -> secret.put("data", secretOf(change.apply(accountIn(secret))).get("data")));
    } catch (ApiException e) {
      if (e.code() != 404) {
        throw e;
      }
      // Deleted meanwhile: nothing is left to note.
    }
  }

  private static Account accountIn(Tree secret) {
    return Account.of(Json.read(Base64.getDecoder().decode(secret.textOrEmpty("data", FIELD))));
  }

  private static Tree secretOf(Account account) {
    return Tree.of(
        "metadata",
        Tree.of(
            "name",
            name(account),
            "namespace",
            State.NAMESPACE,
            "labels",
            Tree.of(LABEL, account.kind().text())),
        "type",
        "berth.io/account",
        "data",
        Tree.of(FIELD, Base64.getEncoder().encodeToString(Json.write(account.tree()))));
  }

  private static String name(Account account) {
    return "account-" + account.id();
  }
}
