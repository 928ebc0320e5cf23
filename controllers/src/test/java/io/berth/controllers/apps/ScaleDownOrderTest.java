package io.berth.controllers.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class ScaleDownOrderTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  /// 100 and 120 seconds are of one magnitude, 300 seconds are not.
  @Test
  void podsOfAboutTheSameAgeGoByUid() {
    var pods = List.of(ready("a", "n1", 300), ready("b", "n2", 120), ready("c", "n3", 100));
    assertThat(names(ScaleDownOrder.among(List.of(), NOW).first(pods, 2)))
        .containsExactly("b", "c");
    assertThat(names(ScaleDownOrder.plain().first(pods, 2))).containsExactly("c", "b");
  }

  /// The pods of the version before count: of two pods of the new one the crowded one goes.
  @Test
  void crowdedNodesAreThoseOfAllVersions() {
    var pods = List.of(ready("a", "n1", 10), ready("b", "n2", 900));
    var siblings = new ArrayList<>(pods);
    siblings.add(ready("old", "n2", 9000));
    assertThat(names(ScaleDownOrder.among(siblings, NOW).first(pods, 1))).containsExactly("b");
    assertThat(names(ScaleDownOrder.among(List.of(), NOW).first(pods, 1))).containsExactly("a");
  }

  /// The order is not transitive: whatever the pods, it must not be refused.
  @Test
  void anyNumberOfPodsIsOrdered() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    var pods = new ArrayList<Tree>();
    for (int i = 0; i < 2000; i++) {
      var pod = ready("p" + random.nextInt(), "n" + i, random.nextInt(1, 5));
      var container = Tree.of("name", "c", "restartCount", random.nextInt(3));
      pod.child("status").put("containerStatuses", List.of(container));
      pods.add(pod);
    }
    assertThat(ScaleDownOrder.among(List.of(), NOW).first(pods, 1500))
        .hasSize(1500)
        .doesNotHaveDuplicates();
  }

  private static List<String> names(List<Tree> pods) {
    return pods.stream().map(Meta::name).toList();
  }

  private static Tree ready(String name, String node, int seconds) {
    var since = NOW.minusSeconds(seconds).toString();
    var condition = Tree.of("type", "Ready", "status", "True", "lastTransitionTime", since);
    return Tree.of("metadata", Tree.of("name", name, "uid", name, "creationTimestamp", since))
        .put("spec", Tree.of("nodeName", node))
        .put("status", Tree.of("phase", "Running", "conditions", List.of(condition)));
  }
}
