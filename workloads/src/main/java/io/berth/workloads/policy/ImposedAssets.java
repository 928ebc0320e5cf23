package io.berth.workloads.policy;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The ids of assets that every workload gets, by role; the role is empty where there are none.
public record ImposedAssets(Map<String, Set<String>> byRole) {

  static final ImposedAssets NONE = new ImposedAssets(Map.of());

  /// As policies write them: a list, or an object of lists by role.
  static ImposedAssets of(@Nullable Object written) {
    var byRole = new LinkedHashMap<String, Set<String>>();
    if (written instanceof List<?> ids) {
      byRole.put("", ids(ids));
    } else if (written instanceof Tree roles) {
      for (var role : roles.names()) {
        byRole.put(role, ids(roles.list(role)));
      }
    }
    return new ImposedAssets(byRole);
  }

  private static Set<String> ids(List<?> written) {
    var ids = new LinkedHashSet<String>();
    written.forEach(id -> ids.add(String.valueOf(id)));
    return ids;
  }

  Object written() {
    var roles = new Tree();
    byRole.forEach((role, ids) -> roles.put(role, new ArrayList<Object>(ids)));
    return roles.isEmpty() || roles.has("") ? new ArrayList<>(roles.list("")) : roles;
  }

  /// What either imposes.
  ImposedAssets and(ImposedAssets other) {
    var both = new LinkedHashMap<String, Set<String>>();
    for (var each : List.of(this, other)) {
      each.byRole.forEach(
          (role, ids) -> both.computeIfAbsent(role, _ -> new LinkedHashSet<>()).addAll(ids));
    }
    return new ImposedAssets(both);
  }

  /// All ids, whatever role they are for.
  public Set<String> all() {
    var all = new LinkedHashSet<String>();
    byRole.values().forEach(all::addAll);
    return all;
  }

  /// What is wrong with the form of what somebody wrote; empty when nothing is.
  static List<String> problems(@Nullable Object written, Set<String> roles) {
    if (written == null || written.equals(List.of())) {
      return List.of();
    }
    if (roles.isEmpty()) {
      return areIds(written) ? List.of() : List.of("imposedAssets must be a list of asset ids");
    }
    if (!(written instanceof Tree byRole)) {
      return List.of(
          "imposedAssets must be an object of lists by role: " + String.join(", ", roles));
    }
    var problems = new ArrayList<String>();
    byRole
        .fields()
        .forEach((role, ids) -> {
          if (!roles.contains(role)) {
            problems.add("json: unknown field \"%s\"".formatted(role));
          } else if (ids != null && !areIds(ids)) {
            problems.add("imposedAssets.%s must be a list of asset ids".formatted(role));
          }
        });
    return problems;
  }

  private static boolean areIds(Object written) {
    return written instanceof List<?> list && list.stream().allMatch(String.class::isInstance);
  }
}
