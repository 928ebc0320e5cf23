package io.berth.conformance.random;

import io.berth.api.Tree;

/// Owners, budgets and namespaces that come, change and go.
final class RareObjects {

  private final Chance chance;
  private final RareTerms terms;

  RareObjects(Chance chance, RareTerms terms) {
    this.chance = chance;
    this.terms = terms;
  }

  /// A step in which an owner, a budget or a namespace changes or goes.
  Tree change() {
    var namespace = chance.one(RandomCases.NAMESPACES);
    var number = chance.between(0, 1);
    return switch (chance.between(0, 7)) {
      case 0 -> Tree.of("put", service(namespace, "svc" + number));
      case 1 -> Tree.of("put", owner("ReplicaSet", namespace, "own-a"));
      case 2 -> Tree.of("put", owner("StatefulSet", namespace, "own-b"));
      case 3 ->
          Tree.of(
              "put",
              Tree.of(
                  "kind",
                  "ReplicationController",
                  "metadata",
                  Tree.of("name", "own-c", "namespace", namespace),
                  "spec",
                  Tree.of("selector", exact())));
      case 4 -> Tree.of("put", budget(namespace, "pdb" + number));
      case 5 ->
          Tree.of(
              "put",
              Tree.of(
                  "kind",
                  "Namespace",
                  "metadata",
                  Tree.of("name", namespace, "labels", Tree.of("env", chance.one("prod", "")))));
      case 6 ->
          Tree.of(
              "remove",
              chance.one("Service", "PodDisruptionBudget").equals("Service")
                  ? "Service/" + namespace + "/svc" + number
                  : "PodDisruptionBudget/" + namespace + "/pdb" + number);
      default ->
          Tree.of(
              "remove",
              chance.one(
                  "Namespace/" + namespace,
                  "ReplicaSet/" + namespace + "/own-a",
                  "StatefulSet/" + namespace + "/own-b",
                  "ReplicationController/" + namespace + "/own-c"));
    };
  }

  private Tree exact() {
    var exact = new Tree();
    for (var key : chance.some(0, 2, "app", "tier")) {
      exact.put(key, chance.one("a", "b", "x", ""));
    }
    return exact;
  }

  private Tree service(String namespace, String name) {
    var service =
        Tree.of("kind", "Service", "metadata", Tree.of("name", name, "namespace", namespace));
    if (chance.percent(90)) {
      service.put("spec", Tree.of("selector", exact()));
    }
    return service;
  }

  private Tree owner(String kind, String namespace, String name) {
    return Tree.of(
        "kind",
        kind,
        "metadata",
        Tree.of("name", name, "namespace", namespace),
        "spec",
        Tree.of("selector", terms.selector()));
  }

  private Tree budget(String namespace, String name) {
    var budget =
        Tree.of(
            "kind",
            "PodDisruptionBudget",
            "metadata",
            Tree.of("name", name, "namespace", namespace),
            "status",
            Tree.of("disruptionsAllowed", chance.one(0, 0, 1, 3)));
    if (chance.percent(90)) {
      budget.put("spec", Tree.of("selector", terms.selector()));
    }
    return budget;
  }
}
