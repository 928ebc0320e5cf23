package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One scheduling cycle for one pending pod, told step by step.
final class Cycle {

  private final World world;
  private final Profile profile;
  private final OraclePod pod;
  private final Filters filters;
  private final FilterState state;
  private final List<String> filterPlugins;
  private final Map<String, List<OraclePod>> podsByNode;
  private final Tree answer = new Tree();

  Cycle(World world, Profile profile, OraclePod pod) {
    this.world = world;
    this.profile = profile;
    this.pod = pod;
    this.filters = new Filters(pod, profile);
    this.filterPlugins = List.copyOf(profile.at("filter").keySet());
    this.podsByNode = world.podsByNode();
    this.state =
        new FilterState(world, pod, new Spread(world, pod, profile).constraints("DoNotSchedule"));
  }

  FilterState state() {
    return state;
  }

  Tree run() {
    if (world.nodes.isEmpty()) {
      return answer.put("message", "no nodes available to schedule pods");
    }
    var preFilters = profile.at("preFilter").keySet();
    if (preFilters.contains("PodTopologySpread") && state.constraints.isEmpty()) {
      state.skipped.add("PodTopologySpread");
    }
    if (preFilters.contains("InterPodAffinity")
        && state.existingAntiAffinity.isEmpty()
        && pod.requiredAffinity.isEmpty()
        && pod.requiredAntiAffinity.isEmpty()) {
      state.skipped.add("InterPodAffinity");
    }
    var names = preFilters.contains("NodeAffinity") ? namedNodes() : null;
    if (names != null && names.isEmpty()) {
      return preFilterRejected(
          Rejection.unresolvable("NodeAffinity", "pod affinity terms conflict"));
    }
    return filter(names);
  }

  /// The nodes that required node affinity names, if every term names some; otherwise `null`.
  private @Nullable SortedSet<String> namedNodes() {
    if (pod.requiredNodeTerms == null || pod.requiredNodeTerms.isEmpty()) {
      return null;
    }
    var names = new TreeSet<String>();
    for (var term : pod.requiredNodeTerms) {
      TreeSet<String> inTerm = null;
      for (var field : term.fields()) {
        if (field.key().equals("metadata.name") && field.operator().equals("In")) {
          if (inTerm == null) {
            inTerm = new TreeSet<>(field.values());
          } else {
            inTerm.retainAll(field.values());
          }
        }
      }
      if (inTerm == null) {
        return null;
      }
      names.addAll(inTerm);
    }
    return names;
  }

  private Tree preFilterRejected(Rejection rejection) {
    answer.put("preFilter", rejection.toTree());
    var filterMessage =
        "0/%d nodes are available: %s."
            .formatted(world.nodes.size(), String.join(", ", rejection.reasons()));
    answer.put("filterMessage", filterMessage);
    var postFilters = profile.at("postFilter").keySet();
    // As in Kubernetes, DynamicResources misses the state its own PreFilter would have written.
    if (postFilters.iterator().hasNext()
        && postFilters.iterator().next().equals("DynamicResources")) {
      answer.put("preemption", Tree.of("code", "Error", "message", "not found"));
      return answer.put("message", filterMessage + " not found");
    }
    return postFilter(filterMessage, true, List.of());
  }

  private Tree filter(@Nullable SortedSet<String> names) {
    var nominated = world.nodes.get(pod.tree.textOrEmpty("status", "nominatedNodeName"));
    if (nominated != null && firstRejection(state, situation(nominated)) == null) {
      return answer
          .put("nominatedNodeUsed", true)
          .put("feasible", List.of(nominated.name()))
          .put("best", List.of(nominated.name()));
    }
    if (names != null) {
      names.retainAll(world.nodes.keySet());
      answer.put(
          "restricted",
          Tree.of(
              "nodes",
              new ArrayList<>(names),
              "reason",
              "node(s) didn't satisfy plugin(s) [NodeAffinity]"));
    }
    var feasible = new ArrayList<Situation>();
    var infeasible = new LinkedHashMap<String, Rejection>();
    for (var name : new TreeSet<>(world.nodes.keySet())) {
      boolean tried = nominated != null && nominated.name().equals(name);
      if (names == null || names.contains(name) || tried) {
        filter(Objects.requireNonNull(world.nodes.get(name)), feasible, infeasible);
      }
    }
    if (feasible.isEmpty()) {
      return nothingFits(infeasible, names);
    }
    var order = feasible.stream().map(at -> at.node().name()).toList();
    answer.put("feasible", order);
    return feasible.size() == 1 ? answer.put("best", order) : score(feasible);
  }

  private void filter(
      OracleNode node, List<Situation> feasible, Map<String, Rejection> infeasible) {
    var at = situation(node);
    var first = firstRejection(state, at);
    if (first == null) {
      feasible.add(at);
      return;
    }
    infeasible.put(node.name(), first);
    var tree = first.toTree();
    var all = allRejections(at);
    if (all.size() > 1) {
      tree.put("all", all.stream().map(Rejection::toTree).toList());
    }
    answer.child("infeasible").put(node.name(), tree);
  }

  Situation situation(OracleNode node) {
    return new Situation(node, Objects.requireNonNull(podsByNode.get(node.name())));
  }

  /// The first filter that objects, with the nominated pods of the node in place and then without.
  @Nullable Rejection firstRejection(FilterState asked, Situation at) {
    var withNominated = withNominated(asked, at);
    if (withNominated != null) {
      var rejections = rejections(withNominated.state, withNominated.at);
      if (!rejections.isEmpty()) {
        return rejections.getFirst();
      }
    }
    var rejections = rejections(asked, at);
    return rejections.isEmpty() ? null : rejections.getFirst();
  }

  private List<Rejection> allRejections(Situation at) {
    var withNominated = withNominated(state, at);
    if (withNominated != null) {
      var rejections = rejections(withNominated.state, withNominated.at);
      if (!rejections.isEmpty()) {
        return rejections;
      }
    }
    return rejections(state, at);
  }

  private List<Rejection> rejections(FilterState asked, Situation at) {
    var rejections = new ArrayList<Rejection>();
    for (var plugin : filterPlugins) {
      var rejection = filters.ask(plugin, asked, at);
      if (rejection != null) {
        rejections.add(rejection);
      }
    }
    return rejections;
  }

  private record Thought(FilterState state, Situation at) {}

  private @Nullable Thought withNominated(FilterState asked, Situation at) {
    Thought thought = null;
    for (var other : world.nominated.values()) {
      var node = world.nominatedNode.get(other.key);
      if (at.node().name().equals(node)
          && other.priority >= pod.priority
          && !other.key.equals(pod.key)) {
        var before = thought == null ? new Thought(asked.copy(), at) : thought;
        before.state.change(other, at.node(), 1);
        thought = new Thought(before.state, before.at.with(other));
      }
    }
    return thought;
  }

  /// The plugin that rejected a nominated node is named beside the one that left nodes out.
  private String leftOut(Map<String, Rejection> infeasible) {
    var plugins = new TreeSet<String>();
    plugins.add("NodeAffinity");
    var nominated = infeasible.get(pod.tree.textOrEmpty("status", "nominatedNodeName"));
    if (nominated != null) {
      plugins.add(nominated.plugin());
    }
    return "node(s) didn't satisfy plugin(s) [%s]".formatted(String.join(" ", plugins));
  }

  private Tree nothingFits(Map<String, Rejection> infeasible, @Nullable SortedSet<String> names) {
    var reasons = new ArrayList<List<String>>();
    infeasible.values().forEach(each -> reasons.add(each.reasons()));
    for (int i = reasons.size(); i < world.nodes.size(); i++) {
      reasons.add(List.of(leftOut(infeasible)));
    }
    if (names != null && names.size() < world.nodes.size()) {
      answer.child("restricted").put("reason", leftOut(infeasible));
    }
    var filterMessage = message(world.nodes.size(), reasons);
    answer.put("filterMessage", filterMessage);
    var potential = new ArrayList<OracleNode>();
    infeasible.forEach((name, rejection) -> {
      if (!rejection.unresolvable()) {
        potential.add(Objects.requireNonNull(world.nodes.get(name)));
      }
    });
    var nominated = infeasible.get(pod.tree.textOrEmpty("status", "nominatedNodeName"));
    boolean unresolvable = nominated != null ? nominated.unresolvable() : names != null;
    return postFilter(filterMessage, unresolvable, potential);
  }

  private Tree postFilter(
      String filterMessage, boolean nominatedUnresolvable, List<OracleNode> potential) {
    var preemption =
        profile.at("postFilter").containsKey("DefaultPreemption")
            ? new Preemption(world, pod, this).run(nominatedUnresolvable, potential)
            : Tree.of("code", "Unschedulable");
    answer.put("preemption", preemption);
    var message = preemption.text("message");
    return answer.put("message", message == null ? filterMessage : filterMessage + " " + message);
  }

  /// `0/N nodes are available: …`, from the reasons of each node.
  static String message(int nodes, Collection<List<String>> reasons) {
    var counts = new HashMap<String, Integer>();
    reasons.forEach(each -> each.forEach(reason -> counts.merge(reason, 1, Integer::sum)));
    var entries = new TreeSet<String>();
    counts.forEach((reason, count) -> entries.add(count + " " + reason));
    return "0/%d nodes are available: %s.".formatted(nodes, String.join(", ", entries));
  }

  private Tree score(List<Situation> feasible) {
    var scores = new Scores(world, pod, profile, feasible);
    var error = profile.at("preScore").containsKey("NodeAffinity") ? scores.preScoreError() : null;
    if (error != null) {
      return answer.put("error", error);
    }
    var totals = new long[feasible.size()];
    var columns = new TreeMap<String, Tree>();
    profile
        .at("score")
        .forEach((plugin, weight) -> {
          var column = scores.column(plugin);
          if (column != null) {
            var tree = Tree.of("weight", weight, "norm", column.norm());
            if (!column.raw().equals(column.norm())) {
              tree.put("raw", column.raw());
            }
            columns.put(plugin, tree);
            for (int i = 0; i < totals.length; i++) {
              totals[i] += column.norm().get(i) * weight;
            }
          }
        });
    answer.put("scores", Tree.ofMap(columns));
    return best(feasible, totals);
  }

  private Tree best(List<Situation> feasible, long[] totals) {
    long most = java.util.Arrays.stream(totals).max().orElse(0);
    var best = new ArrayList<String>();
    for (int i = 0; i < totals.length; i++) {
      if (totals[i] == most) {
        best.add(feasible.get(i).node().name());
      }
    }
    return answer.put("total", java.util.Arrays.stream(totals).boxed().toList()).put("best", best);
  }
}
