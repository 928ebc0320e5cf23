package io.berth.workloads.access;

import io.berth.api.Tree;
import io.berth.workloads.http.Refusal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A part of the organization: one unit of it, and everything below.
public record Scope(Level level, String id) {

  /// From broad to narrow.
  public enum Level {
    SYSTEM,
    TENANT,
    CLUSTER,
    DEPARTMENT,
    PROJECT;

    public static Level of(String name) {
      return find(name)
          .orElseThrow(() ->
              Refusal.badRequest(
                  "scope \"%s\" is none of system, tenant, cluster, department, project"
                      .formatted(name)));
    }

    static Optional<Level> find(String name) {
      return Arrays.stream(values()).filter(level -> level.text().equals(name)).findFirst();
    }

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// The scope that an access rule names.
  public static Optional<Scope> of(Tree rule) {
    return Level.find(rule.textOrEmpty("scopeType"))
        .map(level -> new Scope(level, rule.textOrEmpty("scopeId")));
  }

  public static Scope project(String id) {
    return new Scope(Level.PROJECT, id);
  }

  public static Scope department(String id) {
    return new Scope(Level.DEPARTMENT, id);
  }
}
