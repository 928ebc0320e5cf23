package io.berth.conformance.kai;

import io.berth.api.Node;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The nodes of a recording. Each device has 100 MiB; what is not written is plenty.
final class RecordedNodes {

  static final String NAME_LABEL = "kai.scheduler/type";

  private RecordedNodes() {}

  static List<Node> of(Recording recording) {
    var nodes = new ArrayList<Node>();
    var tree = recording.tree().treeOrEmpty("Nodes");
    for (var name : tree.names()) {
      nodes.add(node(name, tree.treeOrEmpty(name)));
    }
    return nodes;
  }

  private static Node node(String name, Tree tree) {
    var labels = new HashMap<String, String>();
    labels.put("nvidia.com/gpu.memory", "100");
    labels.put(NAME_LABEL, name);
    labels.putAll(tree.texts("Labels"));
    boolean mixed = tree.textOrEmpty("Mig").equals("mixed");
    var offered = new HashMap<String, Quantity>();
    offered.put("cpu", quantity(tree, "CPUMillis", "20000"));
    offered.put("memory", quantity(tree, "CPUMemory", "20G"));
    offered.put("pods", Quantity.of(500));
    offered.put("nvidia.com/gpu", Quantity.of(mixed ? 0 : tree.number(0, "GPUs")));
    var slices = tree.treeOrEmpty("MigInst");
    slices.names().forEach(profile -> offered.put(profile, Quantity.of(slices.number(0, profile))));
    return new Node(name, labels, false, List.of(), Map.copyOf(offered), List.of(), List.of());
  }

  static Quantity quantity(Tree tree, String field, String otherwise) {
    var value = tree.get(field);
    return Quantity.parse(value == null ? otherwise : value.toString());
  }
}
