package io.berth.conformance.random;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Random labels, label selectors and node selectors over a small vocabulary, so that they meet.
final class RandomSelectors {

  static final String HOSTNAME = "kubernetes.io/hostname";
  static final String ZONE = "topology.kubernetes.io/zone";
  static final String REGION = "topology.kubernetes.io/region";

  private final Chance chance;
  private final int nodeNames;

  RandomSelectors(Chance chance, int nodeNames) {
    this.chance = chance;
    this.nodeNames = nodeNames;
  }

  String nodeName() {
    return "n%02d".formatted(chance.between(0, nodeNames));
  }

  String topologyKey() {
    return chance.one(HOSTNAME, HOSTNAME, ZONE, ZONE, ZONE, REGION, "rack", "nowhere");
  }

  Tree podLabels() {
    var labels = new Tree();
    if (chance.percent(90)) {
      labels.put("app", chance.one("a", "b", "c"));
    }
    if (chance.percent(40)) {
      labels.put("tier", chance.one("x", "y"));
    }
    if (chance.percent(15)) {
      labels.put("pod-template-hash", chance.one("h1", "h2"));
    }
    return labels;
  }

  /// Over pod labels. Sometimes `{}`.
  Tree labelSelector() {
    var selector = new Tree();
    if (chance.percent(60)) {
      selector.child("matchLabels").put("app", chance.one("a", "b", "c"));
    }
    if (chance.percent(40)) {
      selector.put(
          "matchExpressions", chance.many(1, 2, () -> requirement("app", "a", "b", "c", "d")));
    } else if (chance.percent(20)) {
      selector.put("matchExpressions", chance.many(1, 1, () -> requirement("tier", "x", "y")));
    }
    return selector;
  }

  Tree namespaceSelector() {
    return switch (chance.between(0, 3)) {
      case 0 -> new Tree();
      case 1 -> Tree.of("matchLabels", Tree.of("team", chance.one("red", "blue")));
      case 2 -> Tree.of("matchLabels", Tree.of("env", "prod"));
      default -> Tree.of("matchExpressions", List.of(requirement("team", "red", "blue", "green")));
    };
  }

  private Tree requirement(String key, String... values) {
    var operator = chance.one("In", "In", "NotIn", "Exists", "DoesNotExist");
    var requirement = Tree.of("key", key, "operator", operator);
    if (operator.endsWith("In")) {
      requirement.put("values", chance.some(1, 2, values));
    }
    return requirement;
  }

  Tree nodeSelectorTerms() {
    return Tree.of("nodeSelectorTerms", chance.many(1, 3, this::nodeTerm));
  }

  /// A term of node affinity; sometimes empty, sometimes about the node's name.
  Tree nodeTerm() {
    var term = new Tree();
    if (chance.percent(85)) {
      term.put("matchExpressions", chance.many(1, 2, () -> nodeRequirement(false)));
    }
    if (chance.percent(12)) {
      term.put("matchFields", chance.many(1, 2, this::nameField));
    }
    return term;
  }

  /// A preferred term; now and then one that cannot be parsed.
  Tree preferredNodeTerm() {
    boolean broken = chance.percent(1);
    var preference = nodeTerm();
    if (broken) {
      preference.put("matchExpressions", List.of(nodeRequirement(true)));
    }
    return Tree.of("weight", chance.one(1, 5, 10, 50, 99, 100), "preference", preference);
  }

  private Tree nameField() {
    return Tree.of(
        "key", "metadata.name",
        "operator", chance.one("In", "In", "NotIn"),
        "values", List.of(nodeName()));
  }

  private Tree nodeRequirement(boolean broken) {
    if (broken) {
      return Tree.of("key", "cores", "operator", "Gt", "values", List.of("many"));
    }
    return switch (chance.between(0, 5)) {
      case 0, 1 -> requirement(ZONE, "a", "b", "c", "zz");
      case 2 -> requirement("disk", "ssd", "hdd");
      case 3 -> requirement("rack", "k1", "k2");
      case 4 -> requirement(HOSTNAME, nodeName(), nodeName() + "x");
      default ->
          Tree.of(
              "key", "cores",
              "operator", chance.one("Gt", "Lt"),
              "values", List.of(chance.one("0", "4", "8", "007", "9x")));
    };
  }

  Tree nodeLabels(String name) {
    var labels = new Tree();
    if (chance.percent(95)) {
      labels.put(HOSTNAME, name);
    }
    if (chance.percent(88)) {
      labels.put(ZONE, chance.one("a", "b", "c"));
    }
    if (chance.percent(70)) {
      labels.put(REGION, chance.one("r1", "r2"));
    }
    if (chance.percent(60)) {
      labels.put("rack", chance.one("k1", "k2"));
    }
    if (chance.percent(60)) {
      labels.put("disk", chance.one("ssd", "hdd"));
    }
    if (chance.percent(60)) {
      labels.put("cores", chance.one("0", "2", "4", "8", "16", "big"));
    }
    return labels;
  }

  /// What the API server does to a term with matchLabelKeys at creation.
  void mergeLabelKeys(Tree term, Tree podLabels) {
    if (!chance.percent(8) || term.tree("labelSelector") == null) {
      return;
    }
    boolean same = chance.percent(70);
    var key = "pod-template-hash";
    term.put(same ? "matchLabelKeys" : "mismatchLabelKeys", List.of(key));
    if (podLabels.get(key) instanceof String value) {
      var selector = term.child("labelSelector");
      var expressions = new ArrayList<Object>(selector.list("matchExpressions"));
      expressions.add(
          Tree.of("key", key, "operator", same ? "In" : "NotIn", "values", List.of(value)));
      selector.put("matchExpressions", expressions);
    }
  }
}
