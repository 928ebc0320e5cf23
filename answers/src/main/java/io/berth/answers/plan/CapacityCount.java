package io.berth.answers.plan;

import io.berth.answers.explain.Explanations;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Node;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Counts how many more of a pod fit: it is decided and placed until it is refused.
public final class CapacityCount {

  /// Beyond, nobody is interested in the exact number.
  static final int MOST = 1_000_000;

  private static final String ZONE = "topology.kubernetes.io/zone";

  private CapacityCount() {}

  public static Capacity of(Survey survey, SurveyedPod subject) {
    return of(survey, survey.engine(), subject);
  }

  /// With an engine that knows the survey, and is left as it was.
  public static Capacity of(Survey survey, Engine engine, SurveyedPod subject) {
    try (var plan = engine.plan()) {
      var onNode = new HashMap<String, Long>();
      var pod = subject.pod();
      long count = 0;
      while (count < MOST) {
        var next = pod.withName(pod.name() + "-" + (count + 1));
        if (!(plan.decide(next) instanceof Decision.Placed(var node, _))) {
          break;
        }
        plan.place(next, node);
        onNode.merge(node, 1L, Long::sum);
        count++;
      }
      var stops =
          count == MOST
              ? null
              : new Explanations(survey, engine, plan).explain(subject, Explanations.Wish.CAUSES);
      return new Capacity(pod.key(), count, by(survey, subject, onNode), stops);
    }
  }

  private static Map<String, Map<String, Long>> by(
      Survey survey, SurveyedPod subject, Map<String, Long> onNode) {
    var by = new HashMap<String, Map<String, Long>>();
    for (var key : keys(subject)) {
      var counts = new HashMap<String, Long>();
      for (var object : survey.surroundings()) {
        if (object instanceof Node node && node.labels().containsKey(key)) {
          counts.merge(node.labels().get(key), onNode.getOrDefault(node.name(), 0L), Long::sum);
        }
      }
      if (!counts.isEmpty()) {
        by.put(key, counts);
      }
    }
    return by;
  }

  private static Set<String> keys(SurveyedPod subject) {
    var keys = new LinkedHashSet<String>();
    keys.add(ZONE);
    var spec = subject.pod().spec();
    spec.topologySpreadConstraints().forEach(each -> keys.add(each.topologyKey()));
    spec.podAffinity().required().forEach(term -> keys.add(term.topologyKey()));
    spec.podAntiAffinity().required().forEach(term -> keys.add(term.topologyKey()));
    return keys;
  }
}
