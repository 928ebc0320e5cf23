package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Node;
import io.berth.api.NodeAffinity;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.Pod;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Quantity;
import io.berth.api.TopologySpreadConstraint;
import io.berth.engine.Explanation.Cause;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Takes explanations at their word on random clusters: what is said to stand in the way is taken
/// away, then nothing does; all but one of it is, then that still does.
class ExplanationTruthTest {

  private static final int CLUSTERS = Integer.getInteger("berth.clusters", 100);
  private static final Pattern SHORTAGE =
      Pattern.compile("cpu \\(millis\\): asks for (\\d+), (-?\\d+) of (\\d+) are free");
  private static final Pattern SKEW = Pattern.compile("maxSkew (\\d+) over ([^:]+): .*");

  private final Map<String, Integer> checked = new HashMap<>();

  @Test
  void sayWhatStandsInTheWay() {
    for (long seed = 1; seed <= CLUSTERS; seed++) {
      var situation = new Situation(seed);
      for (int i = 0; i < 5; i++) {
        var asked = situation.random.pod("asked").withStatus(PodStatus.NONE);
        check(situation, asked, "seed " + seed + " pod " + i);
      }
    }
    assertThat(checked.keySet())
        .contains("anti-affinity", "existing", "affinity", "term", "cpu", "spread");
    assertThat(checked.values()).allSatisfy(count -> assertThat(count).isGreaterThan(5));
  }

  private void check(Situation situation, Pod pod, String where) {
    var explanation = situation.engine(Set.of()).explain(pod);
    explanation
        .causes()
        .forEach((node, causes) -> {
          for (var rejection : rejections(explanation, node)) {
            var mine =
                causes.stream().filter(cause -> cause.plugin().equals(rejection.plugin())).toList();
            assertThat(mine).as(where).isNotEmpty();
            var asked = new Asked(situation, pod, node, rejection, where + " " + node);
            switch (rejection.plugin()) {
              case "InterPodAffinity" -> affinity(asked, mine);
              case "NodeAffinity" -> terms(asked, mine);
              case "NodeResourcesFit" -> cpu(asked, mine);
              case "PodTopologySpread" -> spread(asked, mine);
              default -> {}
            }
          }
        });
  }

  private static List<Rejection> rejections(Explanation explanation, String node) {
    var infeasible = explanation.examination().infeasible().get(node);
    return infeasible == null ? List.of() : infeasible.all();
  }

  private void affinity(Asked asked, List<Cause> causes) {
    var reason = asked.rejection.reasons().getFirst();
    if (reason.equals("node(s) didn't match pod affinity rules")) {
      checked.merge("affinity", 1, Integer::sum);
      assertThat(causes).as(asked.where).allMatch(cause -> cause.pods().isEmpty());
      return;
    }
    checked.merge(reason.contains("existing") ? "existing" : "anti-affinity", 1, Integer::sum);
    var named = new HashSet<String>();
    causes.forEach(cause -> named.addAll(cause.pods()));
    assertThat(named).as(asked.where).isNotEmpty();
    assertThat(asked.isRejectedWithout(named)).as(asked.where + " without all named").isFalse();
    for (var each : named) {
      var others = new HashSet<>(named);
      others.remove(each);
      // Without the others the pod may also miss company, which the same rule says first.
      assertThat(asked.isRejected(asked.situation.engine(others), asked.pod, "InterPodAffinity"))
          .as(asked.where + " with only " + each)
          .isTrue();
    }
  }

  /// Every clause that is named fails alone; every one that is not holds.
  private void terms(Asked asked, List<Cause> causes) {
    var required = asked.pod.spec().nodeAffinity().required();
    if (required == null || isTermMet(asked, required)) {
      return;
    }
    for (int i = 0; i < required.size(); i++) {
      for (var clause : required.get(i).matchExpressions()) {
        var values = clause.values().isEmpty() ? "" : " " + clause.values();
        var start = "term %d wants %s %s%s,".formatted(i, clause.key(), clause.operator(), values);
        boolean named = causes.stream().anyMatch(cause -> cause.detail().startsWith(start));
        var alone = List.of(new NodeSelectorTerm(List.of(clause), List.of()));
        assertThat(named).as(asked.where + " " + start).isEqualTo(!isTermMet(asked, alone));
        checked.merge("term", 1, Integer::sum);
      }
    }
  }

  private static boolean isTermMet(Asked asked, List<NodeSelectorTerm> required) {
    var affinity = new NodeAffinity(required, List.of());
    var spec = spec(asked.pod.spec(), Map.of(), affinity, List.of());
    return !asked.isRejected(
        asked.situation.engine(Set.of()), asked.pod.withSpec(spec), "NodeAffinity");
  }

  /// As much more as is missing is enough, and one less is not.
  private void cpu(Asked asked, List<Cause> causes) {
    for (var cause : causes) {
      var found = SHORTAGE.matcher(cause.detail());
      if (found.matches()) {
        long missing = Long.parseLong(found.group(1)) - Long.parseLong(found.group(2));
        long offered = Long.parseLong(found.group(3));
        assertThat(asked.lacksCpu(offered + missing)).as(asked.where).isFalse();
        assertThat(asked.lacksCpu(offered + missing - 1)).as(asked.where).isTrue();
        checked.merge("cpu", 1, Integer::sum);
      }
    }
  }

  /// With all named constraints relaxed the pod fits; with all but one it does not.
  private void spread(Asked asked, List<Cause> causes) {
    var hard =
        asked.pod.spec().topologySpreadConstraints().stream()
            .filter(TopologySpreadConstraint::isHard)
            .toList();
    if (hard.stream().map(ExplanationTruthTest::name).distinct().count() < hard.size()) {
      return;
    }
    var named = new ArrayList<String>();
    for (var cause : causes) {
      var found = SKEW.matcher(cause.detail());
      if (!found.matches()) {
        return;
      }
      named.add(found.group(1) + " " + found.group(2));
    }
    assertThat(asked.isSkewed(constraint -> named.contains(name(constraint))))
        .as(asked.where + " without " + named)
        .isFalse();
    for (var each : named) {
      assertThat(asked.isSkewed(constraint -> !name(constraint).equals(each)))
          .as(asked.where + " with " + each)
          .isTrue();
    }
    checked.merge("spread", 1, Integer::sum);
  }

  private static String name(TopologySpreadConstraint constraint) {
    return constraint.maxSkew() + " " + constraint.topologyKey();
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

  /// A rejection that was explained, and ways to have it judged again elsewhere.
  private record Asked(
      Situation situation, Pod pod, String node, Rejection rejection, String where) {

    boolean isRejectedWithout(Collection<String> gone) {
      return rejections(situation.engine(gone).explain(pod), node).stream()
          .anyMatch(each ->
              each.plugin().equals(rejection.plugin())
                  && each.reasons().equals(rejection.reasons()));
    }

    boolean isRejected(Engine engine, Pod other, String plugin) {
      return rejections(engine.explain(other), node).stream()
          .anyMatch(each -> each.plugin().equals(plugin));
    }

    boolean lacksCpu(long millis) {
      var engine = situation.engine(Set.of());
      var old = Objects.requireNonNull(situation.nodes.get(node));
      var allocatable = new HashMap<>(old.allocatable());
      allocatable.put("cpu", Quantity.parse(millis + "m"));
      engine.put(
          new Node(
              node,
              old.labels(),
              old.unschedulable(),
              old.taints(),
              allocatable,
              old.images(),
              old.declaredFeatures()));
      return rejections(engine.explain(pod), node).stream()
          .anyMatch(each -> each.reasons().contains("Insufficient cpu"));
    }

    boolean isSkewed(Predicate<TopologySpreadConstraint> relaxed) {
      var constraints = new ArrayList<TopologySpreadConstraint>();
      for (var each : pod.spec().topologySpreadConstraints()) {
        constraints.add(
            relaxed.test(each)
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
      return isRejected(situation.engine(Set.of()), pod.withSpec(changed), "PodTopologySpread");
    }
  }
}
