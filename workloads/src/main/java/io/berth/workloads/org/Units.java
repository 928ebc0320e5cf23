package io.berth.workloads.org;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.door.Given;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What departments and projects have in common, and some of it node pools too.
final class Units {

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final int MAX_NAME = 56;

  private Units() {}

  static String id(Tree unit) {
    return Long.toString(unit.number(0, "spec", "id"));
  }

  static Optional<Tree> find(State state, Resource resource, String id) {
    return state.units(resource).stream().filter(unit -> id(unit).equals(id)).findFirst();
  }

  /// The request that would have made a unit.
  static Tree asked(Tree object, State state) {
    var request = Given.asked(object);
    request.put("name", Projects.name(object)).put("clusterId", state.clusterId());
    request.putIfAbsent("resources", List.of());
    return request;
  }

  /// An object with its number and the times it has from Berth.
  static Tree numbered(Tree object, State state) {
    if (!Given.hasId(object)) {
      Given.give(object.child("spec"), state.nextId(), state.times().now());
    }
    return object;
  }

  // A project's namespace is "runai-" and its name, and has 63 characters at most.
  static void checkName(String name) {
    if (name.length() > MAX_NAME || !NAME.matcher(name).matches()) {
      throw Refusal.badRequest(
          "Bad request - name: \"%s\" must be 1 to %d lower-case letters, digits and hyphens, and begin and end with a letter or digit"
              .formatted(name, MAX_NAME));
    }
  }

  static void checkCluster(State state, String id) {
    if (!id.equals(state.clusterId())) {
      throw Refusal.badRequest("Bad request - clusterId: there is no cluster \"%s\"".formatted(id));
    }
  }

  /// A number of any kind, or zero.
  static double amount(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : 0;
  }

  static void checkPools(NodePools pools, Tree request) {
    for (var pool : request.list("defaultNodePools")) {
      if (pools.find(String.valueOf(pool)).isEmpty()) {
        throw Refusal.badRequest(
            "Bad request - defaultNodePools: there is no node pool \"%s\"".formatted(pool));
      }
    }
  }

  static Tree kept(Tree request, List<String> fields) {
    var kept = new Tree();
    for (var field : fields) {
      if (request.has(field)) {
        kept.put(field, request.get(field));
      }
    }
    return kept;
  }

  static String defaultDepartment(State state) {
    return state
        .table(BerthKinds.DEPARTMENTS)
        .find("", DepartmentRoutes.DEFAULT)
        .map(Units::id)
        .orElse("");
  }
}
