package io.berth.answers.plan;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// A stand-in for fleets of simulated nodes: `fleet-1` …, with room for four.
final class Fleet {

  private Fleet() {}

  static List<Tree> nodes(Tree fleet) {
    var nodes = new ArrayList<Tree>();
    for (long i = 1; i <= fleet.number(1, "spec", "count"); i++) {
      var labels = fleet.treeOrEmpty("spec", "labels").copy();
      nodes.add(
          Tree.of("apiVersion", "v1", "kind", "Node")
              .put("metadata", Tree.of("name", "fleet-" + i, "labels", labels))
              .put("status", Tree.of("allocatable", Tree.of("cpu", "4", "pods", "110"))));
    }
    return nodes;
  }
}
