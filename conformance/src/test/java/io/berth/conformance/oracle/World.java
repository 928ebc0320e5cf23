package io.berth.conformance.oracle;

import io.berth.api.Tree;
import io.berth.conformance.Case;
import io.berth.conformance.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The cluster as it stands: objects by name, nothing derived.
final class World {

  final Map<String, OracleNode> nodes = new LinkedHashMap<>();
  final Map<String, OraclePod> pods = new LinkedHashMap<>();
  final Map<String, OraclePod> nominated = new TreeMap<>();
  final Map<String, String> nominatedNode = new HashMap<>();
  final Map<String, Map<String, String>> namespaces = new HashMap<>();
  final Case start;

  World(Case start) {
    this.start = start;
    start.objects("namespaces").forEach(this::putNamespace);
    start.objects("nodes").forEach(this::putNode);
    start.objects("pods").forEach(this::putPod);
  }

  void apply(Step.Event event) {
    switch (event) {
      case Step.AddNode(var node) -> putNode(node);
      case Step.UpdateNode(var node) -> putNode(node);
      case Step.RemoveNode(var name) -> nodes.remove(name);
      case Step.AddPod(var pod) -> putPod(pod);
      case Step.UpdatePod(var pod) -> putPod(pod);
      case Step.RemovePod(var pod) -> pods.remove(pod);
      case Step.UpdateNamespace(var namespace) -> putNamespace(namespace);
      case Step.Nominate(var pod, var node) -> {
        var pending = new OraclePod(pod);
        nominated.put(pending.key, pending);
        nominatedNode.put(pending.key, node);
      }
      case Step.Unnominate(var pod) -> nominated.remove(pod);
      case Step.Put _, Step.Remove _ ->
          throw new IllegalArgumentException("the oracle knows no persistent volumes");
    }
  }

  void putPod(Tree tree) {
    var pod = new OraclePod(tree);
    pods.put(pod.key, pod);
  }

  /// The pods on each node that exists.
  Map<String, List<OraclePod>> podsByNode() {
    var byNode = new HashMap<String, List<OraclePod>>();
    nodes.keySet().forEach(name -> byNode.put(name, new ArrayList<>()));
    for (var pod : pods.values()) {
      var list = byNode.get(pod.nodeName);
      if (list != null) {
        list.add(pod);
      }
    }
    return byNode;
  }

  Map<String, String> namespaceLabels(String namespace) {
    return namespaces.getOrDefault(namespace, Map.of());
  }

  /// Whether a term of the incoming pod matches another pod. Its namespace selector is resolved
  /// against the namespaces that exist, except `{}`, which needs no namespace to exist.
  boolean matches(OraclePod.Term term, OraclePod other) {
    var labels = namespaces.get(other.namespace);
    if (labels == null && !term.namespaceSelector().isEmpty()) {
      return term.namespaces().contains(other.namespace) && term.selector().matches(other.labels);
    }
    return term.matches(other, namespaceLabels(other.namespace));
  }

  private void putNode(Tree tree) {
    var node = OracleNode.of(tree);
    nodes.put(node.name(), node);
  }

  private void putNamespace(Tree namespace) {
    namespaces.put(
        namespace.textOrEmpty("metadata", "name"), namespace.texts("metadata", "labels"));
  }
}
