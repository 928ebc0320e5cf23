package io.berth.workloads.access;

import io.berth.workloads.http.Refusal;
import java.util.Locale;

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
      for (var level : values()) {
        if (level.text().equals(name)) {
          return level;
        }
      }
      throw Refusal.badRequest(
          "scope \"%s\" is none of system, tenant, cluster, department, project".formatted(name));
    }

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static Scope project(String id) {
    return new Scope(Level.PROJECT, id);
  }

  public static Scope department(String id) {
    return new Scope(Level.DEPARTMENT, id);
  }
}
