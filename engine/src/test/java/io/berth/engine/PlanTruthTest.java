package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.api.PodStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a plan says is compared with really doing it, on random clusters: pods come, go and come
/// back, and each time the decision is the one of a cluster that was never otherwise.
class PlanTruthTest {

  private static final int CLUSTERS = Integer.getInteger("berth.clusters", 100);

  @Test
  void decidesAsIfItHadHappened() {
    for (long seed = 1; seed <= CLUSTERS; seed++) {
      new Trial(seed).run();
    }
  }

  private static final class Trial {

    private final String name;
    private final Situation situation;
    private final Map<String, Placed> placed = new LinkedHashMap<>();
    private final Deque<Mark> marks = new ArrayDeque<>();
    private final List<Pod> probes = new ArrayList<>();

    private record Placed(Pod pod, String node) {}

    private record Mark(int checkpoint, Map<String, Placed> then) {}

    Trial(long seed) {
      this.name = "seed " + seed;
      this.situation = new Situation(seed);
      situation
          .pods
          .values()
          .forEach(pod -> placed.put(pod.key(), new Placed(pod, pod.nodeName())));
      for (int i = 0; i < 4; i++) {
        probes.add(situation.random.pod("probe" + i).withStatus(PodStatus.NONE));
      }
    }

    void run() {
      var engine = situation.engine(Set.of());
      probes.forEach(engine::decide);
      try (var plan = engine.plan()) {
        for (int step = 0; step < 12; step++) {
          change(plan, step);
          var afresh = afresh();
          for (var probe : probes) {
            assertThat(plan.decide(probe))
                .as(name + " step " + step)
                .isEqualTo(afresh.decide(probe));
          }
        }
      }
      var untouched = situation.engine(Set.of());
      for (var probe : probes) {
        assertThat(HistoryTest.text(engine.examine(probe)))
            .as(name + " afterwards")
            .isEqualTo(HistoryTest.text(untouched.examine(probe)));
        assertThat(engine.decide(probe)).as(name).isEqualTo(untouched.decide(probe));
      }
    }

    private void change(Plan plan, int step) {
      switch (situation.random.below(6)) {
        case 0 -> marks.push(new Mark(plan.checkpoint(), new LinkedHashMap<>(placed)));
        case 1 -> {
          if (!marks.isEmpty()) {
            var mark = marks.pop();
            plan.rollback(mark.checkpoint());
            placed.clear();
            placed.putAll(mark.then());
          }
        }
        case 2, 3 -> {
          var keys = List.copyOf(placed.keySet());
          var gone =
              Objects.requireNonNull(placed.remove(keys.get(situation.random.below(keys.size()))));
          plan.evict(gone.pod().namespace(), gone.pod().name());
        }
        default -> {
          var pod = situation.random.pod("new" + step);
          var node = "n" + situation.random.below(6);
          plan.place(pod, node);
          placed.put(pod.key(), new Placed(pod, node));
        }
      }
    }

    private Engine afresh() {
      var engine = situation.engine(situation.pods.keySet());
      placed.values().forEach(each -> engine.assume(each.pod(), each.node()));
      return engine;
    }
  }
}
