package io.berth.engine.rule;

import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.ClusterKind;
import io.berth.codec.Json;
import io.berth.codec.PodReader;
import io.berth.engine.Cause;
import io.berth.engine.Engine;
import io.berth.engine.Explanation.Obstacle;
import java.util.ArrayList;
import java.util.List;

/// Asks one rule about one pod in a small cluster. Objects are JSON with `'` for `"`; of nodes and
/// pods only what matters is written.
public final class OneRule {

  private final String rule;
  private final Engine engine = new Engine(SchedulerConfiguration.DEFAULT, 1);

  public OneRule(String rule) {
    this.rule = rule;
  }

  /// A node with these labels and, after a comma, more of the object.
  public OneRule node(String name, String labels, String more) {
    var rest = more.contains("'allocatable'") ? more : more + status("{'cpu':'9','pods':'9'}");
    return put("Node", "{'metadata':{'name':'%s','labels':{%s}}%s}".formatted(name, labels, rest));
  }

  public OneRule node(String name, String labels) {
    return node(name, labels, "");
  }

  /// The rest of a node that offers these resources.
  public static String status(String allocatable) {
    return ",'status':{'allocatable':" + allocatable + "}";
  }

  /// A pod that runs on the node.
  public OneRule running(String node, String labels, String spec) {
    var pod = pod("on-" + node + "-" + (labels + spec).hashCode(), labels, spec);
    engine.put(pod.withNodeName(node));
    return this;
  }

  /// Any other object.
  public OneRule put(String kind, String object) {
    engine.put(ClusterKind.find(kind).orElseThrow().read(json(object)));
    return this;
  }

  /// The rule's reasons against the node, empty if it does not object.
  public List<String> objections(String node, Pod pod) {
    return obstacles(node, pod).stream()
        .flatMap(obstacle -> obstacle.rejection().reasons().stream())
        .toList();
  }

  /// The fields that are behind it.
  public List<String> fields(String node, Pod pod) {
    return obstacles(node, pod).stream()
        .flatMap(obstacle -> obstacle.causes().stream())
        .map(Cause::field)
        .toList();
  }

  /// The pods to blame, by name.
  public List<String> blamed(String node, Pod pod) {
    var blamed = new ArrayList<String>();
    for (var obstacle : obstacles(node, pod)) {
      var blame = obstacle.blame();
      if (blame != null) {
        blamed.addAll(blame.pods());
      }
    }
    return blamed;
  }

  private List<Obstacle> obstacles(String node, Pod pod) {
    return engine.explain(pod).on(node).stream()
        .filter(obstacle -> obstacle.rejection().plugin().equals(rule))
        .toList();
  }

  /// Normalised scores in the order of the nodes' names, none if the rule does not score.
  public List<Long> scores(Pod pod) {
    var column = engine.examine(pod).scores().get(rule);
    var scores = new ArrayList<Long>();
    for (long score : column == null ? new long[0] : column.norm()) {
      scores.add(score);
    }
    return scores;
  }

  public static Pod pod(String spec) {
    return pod("pod", "", spec);
  }

  public static Pod pod(String labels, String spec) {
    return pod("pod", labels, spec);
  }

  private static Pod pod(String name, String labels, String spec) {
    var containers = spec.contains("'containers'") ? "" : ",'containers':[{'name':'c'}]";
    return PodReader.read(
        json(
            "{'metadata':{'name':'%s','namespace':'default','labels':{%s}},'spec':{%s}}"
                .formatted(name, labels, (spec + containers).replaceFirst("^,", ""))));
  }

  private static Tree json(String text) {
    return Json.read(text.replace('\'', '"'));
  }
}
