package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Code;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Extension;
import io.berth.engine.Extension.Answers;
import io.berth.engine.Preemption.Candidate;
import io.berth.engine.Rejection;
import io.berth.scheduler.Extender.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decisions in which extenders have a say: each sees the nodes its predecessors left.
///
/// Such a decision waits for other programs and looks at every node the long way; pods that no
/// extender is interested in are decided without any of this.
final class Extenders {

  /// What Kubernetes calls all of them where a plugin's name is expected.
  static final String NAME = "Extender";

  private static final Logger log = LoggerFactory.getLogger(Extenders.class);

  // From an extender's 0..10 to the 0..100 of plugins.
  private static final long SCALE = 10;

  private final List<Extender> extenders;

  Extenders(List<Extender> extenders) {
    this.extenders = List.copyOf(extenders);
  }

  boolean isAnyInterestedIn(Pod pod) {
    return extenders.stream().anyMatch(extender -> extender.isInterestedIn(pod));
  }

  /// A decision, and what extenders said to it; absent when one of them ended it.
  record Extended(Decision decision, @Nullable Answers said) {}

  Extended decide(Pod pod, Engine engine) {
    var say = new Say(pod);
    try {
      var decision = engine.examine(pod, say).decision();
      return new Extended(decision, new Answers(say.objections, say.scores, say.candidates));
    } catch (ExtenderException e) {
      return new Extended(new Decision.Failed(String.valueOf(e.getMessage())), null);
    }
  }

  /// The first that binds pods like this one itself.
  Optional<Extender> findBinder(Pod pod) {
    return extenders.stream().filter(e -> e.has(Verb.BIND) && e.isInterestedIn(pod)).findFirst();
  }

  private List<Extender> with(Verb verb, Pod pod) {
    return extenders.stream().filter(e -> e.has(verb) && e.isInterestedIn(pod)).toList();
  }

  /// What all of them have to say about one pod, and what they said.
  private final class Say implements Extension {

    private final Pod pod;
    private final Map<String, Rejection> objections = new HashMap<>();
    private final Map<String, Long> scores = new HashMap<>();
    private @Nullable Map<String, Candidate> candidates;

    Say(Pod pod) {
      this.pod = pod;
    }

    @Override
    public Map<String, Rejection> filter(List<String> nodes) {
      var left = nodes;
      for (var extender : with(Verb.FILTER, pod)) {
        if (left.isEmpty()) {
          break;
        }
        try {
          left = filter(extender, left);
        } catch (ExtenderException e) {
          pass(extender, e);
        }
      }
      return objections;
    }

    private List<String> filter(Extender extender, List<String> nodes) {
      var answer = extender.filter(pod, nodes);
      var kept = new HashSet<>(answer.nodes());
      var left = new ArrayList<String>();
      for (var node : nodes) {
        if (kept.contains(node)) {
          left.add(node);
        } else {
          objections.put(node, objection(node, answer));
        }
      }
      return left;
    }

    private static Rejection objection(String node, Extender.Filtered answer) {
      var forGood = answer.unresolvable().get(node);
      if (forGood != null) {
        return Rejection.unresolvable(NAME, forGood);
      }
      var reason = answer.failed().get(node);
      // As in Kubernetes, a node left out without a word counts as unresolvable and has no reason.
      return reason == null
          ? new Rejection(NAME, Code.UNRESOLVABLE, List.of())
          : Rejection.unschedulable(NAME, reason);
    }

    @Override
    public Map<String, Long> score(List<String> nodes) {
      for (var extender : with(Verb.PRIORITIZE, pod)) {
        try {
          extender
              .prioritize(pod, nodes)
              .forEach((node, score) ->
                  scores.merge(node, score * extender.weight() * SCALE, Long::sum));
        } catch (ExtenderException e) {
          log.debug("extender {} gives no scores: {}", extender.name(), e.getMessage());
        }
      }
      return scores;
    }

    @Override
    public Map<String, Candidate> preempt(Map<String, Candidate> all) {
      var left = all;
      for (var extender : with(Verb.PREEMPT, pod)) {
        if (left.isEmpty()) {
          break;
        }
        try {
          left = withVictims(extender, extender.preempt(pod, left));
        } catch (ExtenderException e) {
          pass(extender, e);
        }
      }
      candidates = left;
      return left;
    }

    private static Map<String, Candidate> withVictims(
        Extender extender, Map<String, Candidate> candidates) {
      var left = new HashMap<String, Candidate>();
      candidates.forEach((node, candidate) -> {
        if (!candidate.victims().isEmpty()) {
          left.put(node, candidate);
        } else if (!extender.ignorable()) {
          throw new ExtenderException(
              "expected at least one victim pod on node \"%s\"".formatted(node));
        }
      });
      return left;
    }

    private static void pass(Extender extender, ExtenderException e) {
      if (!extender.ignorable()) {
        throw e;
      }
      log.info("skipped extender {}, which may be ignored: {}", extender.name(), e.getMessage());
    }
  }
}
