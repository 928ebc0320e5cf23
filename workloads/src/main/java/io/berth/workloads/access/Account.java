package io.berth.workloads.access;

import io.berth.api.Tree;
import java.util.Locale;

/// Somebody who can ask for a token. `subject` is who access rules speak of: an access key acts for
/// the account that made it.
public record Account(
    String id,
    Kind kind,
    String name,
    String clientId,
    String secretHash,
    String subject,
    boolean enabled,
    String createdBy,
    String createdAt,
    String updatedAt,
    String lastLogin) {

  /// What kind of account, in the words of access rules.
  public enum Kind {
    SERVICE_ACCOUNT,
    ACCESS_KEY,
    USER;

    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  static Account of(Tree tree) {
    return new Account(
        tree.textOrEmpty("id"),
        Kind.valueOf(tree.textOrEmpty("kind")),
        tree.textOrEmpty("name"),
        tree.textOrEmpty("clientId"),
        tree.textOrEmpty("secretHash"),
        tree.textOrEmpty("subject"),
        tree.flag("enabled"),
        tree.textOrEmpty("createdBy"),
        tree.textOrEmpty("createdAt"),
        tree.textOrEmpty("updatedAt"),
        tree.textOrEmpty("lastLogin"));
  }

  Tree tree() {
    return Tree.of(
        "id", id,
        "kind", kind.name(),
        "name", name,
        "clientId", clientId,
        "secretHash", secretHash,
        "subject", subject,
        "enabled", enabled,
        "createdBy", createdBy,
        "createdAt", createdAt,
        "updatedAt", updatedAt,
        "lastLogin", lastLogin);
  }

  Account withSecret(String hash, String at) {
    return new Account(
        id, kind, name, clientId, hash, subject, enabled, createdBy, createdAt, at, lastLogin);
  }

  Account withEnabled(boolean on, String at) {
    return new Account(
        id, kind, name, clientId, secretHash, subject, on, createdBy, createdAt, at, lastLogin);
  }

  Account withLogin(String at) {
    return new Account(
        id,
        kind,
        name,
        clientId,
        secretHash,
        subject,
        enabled,
        createdBy,
        createdAt,
        updatedAt,
        at);
  }
}
