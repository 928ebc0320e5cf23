package io.berth.answers.plan;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Origin;
import io.berth.answers.source.Survey;
import io.berth.api.Node;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.engine.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// On random clusters, moves are made one by one on an engine of their own: each goes where it was
/// said to go, which no required rule forbids; no skew grows; no budget is exceeded.
class RebalancingTest {

  private static final long SEED = Long.getLong("berth.seed", 7);
  private static final int CLUSTERS = 200;
  private static final String ZONE = "topology.kubernetes.io/zone";

  private final Random random = new Random(SEED);

  @Test
  void everyStepKeepsRulesBudgetsAndSkews() {
    int moves = 0;
    for (int i = 0; i < CLUSTERS; i++) {
      moves += check(survey(), "seed %d, cluster %d".formatted(SEED, i));
    }
    assertThat(moves).isGreaterThan(CLUSTERS / 2);
  }

  private int check(Survey survey, String which) {
    var asked = survey.engine();
    var rebalance = new Rebalancing(survey, asked).find(10);
    var engine = survey.engine();
    var where = new HashMap<String, Pod>();
    survey.pods().forEach(pod -> where.put(pod.pod().key(), pod.pod()));
    for (var move : rebalance.moves()) {
      var pod = requireNonNull(where.get(move.pod()));
      assertThat(pod.nodeName()).as(which).isEqualTo(move.from());
      int before = skew(survey, where, pod);
      assertThat(allowed(survey, where, pod)).as("%s: budget of %s", which, move).isPositive();

      engine.remove(ObjectReference.pod(pod.namespace(), pod.name()));
      var again = pod.withNodeName("");
      assertThat(engine.decide(again))
          .as("%s: %s", which, move)
          .isInstanceOfSatisfying(
              Decision.Placed.class, placed -> assertThat(placed.node()).isEqualTo(move.to()));
      engine.put(pod.withNodeName(move.to()));
      where.put(move.pod(), pod.withNodeName(move.to()));

      assertThat(skew(survey, where, pod)).as("%s: skew", which).isLessThanOrEqualTo(before);
      assertThat(move.evener() > 0 || move.gain() > 0).as("%s: %s", which, move).isTrue();
    }
    assertThat(
            asked.examine(where.values().iterator().next().withNodeName("").withName("x")).total())
        .as("%s: the engine is as it was", which)
        .isEqualTo(
            survey
                .engine()
                .examine(where.values().iterator().next().withNodeName("").withName("x"))
                .total());
    return rebalance.moves().size();
  }

  /// Slow and obvious: pods of the same app, by zone.
  private static int skew(Survey survey, Map<String, Pod> where, Pod of) {
    var counts = new HashMap<String, Integer>();
    var zoneOf = new HashMap<String, String>();
    for (var object : survey.surroundings()) {
      if (object instanceof Node node) {
        zoneOf.put(node.name(), node.labels().get(ZONE));
        counts.put(node.labels().get(ZONE), 0);
      }
    }
    for (var pod : where.values()) {
      if (pod.labels().equals(of.labels())) {
        counts.merge(zoneOf.get(pod.nodeName()), 1, Integer::sum);
      }
    }
    return counts.values().stream().mapToInt(n -> n).max().orElse(0)
        - counts.values().stream().mapToInt(n -> n).min().orElse(0);
  }

  /// Every pod is healthy between moves, so that only the budget's own demand counts.
  private static long allowed(Survey survey, Map<String, Pod> where, Pod pod) {
    long least = Long.MAX_VALUE;
    for (var manifest : survey.manifests()) {
      if (manifest.kind().equals("PodDisruptionBudget")
          && manifest.tree().texts("spec", "selector", "matchLabels").equals(pod.labels())) {
        long healthy =
            where.values().stream().filter(each -> each.labels().equals(pod.labels())).count();
        least = Math.min(least, healthy - manifest.tree().number(0, "spec", "minAvailable"));
      }
    }
    return least;
  }

  private Survey survey() {
    var trees = new ArrayList<Tree>();
    int nodes = 3 + random.nextInt(4);
    for (int i = 0; i < nodes; i++) {
      var labels = Tree.of("kubernetes.io/hostname", "n" + i, ZONE, "z" + i % 3);
      if (random.nextBoolean()) {
        labels.put("disk", "ssd");
      }
      var room = Tree.of("cpu", "8", "pods", "20");
      trees.add(object("v1", "Node", "n" + i, labels).put("status", Tree.of("allocatable", room)));
    }
    for (int app = 0; app < 2; app++) {
      var labels = Tree.of("app", "app" + app);
      var spec = spec(labels);
      for (int i = 1 + random.nextInt(5); i > 0; i--) {
        var pod = object("v1", "Pod", "app" + app + "-x-" + i, labels.copy());
        pod.child("metadata")
            .put(
                "ownerReferences",
                List.of(
                    Tree.of("apiVersion", "apps/v1", "kind", "ReplicaSet")
                        .put("name", "app" + app)
                        .put("controller", true)));
        trees.add(pod.put("spec", spec.copy().put("nodeName", "n" + random.nextInt(nodes))));
      }
      if (random.nextBoolean()) {
        trees.add(
            object("policy/v1", "PodDisruptionBudget", "app" + app, new Tree())
                .put(
                    "spec",
                    Tree.of("minAvailable", random.nextInt(4))
                        .put("selector", Tree.of("matchLabels", labels.copy()))));
      }
    }
    return Survey.of(
        trees.stream().map(tree -> new Manifest(tree, new Origin("random.yaml", 1))).toList());
  }

  private Tree spec(Tree labels) {
    var requests = Tree.of("cpu", Integer.toString(1 + random.nextInt(2)));
    var container = Tree.of("name", "c", "resources", Tree.of("requests", requests));
    var spec = Tree.of("containers", List.of(container));
    if (random.nextInt(4) > 0) {
      spec.put(
          "topologySpreadConstraints",
          List.of(
              Tree.of("maxSkew", 1L, "topologyKey", ZONE)
                  .put(
                      "whenUnsatisfiable",
                      random.nextBoolean() ? "DoNotSchedule" : "ScheduleAnyway")
                  .put("labelSelector", Tree.of("matchLabels", labels.copy()))));
    }
    if (random.nextInt(3) == 0) {
      var clause = Tree.of("key", "disk", "operator", "Exists");
      var preference = Tree.of("matchExpressions", List.of(clause));
      spec.put(
          "affinity",
          Tree.of(
              "nodeAffinity",
              Tree.of(
                  "preferredDuringSchedulingIgnoredDuringExecution",
                  List.of(Tree.of("weight", 100L, "preference", preference)))));
    }
    return spec;
  }

  private static Tree object(String version, String kind, String name, Tree labels) {
    var meta = Tree.of("name", name, "namespace", kind.equals("Node") ? "" : "default");
    return Tree.of("apiVersion", version, "kind", kind).put("metadata", meta.put("labels", labels));
  }
}
