package io.berth.answers.explain;

import io.berth.answers.source.Survey;
import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.PodStatus;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tells "never" from "not now": whether the pod would fit if pods came and went as it likes, and
/// all nodes were ready and open.
///
/// Pods only take room, unless the pod asks for company; so the cluster is emptied, and where the
/// pod wants company, pods come that could be it ([Company]).
final class Prospects {

  private static final String BY_KUBERNETES = "node.kubernetes.io/";

  /// Nodes that are looked at in all; where company would have to be sought for longer, it is given
  /// up.
  private static final int MAX_WORK = 200_000;

  private static final int MIN_TRIALS = 20;

  private final Survey survey;
  private @Nullable Engine emptied;

  Prospects(Survey survey) {
    this.survey = survey;
  }

  boolean canEverFit(Pod pod) {
    var asked = pod.withStatus(PodStatus.NONE);
    var engine = emptied();
    if (engine.decide(asked) instanceof Decision.Placed) {
      return true;
    }
    if (pod.spec().podAffinity().required().isEmpty()) {
      return false;
    }
    var nodes = nodes();
    int left = Math.max(MIN_TRIALS, MAX_WORK / Math.max(1, nodes.size()));
    for (var company : new Company(pod, survey.surroundings()).candidates()) {
      for (var node : nodes) {
        if (left-- > 0 && fitsBeside(engine, asked, company, node.name())) {
          return true;
        }
      }
    }
    return false;
  }

  /// Company comes to one node, and, since it may count for spread, to every other domain as well.
  private boolean fitsBeside(Engine engine, Pod pod, Pod company, String node) {
    try (var plan = engine.plan()) {
      plan.place(company.withName("company"), node);
      if (plan.decide(pod) instanceof Decision.Placed) {
        return true;
      }
      for (var other : nodes()) {
        if (!other.name().equals(node)) {
          plan.place(company.withName("company-" + other.name()), other.name());
        }
      }
      return plan.decide(pod) instanceof Decision.Placed;
    }
  }

  private List<Node> nodes() {
    var nodes = new ArrayList<Node>();
    for (var object : survey.surroundings()) {
      if (object instanceof Node node) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  /// The cluster without pods, its nodes ready and open.
  private Engine emptied() {
    var known = emptied;
    if (known == null) {
      known = empty();
      emptied = known;
    }
    return known;
  }

  private Engine empty() {
    var engine = survey.emptyEngine();
    for (var object : survey.surroundings()) {
      engine.put(object instanceof Node node ? opened(node) : object);
    }
    return engine;
  }

  private static Node opened(Node node) {
    var taints =
        node.taints().stream().filter(taint -> !taint.key().startsWith(BY_KUBERNETES)).toList();
    return new Node(
        node.name(),
        node.labels(),
        false,
        taints,
        node.allocatable(),
        node.images(),
        node.declaredFeatures());
  }
}
