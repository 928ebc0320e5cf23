package io.berth.scheduler;

import static io.berth.scheduler.Samples.aNode;
import static io.berth.scheduler.Samples.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Preemption.Candidate;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExtendersTest {

  private final Engine engine = new Engine(SchedulerConfiguration.DEFAULT, 1);

  @BeforeEach
  void threeNodes() {
    for (var name : List.of("a", "b", "c")) {
      engine.put(aNode(name, "4"));
    }
  }

  @Test
  void eachFiltersWhatTheOneBeforeLeft() {
    var first = new Scripted(Extender.Verb.FILTER);
    first.filtered = new Extender.Filtered(List.of("b", "c"), Map.of("a", "no licence"), Map.of());
    var second = new Scripted(Extender.Verb.FILTER);
    second.filtered = new Extender.Filtered(List.of("c"), Map.of(), Map.of("b", "no such device"));

    assertThat(decide(first, second)).isEqualTo(new Decision.Placed("c", 1));
    assertThat(second.asked).isEqualTo(List.of("b", "c"));
  }

  @Test
  void theirRefusalsAreCountedAndMayBeHelpedByAnyEvent() {
    var extender = new Scripted(Extender.Verb.FILTER);
    extender.filtered =
        new Extender.Filtered(
            List.of(), Map.of("a", "no licence", "b", "no licence"), Map.of("c", "no device"));

    var no = (Decision.Unschedulable) decide(extender);

    assertThat(no.message())
        .startsWith("0/3 nodes are available: 1 no device, 2 no licence. preemption: ");
    assertThat(no.rejectors()).containsExactly("Extender");
  }

  @Test
  void aFailingOneEndsTheAttemptUnlessItMayBeIgnored() {
    var extender = new Scripted(Extender.Verb.FILTER);
    extender.failure = new ExtenderException("connection refused");

    assertThat(decide(extender)).isEqualTo(new Decision.Failed("connection refused"));
    extender.ignorable = true;
    assertThat(decide(extender)).isInstanceOf(Decision.Placed.class);
  }

  @Test
  void scoresCountTenfoldTimesTheWeight() {
    var extender = new Scripted(Extender.Verb.PRIORITIZE);
    extender.scores = Map.of("b", 1L);
    engine.put(aPod("load", "nodeName: b").withNodeName("b"));

    // One cpu of four costs b 13 points of LeastAllocated and BalancedAllocation at the most.
    assertThat(decide(extender)).isNotEqualTo(new Decision.Placed("b", 3));
    extender.weight = 5;
    assertThat(decide(extender)).isEqualTo(new Decision.Placed("b", 3));
  }

  @Test
  void nobodyIsEvictedWhereAnExtenderSeesNoUse() {
    for (var name : List.of("a", "b", "c")) {
      engine.put(aPod("low-" + name, "priority: 0\noverhead: {cpu: \"3\"}").withNodeName(name));
    }
    var pod = aPod("p", "priority: 10");
    var extender = new Scripted(Extender.Verb.PREEMPT);
    extender.candidates = Map.of("c", new Candidate(List.of("default/low-c"), 0));

    var no =
        (Decision.Unschedulable) new Extenders(List.of(extender)).decide(pod, engine).decision();
    assertThat(Objects.requireNonNull(no.preemption()).node()).isEqualTo("c");

    extender.candidates = Map.of("c", new Candidate(List.of(), 0));
    assertThat(new Extenders(List.of(extender)).decide(pod, engine).decision())
        .isEqualTo(new Decision.Failed("expected at least one victim pod on node \"c\""));
  }

  private Decision decide(Extender... extenders) {
    return new Extenders(List.of(extenders)).decide(aPod("p", ""), engine).decision();
  }

  /// Answers as it is told to.
  private static final class Scripted implements Extender {

    private final Set<Verb> verbs;
    private Filtered filtered = new Filtered(List.of("a", "b", "c"), Map.of(), Map.of());
    private Map<String, Long> scores = Map.of();
    private Map<String, Candidate> candidates = Map.of();
    private List<String> asked = List.of();
    private @org.jspecify.annotations.Nullable ExtenderException failure;
    private boolean ignorable;
    private long weight = 1;

    Scripted(Verb verb) {
      verbs = EnumSet.of(verb);
    }

    @Override
    public String name() {
      return "scripted";
    }

    @Override
    public boolean ignorable() {
      return ignorable;
    }

    @Override
    public boolean isInterestedIn(Pod pod) {
      return true;
    }

    @Override
    public boolean has(Verb verb) {
      return verbs.contains(verb);
    }

    @Override
    public long weight() {
      return weight;
    }

    @Override
    public Filtered filter(Pod pod, List<String> nodes) {
      asked = nodes;
      if (failure != null) {
        throw failure;
      }
      return filtered;
    }

    @Override
    public Map<String, Long> prioritize(Pod pod, List<String> nodes) {
      return scores;
    }

    @Override
    public void bind(Pod pod, String node) {}

    @Override
    public Map<String, Candidate> preempt(Pod pod, Map<String, Candidate> all) {
      return candidates;
    }
  }
}
