package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.util.List;

/// One plugin's no.
record Rejection(String plugin, boolean unresolvable, List<String> reasons) {

  static Rejection unschedulable(String plugin, String... reasons) {
    return new Rejection(plugin, false, List.of(reasons));
  }

  static Rejection unresolvable(String plugin, String... reasons) {
    return new Rejection(plugin, true, List.of(reasons));
  }

  Tree toTree() {
    var tree = new Tree();
    if (!plugin.isEmpty()) {
      tree.put("plugin", plugin);
    }
    return tree.put("code", unresolvable ? "UnschedulableAndUnresolvable" : "Unschedulable")
        .put("reasons", reasons);
  }
}
