package io.berth.conformance.kai;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/// What differs between a scene at rest and what was recorded: how many pods of each job run, which
/// jobs ever had to leave, and the nodes of those that are pinned. Pods of a job that are alike may
/// stand in for each other.
final class Comparison {

  private final Recording recording;
  private final Scene scene;
  private final List<String> differences = new ArrayList<>();

  Comparison(Recording recording, Scene scene) {
    this.recording = recording;
    this.scene = scene;
  }

  List<String> differences() {
    var ends = recording.ends();
    var nodes = scene.nodesOfPods();
    var evicted = new TreeSet<String>();
    for (var job : recording.tree().trees("Jobs")) {
      var bySet = new HashMap<String, List<String>>();
      for (var pod : job.trees("Tasks")) {
        var name = pod.textOrEmpty("Id");
        if (ends.containsKey(name)) {
          bySet.computeIfAbsent(kind(pod), _ -> new ArrayList<>()).add(name);
        }
        // What was only promised a place has none to leave.
        boolean promised = pod.textOrEmpty("State").equals("Pipelined");
        if (recording.evicted().contains(name) && !promised) {
          evicted.add(job.textOrEmpty("Name"));
        }
      }
      bySet.values().forEach(pods -> compare(pods, ends, nodes));
    }
    if (!evicted.equals(scene.evicted())) {
      differences.add("evicted %s, not %s".formatted(scene.evicted(), evicted));
    }
    return differences;
  }

  private static String kind(Tree pod) {
    return pod.textOrEmpty("SubGroup")
        + pod.get("RequiredGPUs")
        + pod.get("Mig")
        + pod.get("NodeAffinity");
  }

  private void compare(
      List<String> pods, Map<String, Recording.End> ends, Map<String, String> nodes) {
    long expected = pods.stream().filter(pod -> endOf(pod, ends).runs()).count();
    long found = pods.stream().filter(pod -> !nodes.getOrDefault(pod, "").isEmpty()).count();
    if (expected != found) {
      differences.add("of %s %d run, not %d".formatted(pods, found, expected));
    }
    var pinned = new HashMap<String, Integer>();
    for (var pod : pods) {
      var end = endOf(pod, ends);
      if (end.runs() && end.node() != null) {
        pinned.merge(end.node(), 1, Integer::sum);
      }
    }
    pinned.forEach((node, count) -> {
      long there = pods.stream().filter(pod -> node.equals(nodes.get(pod))).count();
      if (expected == found && there < count) {
        differences.add("of %s %d are on %s, not %d".formatted(pods, there, node, count));
      }
    });
  }

  private static Recording.End endOf(String pod, Map<String, Recording.End> ends) {
    return Objects.requireNonNull(ends.get(pod), pod);
  }
}
