package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.LabelSelector;
import io.berth.api.NodeAffinity;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.Pod;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Requirement;
import io.berth.api.TopologySpreadConstraint;
import io.berth.engine.Explanation.Obstacle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Takes explanations at their word on random clusters: when the pods to blame are gone the rule
/// does not object, when some of them stay it does, and where nobody is to blame it does without
/// any pod.
class ExplanationTruthTest {

  private static final int CLUSTERS = Integer.getInteger("berth.clusters", 25);
  private static final int SUBSETS = 6;

  // How often what was checked.
  private final Map<String, Integer> checked = new HashMap<>();

  @Test
  void sayWhatStandsInTheWay() {
    for (long seed = 1; seed <= CLUSTERS; seed++) {
      var situation = new Situation(seed);
      for (int i = 0; i < 5; i++) {
        var asked = situation.random.pod("asked").withStatus(PodStatus.NONE);
        check(situation, i < 3 ? asked : spread(asked, i == 3), "seed " + seed + " pod " + i);
      }
    }
    assertThat(checked.keySet())
        .contains(
            "InterPodAffinity",
            "NodeResourcesFit",
            "NodePorts",
            "PodTopologySpread",
            "terms",
            "constraints",
            "nobody",
            "unschedulable");
    assertThat(checked.values()).allSatisfy(count -> assertThat(count).isGreaterThan(5));
  }

  /// The pod with hard constraints that a few pods violate: over zones, or over zones and hosts.
  private static Pod spread(Pod pod, boolean onlyZones) {
    var constraints = new ArrayList<TopologySpreadConstraint>();
    for (var key : List.of(RandomCluster.ZONE, RandomCluster.HOST)) {
      var selector =
          new LabelSelector(Map.of(), List.of(new Requirement("app", "Exists", List.of())));
      constraints.add(
          new TopologySpreadConstraint(
              onlyZones ? 2 : 1, key, "DoNotSchedule", selector, 1, false, false, List.of()));
    }
    var spec = pod.spec();
    var some = onlyZones ? constraints.subList(0, 1) : constraints;
    return pod.withSpec(spec(spec, spec.nodeSelector(), spec.nodeAffinity(), some));
  }

  private void check(Situation situation, Pod pod, String where) {
    var engine = situation.engine(Set.of());
    var explanation = engine.explain(pod);
    checkMessage(engine, pod, explanation, where);
    if (explanation.decision() instanceof Decision.Unschedulable) {
      checked.merge("unschedulable", 1, Integer::sum);
    }
    for (var obstacle : explanation.obstacles()) {
      assertThat(obstacle.causes()).as(where).isNotEmpty();
      for (var node : obstacle.nodes()) {
        check(new Asked(situation, pod, node, obstacle, where + " " + node));
      }
    }
  }

  /// Every objection of every rule is there, and the first ones add up to the message.
  private static void checkMessage(Engine engine, Pod pod, Explanation explanation, String where) {
    var examination = engine.examine(pod);
    examination
        .infeasible()
        .forEach((node, rejection) ->
            assertThat(explanation.on(node))
                .as(where)
                .extracting(Obstacle::rejection)
                .containsExactlyElementsOf(rejection.all()));
    if (examination.filterMessage() != null) {
      var entries = new TreeSet<String>();
      explanation.reasons().forEach((reason, count) -> entries.add(count + " " + reason));
      assertThat(examination.filterMessage()).as(where).endsWith(String.join(", ", entries) + ".");
    }
  }

  private void check(Asked asked) {
    var blame = asked.obstacle.blame();
    var rule = asked.obstacle.rejection().plugin();
    if (blame == null) {
      assertThat(asked.isSilentWithout(asked.situation.pods.keySet())).as(asked.where).isFalse();
      checked.merge("nobody", 1, Integer::sum);
    } else {
      checkBlame(asked, List.copyOf(blame.pods()));
      checked.merge(rule, 1, Integer::sum);
    }
    if (rule.equals("NodeAffinity")) {
      terms(asked);
    } else if (rule.equals("PodTopologySpread")) {
      constraints(asked);
    }
  }

  private static void checkBlame(Asked asked, List<String> blamed) {
    assertThat(asked.isSilentWithout(blamed)).as(asked.where + " without " + blamed).isTrue();
    if (blamed.size() <= SUBSETS) {
      for (int subset = 0; subset < (1 << blamed.size()) - 1; subset++) {
        var some = new HashSet<String>();
        for (int i = 0; i < blamed.size(); i++) {
          if ((subset & (1 << i)) != 0) {
            some.add(blamed.get(i));
          }
        }
        assertThat(asked.isSilentWithout(some))
            .as("%s blames %s, not only %s", asked.where, blamed, some)
            .isFalse();
      }
    } else {
      for (var each : blamed) {
        var others = new HashSet<>(blamed);
        others.remove(each);
        assertThat(asked.isSilentWithout(others)).as(asked.where + " with " + each).isFalse();
      }
    }
    if (blamed.size() == 2) {
      // One would be fewer.
      for (var each : asked.situation.pods.keySet()) {
        assertThat(asked.isSilentWithout(Set.of(each)))
            .as("%s blames %s, but %s does", asked.where, blamed, each)
            .isFalse();
      }
    }
  }

  /// Every clause that is named fails alone; every one that is not holds.
  private void terms(Asked asked) {
    var required = asked.pod.spec().nodeAffinity().required();
    if (required == null || isTermMet(asked, required)) {
      return;
    }
    for (int i = 0; i < required.size(); i++) {
      var clauses = required.get(i).matchExpressions();
      for (int j = 0; j < clauses.size(); j++) {
        var field = ".nodeSelectorTerms[%d].matchExpressions[%d]".formatted(i, j);
        boolean named =
            asked.obstacle.causes().stream().anyMatch(cause -> cause.field().endsWith(field));
        var alone = List.of(new NodeSelectorTerm(List.of(clauses.get(j)), List.of()));
        assertThat(named).as(asked.where + " " + field).isEqualTo(!isTermMet(asked, alone));
        checked.merge("terms", 1, Integer::sum);
      }
    }
  }

  private static boolean isTermMet(Asked asked, List<NodeSelectorTerm> required) {
    var affinity = new NodeAffinity(required, List.of());
    var spec = spec(asked.pod.spec(), Map.of(), affinity, List.of());
    return asked.isSilent(asked.situation.engine(Set.of()), asked.pod.withSpec(spec));
  }

  /// With all named constraints relaxed the rule is silent; with all but one it is not.
  private void constraints(Asked asked) {
    var named = new TreeMap<Integer, TopologySpreadConstraint>();
    var all = asked.pod.spec().topologySpreadConstraints();
    for (int i = 0; i < all.size(); i++) {
      var field = "spec.topologySpreadConstraints[" + i + "]";
      for (var cause : asked.obstacle.causes()) {
        if (cause.field().equals(field)) {
          if (!cause.wanted().startsWith("maxSkew")) {
            return;
          }
          named.put(i, all.get(i));
        }
      }
    }
    assertThat(asked.isSilentRelaxing(named.keySet()::contains)).as(asked.where).isTrue();
    for (int each : named.keySet()) {
      assertThat(asked.isSilentRelaxing(i -> i != each)).as(asked.where + " " + each).isFalse();
    }
    checked.merge("constraints", 1, Integer::sum);
  }

  private static PodSpec spec(
      PodSpec spec,
      Map<String, String> nodeSelector,
      NodeAffinity affinity,
      List<TopologySpreadConstraint> constraints) {
    return new PodSpec(
        spec.initContainers(),
        spec.containers(),
        spec.overhead(),
        spec.podRequests(),
        nodeSelector,
        affinity,
        spec.podAffinity(),
        spec.podAntiAffinity(),
        spec.tolerations(),
        constraints,
        spec.priority(),
        spec.neverPreempts(),
        spec.schedulerName(),
        spec.schedulingGates(),
        spec.volumes(),
        spec.resourceClaims(),
        spec.features());
  }

  /// An obstacle on one node, and ways to have the rule judge again elsewhere.
  private record Asked(Situation situation, Pod pod, String node, Obstacle obstacle, String where) {

    boolean isSilentWithout(Collection<String> gone) {
      return isSilent(situation.engine(gone), pod);
    }

    boolean isSilent(Engine engine, Pod other) {
      return engine.explain(other).on(node).stream()
          .noneMatch(each -> each.rejection().plugin().equals(obstacle.rejection().plugin()));
    }

    boolean isSilentRelaxing(Predicate<Integer> relaxed) {
      var constraints = new ArrayList<TopologySpreadConstraint>();
      var all = pod.spec().topologySpreadConstraints();
      for (int i = 0; i < all.size(); i++) {
        var each = all.get(i);
        constraints.add(
            relaxed.test(i)
                ? new TopologySpreadConstraint(
                    1000,
                    each.topologyKey(),
                    each.whenUnsatisfiable(),
                    each.labelSelector(),
                    each.minDomains(),
                    each.honorNodeAffinity(),
                    each.honorNodeTaints(),
                    each.matchLabelKeys())
                : each);
      }
      var spec = pod.spec();
      var changed = spec(spec, spec.nodeSelector(), spec.nodeAffinity(), constraints);
      return isSilent(situation.engine(Set.of()), pod.withSpec(changed));
    }
  }
}
