package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A pod as far as scheduling reads it.
final class OraclePod {

  final Tree tree;
  final String key;
  final String namespace;
  final String nodeName;
  final Map<String, String> labels;
  final long priority;
  final boolean terminating;
  final @Nullable Instant startTime;
  final List<Term> requiredAffinity;
  final List<Term> requiredAntiAffinity;
  final List<Term> preferredAffinity;
  final List<Term> preferredAntiAffinity;
  final List<Toleration> tolerations;
  final List<HostPort> hostPorts;
  final @Nullable List<NodeTerm> requiredNodeTerms;
  final Map<String, Long> onNode;
  final Map<String, Long> onNodeNonZero;

  OraclePod(Tree tree) {
    this.tree = tree;
    this.namespace = tree.textOrEmpty("metadata", "namespace");
    this.key = namespace + "/" + tree.textOrEmpty("metadata", "name");
    this.nodeName = tree.textOrEmpty("spec", "nodeName");
    this.labels = tree.texts("metadata", "labels");
    this.priority = tree.number(0, "spec", "priority");
    this.terminating = tree.at("metadata", "deletionTimestamp") != null;
    var started = tree.text("status", "startTime");
    this.startTime = started == null ? null : Instant.parse(started);
    this.requiredAffinity = terms("podAffinity", true);
    this.requiredAntiAffinity = terms("podAntiAffinity", true);
    this.preferredAffinity = terms("podAffinity", false);
    this.preferredAntiAffinity = terms("podAntiAffinity", false);
    this.tolerations = tree.trees("spec", "tolerations").stream().map(Toleration::of).toList();
    this.hostPorts = hostPorts();
    this.requiredNodeTerms =
        NodeTerm.terms(
            tree.tree(
                "spec",
                "affinity",
                "nodeAffinity",
                "requiredDuringSchedulingIgnoredDuringExecution"));
    var requests = new Requests(tree);
    this.onNode = requests.onNode();
    this.onNodeNonZero = requests.onNodeNonZero();
  }

  /// One (anti-)affinity term; `weight` is 0 for required ones.
  record Term(
      Set<String> namespaces,
      Selector namespaceSelector,
      Selector selector,
      String topologyKey,
      long weight) {

    /// `namespaceLabels` are those of the other pod's namespace.
    boolean matches(OraclePod other, Map<String, String> namespaceLabels) {
      return (namespaces.contains(other.namespace) || namespaceSelector.matches(namespaceLabels))
          && selector.matches(other.labels);
    }
  }

  record Toleration(String key, String operator, String value, String effect) {

    static Toleration of(Tree tree) {
      return new Toleration(
          tree.textOrEmpty("key"),
          tree.textOrEmpty("operator"),
          tree.textOrEmpty("value"),
          tree.textOrEmpty("effect"));
    }

    boolean tolerates(OracleNode.Taint taint) {
      return (effect.isEmpty() || effect.equals(taint.effect()))
          && (key.isEmpty() || key.equals(taint.key()))
          && switch (operator) {
            case "", "Equal" -> value.equals(taint.value());
            case "Exists" -> true;
            default -> false;
          };
    }
  }

  record HostPort(String ip, String protocol, long port) {

    boolean conflicts(HostPort other) {
      return port == other.port
          && protocol.equals(other.protocol)
          && (ip.equals("0.0.0.0") || other.ip.equals("0.0.0.0") || ip.equals(other.ip));
    }
  }

  boolean tolerates(OracleNode.Taint taint) {
    return tolerations.stream().anyMatch(each -> each.tolerates(taint));
  }

  /// Whether every taint that keeps pods away is tolerated.
  boolean toleratesAll(OracleNode node) {
    return node.taints().stream().filter(OracleNode.Taint::keepsAway).allMatch(this::tolerates);
  }

  /// Whether `nodeSelector` and required node affinity allow the node.
  boolean wants(OracleNode node) {
    return Selector.ofLabels(tree.texts("spec", "nodeSelector")).matches(node.labels())
        && NodeTerm.matches(requiredNodeTerms, node);
  }

  private List<Term> terms(String kind, boolean required) {
    var field =
        required
            ? "requiredDuringSchedulingIgnoredDuringExecution"
            : "preferredDuringSchedulingIgnoredDuringExecution";
    var terms = new ArrayList<Term>();
    for (var each : tree.trees("spec", "affinity", kind, field)) {
      terms.add(
          required
              ? term(each, 0)
              : term(each.treeOrEmpty("podAffinityTerm"), each.number(0, "weight")));
    }
    return terms;
  }

  private Term term(Tree term, long weight) {
    var namespaces = term.list("namespaces").stream().map(String::valueOf).toList();
    var selector = term.tree("namespaceSelector");
    return new Term(
        namespaces.isEmpty() && selector == null ? Set.of(namespace) : Set.copyOf(namespaces),
        Selector.of(selector),
        Selector.of(term.tree("labelSelector")),
        term.textOrEmpty("topologyKey"),
        weight);
  }

  private List<HostPort> hostPorts() {
    var containers = new ArrayList<>(tree.trees("spec", "containers"));
    for (var init : tree.trees("spec", "initContainers")) {
      if (init.textOrEmpty("restartPolicy").equals("Always")) {
        containers.add(init);
      }
    }
    var ports = new ArrayList<HostPort>();
    for (var container : containers) {
      for (var port : container.trees("ports")) {
        if (port.number(0, "hostPort") > 0) {
          ports.add(
              new HostPort(
                  or(port.textOrEmpty("hostIP"), "0.0.0.0"),
                  or(port.textOrEmpty("protocol"), "TCP"),
                  port.number(0, "hostPort")));
        }
      }
    }
    return ports;
  }

  private static String or(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }

  @Override
  public String toString() {
    return key;
  }
}
