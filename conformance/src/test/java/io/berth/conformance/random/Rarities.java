package io.berth.conformance.random;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Rarely seen things, mixed into what the other generators make: odd numbers and quantities,
/// several constraints on one key, empty label values, features, images with many names.
///
/// They have their own check against the real scheduler, because the second implementation of the
/// tests does not know them all.
final class Rarities {

  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String FULL_RESTART = "RestartAllContainersOnContainerExits";
  private static final String HOST_USERS = "UserNamespacesHostNetworkSupport";
  private static final String[] LABEL_KEYS = {"app", "tier", "pod-template-hash", "team"};

  private final Chance chance;
  private final RandomSelectors selectors;
  private final boolean odd;
  private final boolean sized;
  private final boolean pictured;
  private final boolean spread;
  private final boolean terms;
  private boolean unstarted = true;

  Rarities(Chance chance, RandomSelectors selectors) {
    this.chance = chance;
    this.selectors = selectors;
    this.odd = chance.percent(45);
    this.sized = chance.percent(45);
    this.pictured = chance.percent(20);
    this.spread = chance.percent(40);
    this.terms = chance.percent(40);
  }

  /// A node of the first hour also gets images: kube-scheduler remembers later ones strangely.
  void node(Tree node, boolean first) {
    var labels = node.child("metadata").child("labels");
    if (chance.percent(8)) {
      labels.put(chance.one(RandomSelectors.ZONE, "rack", "disk"), "");
    }
    if (chance.percent(15)) {
      labels.put(OLD_ZONE, chance.one("a", "b"));
    }
    if (odd && chance.percent(60)) {
      labels.put("cores", chance.one(NUMBERS));
    }
    if (odd && chance.percent(20)) {
      labels.put("generation", chance.one("1", "2", ""));
    }
    if (chance.percent(35)) {
      node.child("status").put("declaredFeatures", features());
    }
    if (sized) {
      allocatable(node.child("status").child("allocatable"));
    }
    if (chance.percent(10)) {
      node.child("spec").put("taints", taints());
    }
    if (pictured && first && chance.percent(80)) {
      node.child("status").put("images", images());
    }
  }

  private List<String> features() {
    return chance.some(1, 2, FULL_RESTART, "Unheard", HOST_USERS).stream().sorted().toList();
  }

  private static final String[] NUMBERS = {
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

  private void allocatable(Tree allocatable) {
    if (chance.percent(40)) {
      allocatable.put("cpu", chance.one("1500m", "0.5", "4e0", "1900m", "12", "0", "7001m"));
    }
    if (chance.percent(40)) {
      allocatable.put(
          "memory", chance.one("1000000k", "2.5Gi", "8589934593", "1e10", "1Ti", "0", "5E"));
    }
    if (chance.percent(15)) {
      allocatable.remove(chance.one("cpu", "memory", "pods", "ephemeral-storage"));
    }
    if (chance.percent(25)) {
      allocatable.put("hugepages-1Gi", chance.one("0", "2Gi", "4Gi"));
    }
    if (chance.percent(25)) {
      allocatable.put("example.com/foo", chance.one("0", "1", "5", "2500m", "3k"));
    }
    if (chance.percent(25)) {
      allocatable.put("example.com/bar", chance.one("1", "5", "1000"));
    }
    if (chance.percent(15)) {
      allocatable.put("ephemeral-storage", chance.one("10G", "1500Mi", "0"));
    }
  }

  private List<Tree> taints() {
    var taints = new ArrayList<Tree>();
    for (var effect : chance.some(1, 3, "NoSchedule", "PreferNoSchedule", "NoExecute")) {
      var taint =
          Tree.of(
              "key",
              chance.one("dedicated", "spot", "node.kubernetes.io/unschedulable"),
              "effect",
              effect);
      if (chance.percent(50)) {
        taint.put("value", chance.one("x", "y", "", "5"));
      }
      taints.add(taint);
    }
    return taints;
  }

  private List<Tree> images() {
    var images = new ArrayList<Tree>();
    for (var name : chance.some(1, 4, "img-a", "img-b", "img-c", "reg:5000/img-d", "reg/img-e")) {
      long size = chance.one(10L, 24_117_248L, 90_000_001L, 777_777_777L, 5_000_000_000L);
      var names = new ArrayList<String>(List.of(name + ":latest"));
      if (chance.percent(50)) {
        names.add(name + "@sha256:" + "0".repeat(4));
      }
      if (chance.percent(30)) {
        names.add(name + ":1");
      }
      images.add(Tree.of("names", names, "sizeBytes", size));
    }
    return images;
  }

  void pod(Tree pod, boolean running) {
    var metadata = pod.child("metadata");
    var spec = pod.child("spec");
    if (chance.percent(10)) {
      metadata.child("labels").put(chance.one("tier", "team", "app"), chance.one("", "x", "a"));
    }
    var labels = metadata.child("labels");
    if (labels.isEmpty()) {
      metadata.remove("labels");
    }
    if (spread && chance.percent(60)) {
      spec.put("topologySpreadConstraints", constraints(labels));
    }
    if (terms && chance.percent(60)) {
      affinity(spec, labels);
    }
    if (odd && chance.percent(45)) {
      nodeAffinity(spec);
    }
    if (odd && chance.percent(25)) {
      spec.put("tolerations", chance.many(1, 4, this::toleration));
    }
    if (sized && chance.percent(60)) {
      resources(spec);
    }
    if (pictured) {
      pictures(spec);
    }
    if (chance.percent(5)) {
      spec.put("hostNetwork", chance.percent(80)).put("hostUsers", chance.percent(20));
    }
    if (chance.percent(4)) {
      var containers = spec.trees(chance.percent(70) ? "containers" : "initContainers");
      if (!containers.isEmpty()) {
        containers
            .getFirst()
            .put(
                "restartPolicyRules",
                List.of(Tree.of("action", chance.one("Restart", "RestartAllContainers"))));
      }
    }
    if (chance.percent(8)) {
      spec.put("priority", chance.one(2_000_001_000, -2_147_483_648, 1_000_000_000, 0));
    } else if (chance.percent(3)) {
      spec.remove("priority");
    }
    if (chance.percent(8)) {
      metadata.put("ownerReferences", List.of(reference()));
    }
    if (running) {
      running(pod, spec);
    }
  }

  private Tree reference() {
    var kind = chance.one("ReplicaSet", "StatefulSet", "ReplicationController", "Job");
    return Tree.of(
        "apiVersion",
        kind.startsWith("Replication") ? "v1" : chance.one("apps/v1", "apps/v1", "other/v1"),
        "kind",
        kind,
        "name",
        switch (kind) {
          case "ReplicaSet" -> "own-a";
          case "StatefulSet" -> "own-b";
          default -> "own-c";
        },
        "uid",
        "u",
        "controller",
        chance.percent(90));
  }

  private void running(Tree pod, Tree spec) {
    if (unstarted && chance.percent(3)) {
      pod.child("status").remove("startTime");
      unstarted = false;
    }
    if (sized && chance.percent(30)) {
      for (var kind : List.of("container", "initContainer")) {
        var statuses = new ArrayList<Tree>();
        for (var container : spec.trees(kind + "s")) {
          if (chance.percent(75)) {
            statuses.add(resized(container));
          }
        }
        if (!statuses.isEmpty()) {
          pod.child("status").put(kind + "Statuses", statuses);
        }
      }
    }
    if (sized && chance.percent(10)) {
      pod.child("status")
          .childList("conditions")
          .add(
              Tree.of(
                  "type", chance.one("PodResizePending", "PodResizeInProgress"),
                  "status", chance.one("True", "False"),
                  "reason", chance.one("Infeasible", "Deferred", "Error")));
    }
    if (sized && spec.has("resources") && chance.percent(50)) {
      pod.child("status").put("allocatedResources", amounts());
      if (chance.percent(50)) {
        pod.child("status").put("resources", Tree.of("requests", amounts()));
      }
    }
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
        Tree.of("selector", selector()));
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
      budget.put("spec", Tree.of("selector", selector()));
    }
    return budget;
  }

  /// What a kubelet or a user may change about a pod that runs.
  void restated(Tree pod) {
    if (chance.percent(30)) {
      pod.child("metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
    }
    running(pod, pod.child("spec"));
  }

  private Tree resized(Tree container) {
    var status = Tree.of("name", container.get("name"));
    if (chance.percent(75)) {
      status.put("allocatedResources", amounts());
    }
    if (chance.percent(50)) {
      status.put("resources", chance.percent(85) ? Tree.of("requests", amounts()) : new Tree());
    }
    return status;
  }

  private List<Tree> constraints(Tree labels) {
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
  private Tree selector() {
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

  private void affinity(Tree spec, Tree labels) {
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

  private void nodeAffinity(Tree spec) {
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

  private Tree toleration() {
    var toleration = new Tree();
    if (chance.percent(80)) {
      toleration.put("key", chance.one("dedicated", "spot", "node.kubernetes.io/unschedulable"));
    }
    if (!toleration.has("key") || chance.percent(35)) {
      toleration.put("operator", "Exists");
    } else {
      if (chance.percent(60)) {
        toleration.put("operator", "Equal");
      }
      if (chance.percent(60)) {
        toleration.put("value", chance.one("x", "y", "", "5"));
      }
    }
    if (chance.percent(50)) {
      toleration.put("effect", chance.one("NoSchedule", "NoExecute", "PreferNoSchedule"));
    }
    if (toleration.textOrEmpty("effect").equals("NoExecute") && chance.percent(50)) {
      toleration.put("tolerationSeconds", 30);
    }
    return toleration;
  }

  private void resources(Tree spec) {
    spec.put("containers", containers("c", 1, 4));
    if (chance.percent(45)) {
      spec.put("initContainers", containers("i", 1, 4));
      for (var each : spec.trees("initContainers")) {
        if (chance.percent(50)) {
          each.put("restartPolicy", "Always");
        }
      }
    }
    if (chance.percent(30)) {
      var level = new Tree();
      for (var name : chance.some(1, 3, "cpu", "memory", "hugepages-2Mi")) {
        level.put(
            name,
            switch (name) {
              case "cpu" -> chance.one("0", "1500m", "3", "0.1");
              case "memory" -> chance.one("0", "1Gi", "700M");
              default -> chance.one("4Mi", "64Mi");
            });
      }
      spec.put("resources", Tree.of("requests", level));
    } else {
      spec.remove("resources");
    }
    if (chance.percent(25)) {
      spec.put("overhead", amounts());
    }
  }

  private List<Object> containers(String prefix, int low, int high) {
    var list = chance.many(low, high, () -> Tree.of("name", "", "image", "app:1"));
    for (int i = 0; i < list.size(); i++) {
      var container = (Tree) list.get(i);
      container.put("name", prefix + i);
      if (chance.percent(85)) {
        container.put("resources", Tree.of("requests", amounts()));
      }
      if (chance.percent(8)) {
        container.put(
            "ports",
            List.of(
                Tree.of(
                    "containerPort",
                    80,
                    "hostPort",
                    80 + i,
                    "protocol",
                    chance.one("TCP", "SCTP"),
                    "hostIP",
                    chance.one("", "10.0.0.1", "::1"))));
      }
    }
    return list;
  }

  private Tree amounts() {
    var amounts = new Tree();
    if (chance.percent(70)) {
      amounts.put(
          "cpu", chance.one("0", "1m", "0.1", "100500u", "1e-1", "1", "2", "1001m", "333m"));
    }
    if (chance.percent(70)) {
      amounts.put(
          "memory",
          chance.one("0", "1", "100m", "1.5Gi", "300e6", "2G", "123456789", "0.5Ki", "3Gi"));
    }
    if (chance.percent(15)) {
      amounts.put("ephemeral-storage", chance.one("0", "1G", "1500m", "9Gi"));
    }
    if (chance.percent(12)) {
      amounts.put("example.com/foo", chance.one("0", "1", "2"));
    }
    if (chance.percent(12)) {
      amounts.put("example.com/bar", chance.one("0", "1", "3"));
    }
    if (chance.percent(8)) {
      amounts.put("hugepages-1Gi", chance.one("0", "1Gi", "2Gi"));
    }
    if (chance.percent(8)) {
      amounts.put("nvidia.com/gpu", chance.one("0", "1"));
    }
    return amounts;
  }

  private void pictures(Tree spec) {
    for (var kind : List.of("containers", "initContainers")) {
      for (var container : spec.trees(kind)) {
        container.put("image", picture());
      }
    }
    if (chance.percent(30)) {
      spec.childList("volumes")
          .add(Tree.of("name", "art", "image", Tree.of("reference", picture())));
    }
  }

  private String picture() {
    var name = chance.one("img-a", "img-b", "img-c", "reg:5000/img-d", "reg/img-e", "img-none");
    return name + chance.one("", ":latest", ":1", "@sha256:0000");
  }

  /// Gives a profile unusual arguments and orders of plug-ins.
  Tree configuration() {
    var profile = Tree.of("schedulerName", "default-scheduler");
    var args = new ArrayList<Tree>();
    if (chance.percent(50)) {
      args.add(Tree.of("name", "NodeResourcesFit", "args", fit()));
    }
    if (chance.percent(40)) {
      args.add(
          Tree.of(
              "name",
              "NodeResourcesBalancedAllocation",
              "args",
              Tree.of("resources", resources(1))));
    }
    if (chance.percent(40)) {
      args.add(Tree.of("name", "NodeAffinity", "args", Tree.of("addedAffinity", addedAffinity())));
    }
    if (chance.percent(30)) {
      args.add(
          Tree.of(
              "name",
              "InterPodAffinity",
              "args",
              Tree.of(
                  "hardPodAffinityWeight",
                  chance.between(0, 100),
                  "ignorePreferredTermsOfExistingPods",
                  chance.percent(50))));
    }
    profile.put("pluginConfig", args);
    if (chance.percent(60)) {
      profile.put("plugins", plugins());
    }
    return Tree.of(
        "apiVersion", "kubescheduler.config.k8s.io/v1",
        "kind", "KubeSchedulerConfiguration",
        "profiles", List.of(profile));
  }

  private Tree fit() {
    var type = chance.one("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio");
    var strategy = Tree.of("type", type, "resources", resources(100));
    if (type.startsWith("Requested")) {
      var shape = new ArrayList<Tree>();
      for (int at = chance.between(0, 40); at <= 100; at += chance.between(1, 50)) {
        shape.add(Tree.of("utilization", at, "score", chance.between(0, 10)));
      }
      strategy.put("requestedToCapacityRatio", Tree.of("shape", shape));
    }
    var fit = Tree.of("scoringStrategy", strategy);
    if (chance.percent(25)) {
      fit.put("ignoredResources", chance.some(1, 2, "example.com/foo", "nvidia.com/gpu"));
    }
    if (chance.percent(20)) {
      fit.put("ignoredResourceGroups", List.of("example.com"));
    }
    return fit;
  }

  private List<Tree> resources(int highest) {
    var resources = new ArrayList<Tree>();
    for (var name :
        chance.some(
            1,
            6,
            "cpu",
            "memory",
            "ephemeral-storage",
            "nvidia.com/gpu",
            "example.com/foo",
            "example.com/bar",
            "hugepages-1Gi",
            "hugepages-2Mi")) {
      resources.add(Tree.of("name", name, "weight", chance.between(1, highest)));
    }
    return resources;
  }

  private Tree addedAffinity() {
    var added = new Tree();
    if (chance.percent(60)) {
      added.put(
          "requiredDuringSchedulingIgnoredDuringExecution",
          Tree.of("nodeSelectorTerms", chance.many(1, 3, this::addedTerm)));
    }
    if (chance.percent(60)) {
      added.put(
          "preferredDuringSchedulingIgnoredDuringExecution",
          chance.many(
              1, 3, () -> Tree.of("weight", chance.between(1, 100), "preference", addedTerm())));
    }
    return added;
  }

  private Tree addedTerm() {
    return Tree.of(
        "matchExpressions",
        chance.many(
            1,
            2,
            () ->
                chance.percent(30)
                    ? Tree.of(
                        "key", "cores",
                        "operator", chance.one("Gt", "Lt"),
                        "values", List.of(chance.one("0", "4", "9")))
                    : Tree.of(
                        "key", chance.one("disk", "rack", RandomSelectors.ZONE),
                        "operator", chance.one("In", "NotIn"),
                        "values", chance.some(1, 2, "ssd", "k1", "a", "b"))));
  }

  private Tree plugins() {
    var plugins = new Tree();
    if (chance.percent(40)) {
      plugins.put(
          "filter",
          Tree.of(
              "enabled",
              chance
                  .some(
                      2,
                      6,
                      "InterPodAffinity",
                      "PodTopologySpread",
                      "NodeResourcesFit",
                      "NodeAffinity",
                      "TaintToleration",
                      "NodePorts",
                      "NodeUnschedulable")
                  .stream()
                  .map(name -> Tree.of("name", name))
                  .toList(),
              "disabled",
              List.of(Tree.of("name", "*"))));
    }
    if (chance.percent(50)) {
      plugins.put(
          "score",
          Tree.of(
              "enabled",
              chance
                  .some(
                      1,
                      5,
                      "InterPodAffinity",
                      "PodTopologySpread",
                      "NodeResourcesFit",
                      "NodeAffinity",
                      "TaintToleration",
                      "ImageLocality",
                      "NodeResourcesBalancedAllocation")
                  .stream()
                  .map(name ->
                      Tree.of(
                          "name",
                          name,
                          "weight",
                          chance.percent(90) ? chance.between(1, 100) : 30_000_000))
                  .toList(),
              "disabled",
              List.of(Tree.of("name", "*"))));
    }
    if (chance.percent(15)) {
      plugins.put(
          "postFilter",
          Tree.of("disabled", List.of(Tree.of("name", chance.one("DynamicResources", "*")))));
    }
    return plugins;
  }
}
