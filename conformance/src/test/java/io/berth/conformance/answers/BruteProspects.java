package io.berth.conformance.answers;

import io.berth.answers.source.Survey;
import io.berth.api.Container;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.NodeAffinity;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Whether a pod could ever fit, found by putting idle pods of all labels onto all sets of nodes.
final class BruteProspects {

  private static final int MOST_NODES = 4;

  private final Survey survey;

  BruteProspects(Survey survey) {
    this.survey = survey;
  }

  /// Empty where there are too many ways.
  Optional<Boolean> canEverFit(Pod waiting) {
    var pod = waiting.withStatus(PodStatus.NONE);
    var engine = survey.emptyEngine();
    var nodes = new ArrayList<String>();
    for (var object : survey.surroundings()) {
      if (object instanceof Node node) {
        nodes.add(node.name());
        engine.put(opened(node));
      } else {
        engine.put(object);
      }
    }
    if (engine.decide(pod) instanceof Decision.Placed) {
      return Optional.of(true);
    }
    if (pod.spec().podAffinity().required().isEmpty()) {
      return Optional.of(false);
    }
    return nodes.size() > MOST_NODES
        ? Optional.empty()
        : Optional.of(fitsInCompany(engine, pod, nodes));
  }

  private boolean fitsInCompany(Engine engine, Pod pod, List<String> nodes) {
    for (var labels : labels()) {
      for (var object : survey.surroundings()) {
        if (object instanceof Namespace(var namespace, _)) {
          for (int set = 1; set < 1 << nodes.size(); set++) {
            if (fits(engine, pod, idle(namespace, labels), nodes, set)) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  private static boolean fits(Engine engine, Pod pod, Pod idle, List<String> nodes, int set) {
    try (var plan = engine.plan()) {
      for (int i = 0; i < nodes.size(); i++) {
        if ((set & (1 << i)) != 0) {
          plan.place(idle.withName("idle-" + i), nodes.get(i));
        }
      }
      return plan.decide(pod) instanceof Decision.Placed;
    }
  }

  private static List<Map<String, String>> labels() {
    var all = new ArrayList<Map<String, String>>();
    for (var app : List.of("", "a", "b", "c", "d", "z")) {
      for (var tier : List.of("", "x", "y", "z")) {
        for (var hash : List.of("", "h1", "h2")) {
          var labels = new HashMap<String, String>();
          put("app", app, labels);
          put("tier", tier, labels);
          put("pod-template-hash", hash, labels);
          all.add(labels);
        }
      }
    }
    return all;
  }

  private static void put(String key, String value, Map<String, String> labels) {
    if (!value.isEmpty()) {
      labels.put(key, value);
    }
  }

  private static Node opened(Node node) {
    return new Node(
        node.name(),
        node.labels(),
        false,
        node.taints().stream()
            .filter(taint -> !taint.key().startsWith("node.kubernetes.io/"))
            .toList(),
        node.allocatable(),
        node.images(),
        node.declaredFeatures());
  }

  private static Pod idle(String namespace, Map<String, String> labels) {
    var container = new Container("idle", "", Map.of(), List.of(), false, List.of());
    var spec =
        new PodSpec(
            List.of(),
            List.of(container),
            Map.of(),
            null,
            Map.of(),
            NodeAffinity.NONE,
            PodAffinity.NONE,
            PodAffinity.NONE,
            List.of(),
            List.of(),
            0,
            false,
            PodSpec.DEFAULT_SCHEDULER,
            List.of(),
            List.of(),
            List.of(),
            List.of());
    return new Pod(namespace, "idle", "idle", labels, null, false, "", spec, PodStatus.NONE);
  }
}
