package io.berth.engine.decide;

import io.berth.engine.model.Topology;
import io.berth.engine.rule.Grouping;
import io.berth.engine.rule.Grouping.Places;
import java.util.ArrayList;
import java.util.List;

/// The keys by which a view groups its nodes: where each component stands, and who reads it.
///
/// A key holds, in this order: numbers of rules that depend on the node object; the node's domains
/// in topologies that nodes share; numbers of rules that depend on its pods, such as counts where
/// every node is a domain of its own. Everything a group's verdict and normalised scores need
/// follows from that and from counters that are kept elsewhere.
final class GroupKeys {

  private final Grouping[] readers;
  private final List<Topology> shared = new ArrayList<>();
  private final List<Topology> separate = new ArrayList<>();
  private final int domainsAt;
  private final int nodeComponents;
  private final int components;

  GroupKeys(ViewFilters filters, ViewScores scores) {
    var all = new ArrayList<Grouping>(List.of(filters.ofGroups().tests()));
    all.addAll(List.of(scores.ofGroups()));
    this.readers = all.toArray(Grouping[]::new);
    int ofNode = 0;
    for (var reader : readers) {
      reader.topologies().forEach(this::use);
      ofNode += reader.nodeComponents();
    }
    this.domainsAt = ofNode;
    this.nodeComponents = domainsAt + shared.size();
    this.components = place();
  }

  private void use(Topology topology) {
    var list = topology.isShared() ? shared : separate;
    if (!list.contains(topology)) {
      list.add(topology);
    }
  }

  /// Tells every reader its places; returns how many components there are.
  private int place() {
    int node = 0;
    int pods = nodeComponents;
    for (var reader : readers) {
      var domains = reader.topologies().stream().mapToInt(this::placeOf).toArray();
      reader.place(new Places(domains, node, pods));
      node += reader.nodeComponents();
      pods += reader.podComponents();
    }
    return pods;
  }

  private int placeOf(Topology topology) {
    int index = shared.indexOf(topology);
    return index < 0 ? Places.OWN : domainsAt + index;
  }

  int components() {
    return components;
  }

  /// How many components at the start of a key depend on the node object alone.
  int nodeComponents() {
    return nodeComponents;
  }

  /// Whether nodes share the domains of the same topologies as when the places were given.
  boolean topologiesAreCurrent() {
    for (int i = 0; i < shared.size(); i++) {
      if (!shared.get(i).isShared()) {
        return false;
      }
    }
    for (int i = 0; i < separate.size(); i++) {
      if (separate.get(i).isShared()) {
        return false;
      }
    }
    return true;
  }

  void grow(int capacity) {
    for (var reader : readers) {
      reader.grow(capacity);
    }
  }

  /// Fills in what depends on the node object.
  void readNode(int node, int[] key) {
    for (int i = 0; i < shared.size(); i++) {
      key[domainsAt + i] = shared.get(i).domainOf(node);
    }
    for (var reader : readers) {
      reader.readNode(node, key);
    }
  }

  /// Fills in what depends on the pods of the node.
  void readPods(int node, int[] key) {
    for (var reader : readers) {
      reader.readPods(node, key);
    }
  }

  void forget(int node) {
    for (var reader : readers) {
      reader.forget(node);
    }
  }
}
