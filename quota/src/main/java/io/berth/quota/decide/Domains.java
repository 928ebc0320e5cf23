package io.berth.quota.decide;

import io.berth.api.Node;
import io.berth.api.Requirement;
import io.berth.quota.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The domains of topologies in a pool: which nodes are close together.
final class Domains {

  private final Map<String, Map<String, String>> labels = new TreeMap<>();
  private final Map<List<String>, List<Domain>> found = new HashMap<>();

  /// Nodes that agree in the labels `clauses` asks for.
  record Domain(List<Requirement> clauses, List<String> nodes) {}

  void add(Node node) {
    labels.put(node.name(), node.labels());
  }

  /// Those a gang is tried in, the closest levels first; within a level those with the least room
  /// first. `null` at the end stands for the whole pool, where nothing is required.
  ///
  /// Where pods of the gang are already somewhere, theirs alone are left of the required level.
  List<@Nullable Domain> toTry(Topology topology, List<String> occupied, FreeGpus gpus) {
    int required = topology.depthOf(topology.required());
    var tried = new ArrayList<@Nullable Domain>();
    for (int depth = topology.depthOf(topology.preferred()); depth > required; depth--) {
      tried.addAll(sorted(topology, depth, gpus));
    }
    if (required >= 0) {
      tried.addAll(sorted(topology, required, gpus));
    } else {
      tried.add(null);
    }
    if (required >= 0 && !occupied.isEmpty()) {
      var there =
          sorted(topology, required, gpus).stream()
              .filter(domain -> domain.nodes.containsAll(occupied))
              .toList();
      tried.removeIf(domain ->
          domain == null || there.isEmpty() || !there.getFirst().nodes.containsAll(domain.nodes));
    }
    return tried;
  }

  /// Those within the tightest domain of each level above come first.
  private List<Domain> sorted(Topology topology, int depth, FreeGpus gpus) {
    var domains = new ArrayList<>(at(topology.levels().subList(0, depth + 1)));
    var order = Comparator.<Domain>comparingInt(_ -> 0);
    for (int d = 0; d <= depth; d++) {
      int level = d + 1;
      var free = new HashMap<List<Requirement>, Long>();
      at(topology.levels().subList(0, level))
          .forEach(above -> free.put(above.clauses, free(above, gpus)));
      order =
          order
              .thenComparing(domain -> free.getOrDefault(domain.clauses.subList(0, level), 0L))
              .thenComparing(domain -> domain.clauses.get(level - 1).values().getFirst());
    }
    domains.sort(order);
    return domains;
  }

  private static long free(Domain domain, FreeGpus gpus) {
    long sum = 0;
    for (var node : domain.nodes()) {
      int index = gpus.indexOf(node);
      sum += index == FreeGpus.NONE ? 0 : gpus.free(index);
    }
    return sum;
  }

  private List<Domain> at(List<String> levels) {
    return found.computeIfAbsent(levels, this::divide);
  }

  private List<Domain> divide(List<String> levels) {
    var nodes = new TreeMap<String, Domain>();
    labels.forEach((node, own) -> {
      var clauses = new ArrayList<Requirement>();
      for (var level : levels) {
        var value = own.get(level);
        if (value != null) {
          clauses.add(new Requirement(level, "In", List.of(value)));
        }
      }
      if (clauses.size() == levels.size()) {
        nodes
            .computeIfAbsent(clauses.toString(), _ -> new Domain(clauses, new ArrayList<>()))
            .nodes()
            .add(node);
      }
    });
    return List.copyOf(nodes.values());
  }
}
