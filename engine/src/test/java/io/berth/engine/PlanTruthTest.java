package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.PodStatus;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Surrounding;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What a plan says is compared with really doing it, on random clusters: objects of every kind
/// come, change, go and come back, and each time the decision is the one of a cluster that was
/// never otherwise. What is left of a plan that is closed is nothing.
class PlanTruthTest {

  private static final int CLUSTERS = Integer.getInteger("berth.clusters", 100);
  private static final int STEPS = 15;

  @Test
  void decidesAsIfItHadHappened() {
    for (long seed = 1; seed <= CLUSTERS; seed++) {
      new Trial(seed).run();
    }
  }

  private static final class Trial {

    private final String name;
    private final RandomCluster random;
    private final RandomStorage disks;
    private final Map<ObjectReference, Surrounding> surroundings = new LinkedHashMap<>();
    private final Map<ObjectReference, Pod> pods = new LinkedHashMap<>();
    private final Deque<Mark> marks = new ArrayDeque<>();
    private final List<Pod> probes = new ArrayList<>();

    private record Mark(
        int checkpoint,
        Map<ObjectReference, Surrounding> surroundings,
        Map<ObjectReference, Pod> pods) {}

    Trial(long seed) {
      this.name = "seed " + seed;
      this.random = new RandomCluster(seed);
      this.disks = new RandomStorage(random);
      for (int i = 0; i < 6; i++) {
        keep(random.node("n" + i));
      }
      List.of("red", "blue", "grey").forEach(each -> keep(random.namespace(each)));
      for (int i = 0; i < 16; i++) {
        keep(disks.object());
        keep(disks.using(random.running("p" + i)));
      }
      for (int i = 0; i < 4; i++) {
        probes.add(disks.using(random.pod("probe" + i)).withStatus(PodStatus.NONE));
      }
    }

    private void keep(ClusterObject object) {
      switch (object) {
        case Pod pod -> pods.put(pod.reference(), pod);
        case Surrounding other -> surroundings.put(other.reference(), other);
      }
    }

    void run() {
      var untouched = afresh();
      var engine = afresh();
      probes.forEach(engine::decide);
      try (var plan = engine.plan()) {
        for (int step = 0; step < STEPS; step++) {
          change(plan);
          check(plan, name + " step " + step);
        }
      }
      for (var probe : probes) {
        assertThat(HistoryTest.text(engine.examine(probe)))
            .as(name + " afterwards")
            .isEqualTo(HistoryTest.text(untouched.examine(probe)));
        assertThat(engine.decide(probe)).as(name).isEqualTo(untouched.decide(probe));
      }
    }

    private void check(Plan plan, String where) {
      var afresh = afresh();
      for (var probe : probes) {
        assertThat(plan.decide(probe)).as(where).isEqualTo(afresh.decide(probe));
      }
    }

    private void change(Plan plan) {
      switch (random.below(7)) {
        case 0 ->
            marks.push(
                new Mark(
                    plan.checkpoint(),
                    new LinkedHashMap<>(surroundings),
                    new LinkedHashMap<>(pods)));
        case 1 -> rollback(plan);
        case 2 -> {
          var gone = random.one(surroundings.keySet().toArray(ObjectReference[]::new));
          plan.remove(gone);
          surroundings.remove(gone);
        }
        case 3 -> {
          var gone = random.one(pods.keySet().toArray(ObjectReference[]::new));
          assertThat(plan.evict(gone.namespace(), gone.name())).isTrue();
          pods.remove(gone);
        }
        default -> {
          var object = RandomPlan.object(random, disks);
          plan.put(object);
          keep(object);
        }
      }
    }

    private void rollback(Plan plan) {
      if (!marks.isEmpty()) {
        var mark = marks.pop();
        plan.rollback(mark.checkpoint());
        surroundings.clear();
        surroundings.putAll(mark.surroundings());
        pods.clear();
        pods.putAll(mark.pods());
      }
    }

    private Engine afresh() {
      var engine = new Engine(SchedulerConfiguration.DEFAULT, 1);
      surroundings.values().forEach(engine::put);
      pods.values().forEach(engine::put);
      return engine;
    }
  }
}
