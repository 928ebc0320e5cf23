package io.berth.conformance.random;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Selectors, constraints and affinity with odd numbers, empty values and keys that hardly any node
/// has.
final class RareTerms {

  static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";

  static final String[] NUMBERS = {
    "0",
    "-0",
    "4",
    "08",
    "8",
    "1e3",
    "0x10",
    "1_000",
    "4.0",
    "9223372036854775807",
    "9223372036854775808",
    "3000000000",
    "99999999999999999999",
    ""
  };

  private static final String[] LABEL_KEYS = {"app", "tier", "pod-template-hash", "team"};

  private final Chance chance;
  private final RandomSelectors selectors;

  RareTerms(Chance chance, RandomSelectors selectors) {
    this.chance = chance;
    this.selectors = selectors;
  }

  List<Tree> constraints(Tree labels) {
    var constraints = new ArrayList<Tree>();
    for (var key :
        chance.some(
            1,
            4,
            RandomSelectors.HOSTNAME,
            RandomSelectors.ZONE,
            RandomSelectors.REGION,
            "rack",
            "cores",
            "nowhere",
            "disk")) {
      for (var action :
          chance.percent(25)
              ? List.of("DoNotSchedule", "ScheduleAnyway")
              : List.of(chance.one("DoNotSchedule", "ScheduleAnyway", "ScheduleAnyway"))) {
        if (!key.equals("nowhere") || action.equals("ScheduleAnyway")) {
          constraints.add(constraint(key, action, labels));
        }
      }
    }
    return constraints;
  }

  private Tree constraint(String key, String action, Tree labels) {
    var constraint =
        Tree.of(
            "topologyKey",
            key,
            "maxSkew",
            chance.one(1, 1, 2, 4, 100, 2_147_483_647),
            "whenUnsatisfiable",
            action);
    if (chance.percent(93)) {
      constraint.put("labelSelector", selector());
    }
    if (action.equals("DoNotSchedule") && chance.percent(35)) {
      constraint.put("minDomains", chance.one(1, 2, 3, 4, 50));
    }
    if (chance.percent(40)) {
      constraint.put("nodeAffinityPolicy", chance.one("Honor", "Ignore"));
    }
    if (chance.percent(40)) {
      constraint.put("nodeTaintsPolicy", chance.one("Honor", "Ignore"));
    }
    if (chance.percent(30)) {
      merge(constraint, labels, "matchLabelKeys", "In");
    }
    return constraint;
  }

  /// What the API server does at creation. A key of the selector is not listed a second time.
  private void merge(Tree term, Tree labels, String list, String operator) {
    var selector = term.tree("labelSelector");
    if (selector == null) {
      return;
    }
    var keys = new ArrayList<String>();
    for (var key : chance.some(1, 3, LABEL_KEYS)) {
      boolean taken =
          selector.at("matchLabels", key) != null
              || selector.trees("matchExpressions").stream()
                  .anyMatch(each -> each.textOrEmpty("key").equals(key));
      if (!taken) {
        keys.add(key);
        if (labels.get(key) instanceof String value) {
          var expressions = new ArrayList<Object>(selector.list("matchExpressions"));
          expressions.add(Tree.of("key", key, "operator", operator, "values", List.of(value)));
          selector.put("matchExpressions", expressions);
        }
      }
    }
    if (!keys.isEmpty()) {
      term.put(list, keys);
    }
  }

  /// Over pod labels, empty values included.
  Tree selector() {
    var selector = new Tree();
    if (chance.percent(50)) {
      for (var key : chance.some(1, 2, "app", "tier")) {
        selector.child("matchLabels").put(key, chance.one("a", "b", "x", ""));
      }
    }
    if (chance.percent(60)) {
      selector.put("matchExpressions", chance.many(1, 3, () -> requirement("app", "tier", "team")));
    }
    return selector;
  }

  private Tree requirement(String... keys) {
    var operator = chance.one("In", "NotIn", "NotIn", "Exists", "DoesNotExist");
    var requirement = Tree.of("key", chance.one(keys), "operator", operator);
    if (operator.endsWith("In")) {
      requirement.put("values", chance.some(1, 3, "a", "b", "x", "y", ""));
    }
    return requirement;
  }

  void affinity(Tree spec, Tree labels) {
    var affinity = spec.child("affinity");
    affinity.remove("podAffinity");
    affinity.remove("podAntiAffinity");
    for (var kind : List.of("podAffinity", "podAntiAffinity")) {
      if (chance.percent(30)) {
        affinity
            .child(kind)
            .put(
                "requiredDuringSchedulingIgnoredDuringExecution",
                chance.many(1, 3, () -> term(labels)));
      }
      if (chance.percent(50)) {
        affinity
            .child(kind)
            .put(
                "preferredDuringSchedulingIgnoredDuringExecution",
                chance.many(
                    1,
                    4,
                    () ->
                        Tree.of(
                            "weight", chance.between(1, 100), "podAffinityTerm", term(labels))));
      }
    }
    if (affinity.isEmpty()) {
      spec.remove("affinity");
    }
  }

  private Tree term(Tree labels) {
    var key =
        chance.one(
            RandomSelectors.HOSTNAME,
            RandomSelectors.ZONE,
            RandomSelectors.REGION,
            "rack",
            "cores",
            OLD_ZONE,
            "disk");
    var term = Tree.of("topologyKey", key);
    if (chance.percent(95)) {
      term.put("labelSelector", selector());
    }
    if (chance.percent(25)) {
      term.put("namespaces", chance.some(1, 3, "default", "red-1", "blue-1", "ghost"));
    }
    if (chance.percent(35)) {
      term.put(
          "namespaceSelector",
          chance.percent(20)
              ? new Tree()
              : Tree.of("matchExpressions", chance.many(1, 2, this::namespaceRequirement)));
    }
    if (chance.percent(25)) {
      merge(term, labels, "matchLabelKeys", "In");
    }
    if (chance.percent(20)) {
      merge(term, labels, "mismatchLabelKeys", "NotIn");
    }
    return term;
  }

  private Tree namespaceRequirement() {
    var operator = chance.one("In", "NotIn", "Exists", "DoesNotExist");
    var requirement = Tree.of("key", chance.one("team", "env"), "operator", operator);
    if (operator.endsWith("In")) {
      requirement.put("values", chance.some(1, 2, "red", "blue", "prod", ""));
    }
    return requirement;
  }

  void nodeAffinity(Tree spec) {
    var affinity = spec.child("affinity").child("nodeAffinity");
    if (chance.percent(60)) {
      affinity.put(
          "requiredDuringSchedulingIgnoredDuringExecution",
          Tree.of("nodeSelectorTerms", chance.many(1, 4, () -> nodeTerm(false))));
    }
    if (chance.percent(60)) {
      affinity.put(
          "preferredDuringSchedulingIgnoredDuringExecution",
          chance.many(
              1, 4, () -> Tree.of("weight", chance.between(1, 100), "preference", nodeTerm(true))));
    }
    if (affinity.isEmpty()) {
      spec.child("affinity").remove("nodeAffinity");
    }
    if (chance.percent(20)) {
      spec.child("nodeSelector").put(chance.one("disk", "generation", "rack"), "");
    }
  }

  private Tree nodeTerm(boolean preferred) {
    var term = new Tree();
    if (chance.percent(80)) {
      term.put("matchExpressions", chance.many(1, 3, () -> nodeRequirement(preferred)));
    }
    if (chance.percent(30)) {
      term.put(
          "matchFields",
          chance.many(
              1,
              2,
              () ->
                  Tree.of(
                      "key", "metadata.name",
                      "operator", chance.one("In", "In", "NotIn"),
                      "values", List.of(selectors.nodeName()))));
    }
    return term;
  }

  private Tree nodeRequirement(boolean preferred) {
    if (chance.percent(40)) {
      var value = chance.one(NUMBERS);
      if (value.equals("-0")) {
        value = preferred && chance.percent(20) ? chance.one("-0", "+4", "-3", " 4", "٤") : "4";
      } else if (preferred && chance.percent(80)) {
        value = chance.one("0", "4", "08", "8", "9223372036854775807", "3000000000");
      }
      return Tree.of(
          "key", chance.one("cores", "cores", "generation", "rack"),
          "operator", chance.one("Gt", "Lt"),
          "values", List.of(value));
    }
    var operator = chance.one("In", "NotIn", "NotIn", "Exists", "DoesNotExist");
    var requirement =
        Tree.of(
            "key",
            chance.one(RandomSelectors.ZONE, "disk", "generation", "cores", "nowhere"),
            "operator",
            operator);
    if (operator.endsWith("In")) {
      requirement.put("values", chance.some(1, 3, "a", "b", "ssd", "4", "08", "", "1"));
    }
    return requirement;
  }
}
