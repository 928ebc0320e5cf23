package io.berth.workloads.access;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/// A named set of permissions.
public record Role(
    int id, String name, String description, Map<ResourceType, Set<Action>> permissions) {

  public boolean allows(Action action, ResourceType type) {
    return permissions.getOrDefault(type, Set.of()).contains(action);
  }

  /// Whether this role permits nothing that `other` does not.
  boolean isWithin(Role other) {
    return permissions.entrySet().stream()
        .allMatch(entry ->
            other.permissions.getOrDefault(entry.getKey(), Set.of()).containsAll(entry.getValue()));
  }

  static final class Builder {

    private final Map<ResourceType, Set<Action>> permissions = new EnumMap<>(ResourceType.class);

    Builder reads(ResourceType... types) {
      return may(EnumSet.of(Action.READ), types);
    }

    Builder edits(ResourceType... types) {
      return may(EnumSet.of(Action.READ, Action.UPDATE), types);
    }

    Builder owns(ResourceType... types) {
      return may(EnumSet.allOf(Action.class), types);
    }

    private Builder may(Set<Action> actions, ResourceType... types) {
      for (var type : types) {
        permissions.computeIfAbsent(type, _ -> EnumSet.noneOf(Action.class)).addAll(actions);
      }
      return this;
    }

    Role named(int id, String name, String description) {
      return new Role(id, name, description, permissions);
    }
  }
}
