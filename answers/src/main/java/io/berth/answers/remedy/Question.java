package io.berth.answers.remedy;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.Survey;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Node;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.engine.Explanation;
import io.berth.engine.Explanation.Obstacle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A pod that no node takes, the cluster it is in, and what stands in its way on each node.
public final class Question {

  private final Survey survey;
  private final SurveyedPod subject;
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, List<Obstacle>> obstacles = new HashMap<>();

  public Question(Survey survey, SurveyedPod subject, Explanation explanation) {
    this.survey = survey;
    this.subject = subject;
    for (var object : survey.surroundings()) {
      if (object instanceof Node node) {
        nodes.put(node.name(), node);
      }
    }
    for (var obstacle : explanation.obstacles()) {
      for (var node : obstacle.nodes()) {
        obstacles.computeIfAbsent(node, _ -> new ArrayList<>()).add(obstacle);
      }
    }
  }

  Survey survey() {
    return survey;
  }

  SurveyedPod subject() {
    return subject;
  }

  Pod pod() {
    return subject.pod();
  }

  /// The pod's spec as an API server would keep it; not to be changed.
  Tree spec() {
    return subject.tree().treeOrEmpty("spec");
  }

  Map<String, Node> nodes() {
    return nodes;
  }

  /// The object of a node.
  Optional<Tree> nodeTree(String name) {
    return survey.find(ObjectReference.node(name)).map(Manifest::tree);
  }

  /// What is in the way on the node, every rule's.
  List<Obstacle> on(String node) {
    return obstacles.getOrDefault(node, List.of());
  }

  /// The nodes that are closest to taking the pod first.
  List<Node> closestNodes() {
    return nodes.values().stream()
        .sorted(Comparator.comparingInt(node -> on(node.name()).size()))
        .toList();
  }
}
