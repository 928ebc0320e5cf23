package io.berth.workloads.policy;

import io.berth.api.Tree;
import io.berth.workloads.types.Type;
import io.berth.workloads.types.Types;
import java.util.ArrayList;
import java.util.List;

/// The rule of one field: where it is, and what it says.
record Rule(List<String> path, Tree body, boolean itemized) {

  /// All rules of a tree of rules, in the order of the table of types.
  static List<Rule> all(String rulesType, Tree rules) {
    var found = new ArrayList<Rule>();
    collect(rulesType, rules, List.of(), found);
    return found;
  }

  private static void collect(String type, Tree rules, List<String> path, List<Rule> found) {
    for (var field : Types.REQUESTS.fields(type).values()) {
      if (!(rules.get(field.name()) instanceof Tree body)
          || !(field.type() instanceof Type.Ref(var below))) {
        continue;
      }
      var here = new ArrayList<>(path);
      here.add(field.name());
      if (isItemized(below)) {
        found.add(new Rule(here, body, true));
      } else if (isRule(below)) {
        found.add(new Rule(here, body, false));
      } else {
        collect(below, body, here, found);
      }
    }
  }

  static boolean isItemized(String type) {
    return Types.REQUESTS.fields(type).containsKey("instances");
  }

  static boolean isRule(String type) {
    var fields = Types.REQUESTS.fields(type);
    return fields.containsKey("sourceOfRule") || fields.containsKey("canEdit");
  }

  String field() {
    return String.join(".", path);
  }

  /// `compute` and `security` are the administrator's: there the broadest scope decides.
  boolean isBroadestFirst() {
    return path.contains("compute") || path.contains("security");
  }
}
