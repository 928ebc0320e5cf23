package io.berth.answers.plan;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Origin;
import io.berth.answers.source.Survey;
import io.berth.api.Tree;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Capacity is what a scheduler finds out that is handed one pod after the other, and binds each.
class CapacityCountTest {

  private static final long SEED = Long.getLong("berth.seed", 6);
  private static final int CLUSTERS = 300;

  private final Random random = new Random(SEED);

  @Test
  void equalsDecidingUntilRefused() {
    int some = 0;
    for (int i = 0; i < CLUSTERS; i++) {
      var survey = survey();
      var subject = survey.waiting().getFirst();

      var capacity = CapacityCount.of(survey, subject);

      assertThat(capacity.count()).as("seed %d, cluster %d", SEED, i).isEqualTo(bound(survey));
      assertThat(requireNonNull(capacity.next()).isGood()).isFalse();
      capacity
          .by()
          .forEach((key, counts) ->
              assertThat(counts.values().stream().mapToLong(n -> n).sum())
                  .as(key)
                  .isLessThanOrEqualTo(capacity.count()));
      some += capacity.count() > 0 ? 1 : 0;
    }
    assertThat(some).isBetween(CLUSTERS / 4, CLUSTERS - 1);
  }

  /// Each pod is put as running before the next is decided, on an engine made of nothing.
  private static long bound(Survey survey) {
    var pod = survey.waiting().getFirst().pod();
    var engine = new Engine(survey.settings().configuration(), survey.settings().seed());
    survey.surroundings().forEach(engine::put);
    survey.pods().stream()
        .filter(each -> !each.isWaiting())
        .forEach(each -> engine.put(each.pod()));
    long count = 0;
    while (engine.decide(pod.withName("x" + count)) instanceof Decision.Placed(var node, _)) {
      engine.put(pod.withName("x" + count).withNodeName(node));
      count++;
    }
    return count;
  }

  private Survey survey() {
    var trees = new ArrayList<Tree>();
    int nodes = 1 + random.nextInt(6);
    for (int i = 0; i < nodes; i++) {
      var labels = Tree.of("kubernetes.io/hostname", "n" + i);
      if (random.nextInt(6) > 0) {
        labels.put("topology.kubernetes.io/zone", "z" + random.nextInt(3));
      }
      var room = Tree.of("cpu", Integer.toString(random.nextInt(8)), "pods", "12");
      trees.add(object("Node", "n" + i, labels).put("status", Tree.of("allocatable", room)));
    }
    for (int i = random.nextInt(8); i > 0; i--) {
      var pod = pod("r" + i, Tree.of("app", "app" + random.nextInt(2)));
      pod.child("spec").put("nodeName", "n" + random.nextInt(nodes));
      trees.add(pod);
    }
    trees.add(subject());
    return Survey.of(
        trees.stream().map(tree -> new Manifest(tree, new Origin("random.yaml", 1))).toList());
  }

  private Tree subject() {
    var pod = pod("more", Tree.of("app", "app0"));
    var spec = pod.child("spec");
    var selector = Tree.of("matchLabels", Tree.of("app", "app" + random.nextInt(2)));
    var term = Tree.of("labelSelector", selector, "topologyKey", key());
    switch (random.nextInt(4)) {
      case 0 ->
          spec.put(
              "topologySpreadConstraints",
              List.of(
                  Tree.of("maxSkew", 1L + random.nextInt(2), "topologyKey", key())
                      .put("whenUnsatisfiable", "DoNotSchedule")
                      .put("labelSelector", selector)));
      case 1 -> spec.put("affinity", Tree.of("podAntiAffinity", required(term)));
      case 2 -> spec.put("affinity", Tree.of("podAffinity", required(term)));
      default -> {}
    }
    return pod;
  }

  private static Tree required(Tree term) {
    return Tree.of("requiredDuringSchedulingIgnoredDuringExecution", List.of(term));
  }

  private String key() {
    return random.nextBoolean() ? "topology.kubernetes.io/zone" : "kubernetes.io/hostname";
  }

  private Tree pod(String name, Tree labels) {
    var requests = Tree.of("cpu", Integer.toString(1 + random.nextInt(3)));
    var container = Tree.of("name", "c", "resources", Tree.of("requests", requests));
    return object("Pod", name, labels).put("spec", Tree.of("containers", List.of(container)));
  }

  private static Tree object(String kind, String name, Tree labels) {
    var meta = Tree.of("name", name, "labels", labels);
    return Tree.of("apiVersion", "v1", "kind", kind, "metadata", meta);
  }
}
