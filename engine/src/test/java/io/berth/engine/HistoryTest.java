package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.SelectorOwner;
import io.berth.api.Surrounding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Any history of events, repeated and stale ones included, leaves the engine as if it had been
/// told only what is left; and the quick way to a decision agrees with the long one. Some pods are
/// asked about again and again, so that their views live through everything.
///
/// `-Dberth.histories=N` runs more of them, `-Dberth.seed=N` starts elsewhere.
class HistoryTest {

  private static final int STEPS = 150;
  private static final int CHECK_EVERY = 5;
  private static final int REGULARS = 6;

  @Test
  void everyHistoryEqualsAFreshStart() {
    int histories = Integer.getInteger("berth.histories", 60);
    long first = Long.getLong("berth.seed", 1);
    for (long seed = first; seed < first + histories; seed++) {
      new History(seed).run();
    }
  }

  private static final class History {

    private final long seed;
    private final RandomCluster random;
    private final RandomStorage disks;
    private final Engine engine = engine();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, Namespace> namespaces = new TreeMap<>();
    private final Map<String, PodDisruptionBudget> budgets = new TreeMap<>();
    private final Map<String, SelectorOwner> owners = new TreeMap<>();
    private final Map<ObjectReference, Surrounding> storage = new LinkedHashMap<>();
    private final Map<String, Pod> nominated = new LinkedHashMap<>();
    private final List<Pod> regulars = new ArrayList<>();

    History(long seed) {
      this.seed = seed;
      this.random = new RandomCluster(seed);
      this.disks = new RandomStorage(random);
      for (int i = 0; i < REGULARS; i++) {
        regulars.add(disks.using(random.pod("regular")));
      }
    }

    static Engine engine() {
      return new Engine(SchedulerConfiguration.DEFAULT, 42);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        change();
        if (step % CHECK_EVERY == 0) {
          check(step);
        }
      }
    }

    private void change() {
      if (random.isAboutServices() && random.chance(0.3)) {
        changeOthers();
        return;
      }
      switch (random.below(18)) {
        case 0, 1, 2 -> putNode(random.node(random.nodeName()));
        case 3 -> removeNode(random.nodeName());
        case 4, 5, 6, 7 -> putPod(disks.using(random.running(random.podName())));
        case 8 -> removePod(random.namespaceName(), random.podName());
        case 9 -> repeat();
        case 10 -> putNamespace(random.namespace(random.namespaceName()));
        case 11 -> changeOthers();
        case 12 -> nominate(disks.using(random.pod(random.podName())));
        case 13 -> planInVain();
        case 14, 15, 16 -> changeStorage();
        default -> decideAndAssume(disks.using(random.pod(random.podName())));
      }
    }

    private void putNode(Node node) {
      engine.put(node);
      nodes.put(node.name(), node);
    }

    private void removeNode(String name) {
      engine.remove(ObjectReference.node(name));
      nodes.remove(name);
    }

    private void putPod(Pod pod) {
      engine.put(pod);
      pods.put(pod.key(), pod);
    }

    private void removePod(String namespace, String name) {
      engine.remove(ObjectReference.pod(namespace, name));
      pods.remove(namespace + "/" + name);
    }

    private void repeat() {
      nodes.values().forEach(engine::put);
      pods.values().forEach(engine::put);
      engine.remove(ObjectReference.pod("red", "never-was"));
      engine.remove(ObjectReference.node("never-was"));
      engine.forget("red", "never-was");
    }

    private void putNamespace(Namespace namespace) {
      if (random.chance(0.2)) {
        engine.remove(namespace.reference());
        namespaces.remove(namespace.name());
      } else {
        engine.put(namespace);
        namespaces.put(namespace.name(), namespace);
      }
    }

    private void changeOthers() {
      var budget = random.budget();
      engine.put(budget);
      budgets.put(budget.namespace() + "/" + budget.name(), budget);
      var owner = random.owner();
      var key = owner.kind() + "/" + owner.namespace() + "/" + owner.name();
      if (random.chance(0.3)) {
        engine.remove(owner.reference());
        owners.remove(key);
      } else {
        engine.put(owner);
        owners.put(key, owner);
      }
    }

    private void changeStorage() {
      var object = disks.object();
      if (random.chance(0.3)) {
        engine.remove(object.reference());
        storage.remove(object.reference());
      } else {
        engine.put(object);
        storage.put(object.reference(), object);
      }
    }

    // Whatever a plan did, closing it leaves nothing behind.
    private void planInVain() {
      try (var plan = engine.plan()) {
        for (int i = random.below(12); i >= 0; i--) {
          RandomPlan.step(plan, random, disks);
          plan.decide(regulars.get(random.below(REGULARS)));
        }
      }
    }

    private void nominate(Pod pod) {
      if (random.chance(0.5)) {
        engine.unnominate(pod.namespace(), pod.name());
        nominated.remove(pod.key());
        return;
      }
      var node = random.nodeName();
      engine.nominate(pod, node);
      nominated.remove(pod.key());
      nominated.put(pod.key(), pod.withNodeName(node));
    }

    private void decideAndAssume(Pod pod) {
      if (engine.decide(pod) instanceof Decision.Placed placed) {
        engine.assume(pod, placed.node());
        if (random.chance(0.3)) {
          engine.forget(pod.namespace(), pod.name());
          pods.remove(pod.key());
        } else {
          engine.put(pod);
          putPod(pod.withNodeName(placed.node()));
        }
      }
    }

    private void check(int step) {
      var fresh = fresh();
      regulars.forEach(pod -> check(pod, fresh, step));
      for (int i = 0; i < 2; i++) {
        check(disks.using(random.pod("probe")), fresh, step);
      }
    }

    private void check(Pod pod, Engine fresh, int step) {
      var where = "seed %d step %d pod %s".formatted(seed, step, pod);
      var decided = engine.decide(pod);
      var examined = engine.examine(pod);
      assertThat(decided).as(where).isEqualTo(examined.decision());
      assertThat(text(examined)).as(where).isEqualTo(text(fresh.examine(pod)));
      checkBest(pod, decided, examined, where);
      assertThat(engine.decide(pod)).as(where + " again").isEqualTo(decided);
    }

    private void checkBest(Pod pod, Decision decided, Examination examined, String where) {
      var best = engine.best(pod, 3);
      assertThat(best.stream().map(Scored::score).toList())
          .as(where)
          .isEqualTo(Scored.best(examined, 3).stream().map(Scored::score).toList());
      assertThat(Scored.best(examined, Integer.MAX_VALUE)).as(where).containsAll(best);
      if (decided instanceof Decision.Placed placed) {
        assertThat(best.getFirst().node()).as(where).isEqualTo(placed.node());
      }
    }

    private Engine fresh() {
      var fresh = engine();
      namespaces.values().forEach(fresh::put);
      pods.values().forEach(fresh::put);
      nodes.values().forEach(fresh::put);
      budgets.values().forEach(fresh::put);
      owners.values().forEach(fresh::put);
      storage.values().forEach(fresh::put);
      nominated.values().forEach(pod -> fresh.nominate(pod.withNodeName(""), pod.nodeName()));
      return fresh;
    }
  }

  static String text(Examination e) {
    var scores = new TreeMap<String, String>();
    e.scores()
        .forEach((name, column) ->
            scores.put(
                name,
                column.weight() + Arrays.toString(column.raw()) + Arrays.toString(column.norm())));
    return "%s %s %s %s %s %s %s %s %s"
        .formatted(
            e.decision(),
            e.preFilter(),
            e.restricted(),
            e.infeasible(),
            e.feasible(),
            scores,
            Arrays.toString(e.total()),
            e.best(),
            e.message());
  }
}
