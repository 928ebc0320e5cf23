package io.berth.answers.explain;

import io.berth.answers.source.Survey;
import io.berth.api.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// An answer as a picture: the cluster by zone, a letter for each node, which is that of the rule
/// that is first to object there; what takes the pod is a dot.
public final class ClusterPicture {

  private static final List<String> ZONES = List.of("topology.kubernetes.io/zone", "zone");
  private static final String FREE = "·";

  /// Wider zones are told in numbers.
  private static final int MAX_WIDTH = 60;

  private static final int MAX_ZONES = 12;
  private static final int MAX_NAMES = 3;

  private final Map<String, String> ruleOf = new HashMap<>();
  private final Map<String, Set<String>> blamed = new LinkedHashMap<>();
  private final Map<String, String> letters = new LinkedHashMap<>();
  private final Map<String, List<String>> zones = new TreeMap<>();

  private ClusterPicture(PodExplanation answer, Iterable<Node> nodes, String key) {
    for (var cause : answer.causes()) {
      for (var node : cause.nodes()) {
        if (ruleOf.putIfAbsent(node, cause.rule()) == null) {
          letters.computeIfAbsent(cause.rule(), this::letter);
        }
        if (cause.rule().equals(ruleOf.get(node))) {
          blamed.computeIfAbsent(cause.rule(), _ -> new LinkedHashSet<>()).addAll(cause.blame());
        }
      }
    }
    for (var node : nodes) {
      var zone = node.labels().getOrDefault(key, "");
      zones.computeIfAbsent(zone, _ -> new ArrayList<>()).add(node.name());
    }
  }

  /// Nothing where nodes are not in the way, or there are no two zones to compare.
  public static List<List<Part>> of(PodExplanation answer, Survey survey) {
    var nodes = new TreeMap<String, Node>();
    for (var object : survey.surroundings()) {
      if (object instanceof Node node) {
        nodes.put(node.name(), node);
      }
    }
    for (var key : ZONES) {
      if (nodes.values().stream().anyMatch(node -> node.labels().containsKey(key))) {
        return new ClusterPicture(answer, nodes.values(), key).lines();
      }
    }
    return List.of();
  }

  /// A piece of a line; those of one `colour` belong together, 0 has none.
  public record Part(String text, int colour) {}

  private List<List<Part>> lines() {
    if (zones.size() < 2 || zones.size() > MAX_ZONES || ruleOf.isEmpty()) {
      return List.of();
    }
    var lines = new ArrayList<List<Part>>();
    int width = zones.keySet().stream().mapToInt(String::length).max().orElse(0);
    zones.forEach((zone, nodes) -> {
      var line = new ArrayList<Part>();
      var name = zone.isEmpty() ? "-" : zone;
      line.add(new Part("zone " + name + " ".repeat(Math.max(1, width - name.length()) + 2), 0));
      line.addAll(nodes.size() > MAX_WIDTH ? numbers(nodes) : drawn(nodes));
      lines.add(line);
    });
    lines.add(legend());
    return lines;
  }

  private List<Part> drawn(List<String> nodes) {
    var parts = new ArrayList<Part>();
    for (var node : nodes) {
      parts.add(part(ruleOf.getOrDefault(node, "")));
    }
    return parts;
  }

  private List<Part> numbers(List<String> nodes) {
    var counts = new LinkedHashMap<String, Integer>();
    letters.keySet().forEach(rule -> counts.put(rule, 0));
    nodes.forEach(node -> counts.merge(ruleOf.getOrDefault(node, ""), 1, Integer::sum));
    var parts = new ArrayList<Part>();
    counts.forEach((rule, count) -> {
      if (count > 0) {
        parts.add(new Part((parts.isEmpty() ? "" : "  ") + count + " ", 0));
        parts.add(part(rule));
      }
    });
    return parts;
  }

  private Part part(String rule) {
    return rule.isEmpty()
        ? new Part(FREE, 0)
        : new Part(letters.getOrDefault(rule, "?"), colour(rule));
  }

  private int colour(String rule) {
    return 1 + List.copyOf(letters.keySet()).indexOf(rule);
  }

  private List<Part> legend() {
    var parts = new ArrayList<Part>();
    letters.forEach((rule, letter) -> {
      var text = parts.isEmpty() ? "" : "   ";
      parts.add(new Part(text + letter + " " + rule + who(rule), colour(rule)));
    });
    return parts;
  }

  private String who(String rule) {
    var pods = blamed.getOrDefault(rule, Set.of());
    if (pods.isEmpty()) {
      return "";
    }
    var names = String.join(", ", pods.stream().limit(MAX_NAMES).toList());
    int more = pods.size() - MAX_NAMES;
    return " (" + names + (more > 0 ? " and %d more".formatted(more) : "") + ")";
  }

  /// The first capital of its name that no other rule has.
  private String letter(String rule) {
    var name = rule.startsWith("Node") ? rule.substring("Node".length()) : rule;
    for (var capital : name.replaceAll("[^A-Z]", "").split("", -1)) {
      if (!capital.isEmpty() && !letters.containsValue(capital)) {
        return capital;
      }
    }
    return String.valueOf(letters.size() + 1);
  }
}
