package io.berth.conformance.random;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Random pods as an API server stores them.
final class RandomPods {

  private final Chance chance;
  private final RandomSelectors selectors;
  private final Theme theme;
  private int serial;
  private int clock;

  RandomPods(Chance chance, RandomSelectors selectors, Theme theme) {
    this.chance = chance;
    this.selectors = selectors;
    this.theme = theme;
  }

  Tree pending() {
    return pod("p" + serial++);
  }

  /// A pod that runs on a node; it may be terminating or in the middle of a resize.
  Tree running(String node) {
    var pod = pod("p" + serial++);
    pod.child("spec").put("nodeName", node);
    pod.child("status").put("startTime", startTime());
    if (chance.percent(8)) {
      pod.child("metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
      if (chance.percent(50)) {
        condition(pod, "DisruptionTarget", "PreemptionByScheduler");
      }
    }
    if (theme.resize() && chance.percent(30)) {
      resize(pod);
    }
    return pod;
  }

  String startTime() {
    clock += chance.between(1, 30);
    return java.time.Instant.parse("2026-01-01T00:00:00Z").plusSeconds(clock).toString();
  }

  private Tree pod(String name) {
    var labels = selectors.podLabels();
    var pod =
        Tree.of(
            "metadata",
            Tree.of(
                "name", name, "namespace", chance.one(RandomCases.NAMESPACES), "labels", labels));
    if (labels.isEmpty()) {
      pod.child("metadata").remove("labels");
    }
    owner(pod);
    var spec = pod.child("spec");
    spec.put("containers", containers("c", 1, 2));
    if (chance.percent(15)) {
      spec.put("initContainers", initContainers());
    }
    spec.put("priority", theme.priorities() ? chance.one(0, 0, 5, 10, 100, -5) : 0);
    spec.put("preemptionPolicy", chance.percent(6) ? "Never" : "PreemptLowerPriority");
    resources(spec);
    node(spec);
    affinity(spec, labels);
    spread(spec, labels);
    tolerations(spec);
    volumes(spec);
    return pod;
  }

  private void owner(Tree pod) {
    if (!theme.defaultSpread() || !chance.percent(50)) {
      return;
    }
    var kind = chance.one("ReplicaSet", "StatefulSet");
    pod.child("metadata")
        .put(
            "ownerReferences",
            List.of(
                Tree.of(
                    "apiVersion",
                    "apps/v1",
                    "kind",
                    kind,
                    "name",
                    kind.equals("ReplicaSet") ? "own-a" : "own-b",
                    "uid",
                    "u",
                    "controller",
                    true)));
  }

  private List<Object> containers(String prefix, int low, int high) {
    var list = chance.many(low, high, this::container);
    for (int i = 0; i < list.size(); i++) {
      ((Tree) list.get(i)).put("name", prefix + i);
    }
    return list;
  }

  private List<Object> initContainers() {
    var list = containers("i", 1, 2);
    for (var each : list) {
      if (chance.percent(40)) {
        ((Tree) each).put("restartPolicy", "Always");
      }
    }
    return list;
  }

  private Tree container() {
    var container = Tree.of("name", "", "image", image());
    var requests = requests();
    if (!requests.isEmpty()) {
      container.put("resources", Tree.of("requests", requests));
    }
    if (theme.ports() && chance.percent(35)) {
      container.put("ports", chance.many(1, 2, this::port));
    }
    return container;
  }

  private String image() {
    return theme.images()
        ? chance.one("img-a:1", "img-b:2", "img-c", "img-d:1", "img-e@sha256:1", "img-x:9")
        : "app:1";
  }

  private Tree requests() {
    var requests = new Tree();
    if (chance.percent(80)) {
      requests.put("cpu", chance.one("100m", "250m", "500m", "500m", "1", "1001m", "2", "0", "3"));
    }
    if (chance.percent(70)) {
      requests.put("memory", chance.one("64Mi", "129M", "512Mi", "1Gi", "3Gi", "0", "1500k"));
    }
    if (chance.percent(5)) {
      requests.put("ephemeral-storage", chance.one("1Gi", "5Gi", "20Gi"));
    }
    if (chance.percent(4)) {
      requests.put("nvidia.com/gpu", chance.one("1", "2", "0"));
    }
    if (chance.percent(2)) {
      requests.put("example.com/foo", chance.one("1", "3"));
    }
    if (chance.percent(2)) {
      requests.put("hugepages-2Mi", chance.one("2Mi", "64Mi"));
    }
    return requests;
  }

  private Tree port() {
    var port = Tree.of("containerPort", 80, "protocol", chance.one("TCP", "TCP", "UDP"));
    if (chance.percent(85)) {
      port.put("hostPort", chance.one(80, 443, 8080));
    }
    if (chance.percent(30)) {
      port.put("hostIP", chance.one("0.0.0.0", "10.0.0.1", "10.0.0.2", "127.0.0.1", "::"));
    }
    return port;
  }

  private void resources(Tree spec) {
    if (chance.percent(10)) {
      spec.put("overhead", Tree.of("cpu", "250m", "memory", "64Mi"));
      if (chance.percent(50)) {
        spec.child("overhead").remove(chance.one("cpu", "memory"));
      }
    }
    if (theme.resize() && chance.percent(20)) {
      var requests = new Tree();
      if (chance.percent(70)) {
        requests.put("cpu", chance.one("1", "2", "250m"));
      }
      if (chance.percent(70)) {
        requests.put("memory", chance.one("1Gi", "512Mi"));
      }
      spec.put("resources", Tree.of("requests", requests));
    }
  }

  private void node(Tree spec) {
    if (chance.percent(10)) {
      var selector = spec.child("nodeSelector");
      selector.put(chance.one("disk", "rack"), chance.one("ssd", "k1"));
    }
    if (chance.percent(theme.nodeAffinity() ? 50 : 6)) {
      spec.child("affinity")
          .child("nodeAffinity")
          .put("requiredDuringSchedulingIgnoredDuringExecution", selectors.nodeSelectorTerms());
    }
    if (chance.percent(theme.nodeAffinity() ? 50 : 6)) {
      spec.child("affinity")
          .child("nodeAffinity")
          .put(
              "preferredDuringSchedulingIgnoredDuringExecution",
              chance.many(1, 3, selectors::preferredNodeTerm));
    }
  }

  private void affinity(Tree spec, Tree labels) {
    int often = theme.podAffinity() ? 35 : 4;
    for (var kind : List.of("podAffinity", "podAntiAffinity")) {
      if (chance.percent(often)) {
        spec.child("affinity")
            .child(kind)
            .put(
                "requiredDuringSchedulingIgnoredDuringExecution",
                chance.many(1, 2, () -> term(labels)));
      }
      if (chance.percent(often)) {
        spec.child("affinity")
            .child(kind)
            .put(
                "preferredDuringSchedulingIgnoredDuringExecution",
                chance.many(
                    1,
                    2,
                    () ->
                        Tree.of(
                            "weight",
                            chance.one(1, 10, 50, 100),
                            "podAffinityTerm",
                            term(labels))));
      }
    }
  }

  private Tree term(Tree labels) {
    var term = Tree.of("topologyKey", selectors.topologyKey());
    if (chance.percent(95)) {
      term.put("labelSelector", selectors.labelSelector());
    }
    if (chance.percent(25)) {
      term.put("namespaces", chance.some(1, 2, RandomCases.NAMESPACES));
    }
    if (chance.percent(20)) {
      term.put("namespaceSelector", selectors.namespaceSelector());
    }
    selectors.mergeLabelKeys(term, labels);
    return term;
  }

  private void spread(Tree spec, Tree labels) {
    if (!chance.percent(theme.spread() ? 60 : 4)) {
      return;
    }
    var keys = chance.some(1, 3, RandomSelectors.HOSTNAME, RandomSelectors.ZONE, "rack");
    var constraints = new ArrayList<Tree>();
    for (var key : keys) {
      boolean hard = chance.percent(50);
      var constraint =
          Tree.of(
              "topologyKey",
              key,
              "maxSkew",
              chance.one(1, 1, 2, 3, 5),
              "whenUnsatisfiable",
              hard ? "DoNotSchedule" : "ScheduleAnyway");
      if (chance.percent(95)) {
        constraint.put("labelSelector", selectors.labelSelector());
      }
      if (hard && chance.percent(25)) {
        constraint.put("minDomains", chance.between(1, 4));
      }
      if (chance.percent(30)) {
        constraint.put("nodeAffinityPolicy", chance.one("Honor", "Ignore"));
      }
      if (chance.percent(30)) {
        constraint.put("nodeTaintsPolicy", chance.one("Honor", "Ignore"));
      }
      selectors.mergeLabelKeys(constraint, labels);
      constraint.remove("mismatchLabelKeys");
      constraints.add(constraint);
    }
    spec.put("topologySpreadConstraints", constraints);
  }

  private void tolerations(Tree spec) {
    if (!chance.percent(theme.taints() ? 60 : 10)) {
      return;
    }
    spec.put(
        "tolerations",
        chance.many(
            1,
            3,
            () -> {
              var toleration = new Tree();
              if (chance.percent(85)) {
                toleration.put(
                    "key", chance.one("dedicated", "spot", "node.kubernetes.io/unschedulable"));
              }
              if (!toleration.has("key") || chance.percent(40)) {
                toleration.put("operator", "Exists");
              } else if (chance.percent(60)) {
                toleration.put("value", chance.one("x", "y"));
              }
              if (chance.percent(60)) {
                toleration.put("effect", chance.one("NoSchedule", "NoExecute", "PreferNoSchedule"));
              }
              return toleration;
            }));
  }

  private void volumes(Tree spec) {
    if (theme.volumes() && chance.percent(60)) {
      spec.put("volumes", chance.many(1, 2, this::volume));
    }
  }

  private Tree volume() {
    var id = chance.one("v1", "v2", "v3");
    boolean readOnly = chance.percent(50);
    return switch (chance.between(0, 4)) {
      case 0 ->
          Tree.of("name", "v", "gcePersistentDisk", Tree.of("pdName", id, "readOnly", readOnly));
      case 1 -> Tree.of("name", "v", "awsElasticBlockStore", Tree.of("volumeID", id));
      case 2 ->
          Tree.of(
              "name",
              "v",
              "iscsi",
              Tree.of("iqn", id, "targetPortal", "t", "lun", 0, "readOnly", readOnly));
      case 3 ->
          Tree.of(
              "name",
              "v",
              "rbd",
              Tree.of(
                  "monitors",
                  chance.some(1, 2, "m1", "m2", "m3"),
                  "pool",
                  chance.one("rbd", "other"),
                  "image",
                  id,
                  "readOnly",
                  readOnly));
      default -> Tree.of("name", "v", "emptyDir", new Tree());
    };
  }

  private void resize(Tree pod) {
    var statuses = new ArrayList<Tree>();
    for (var container : pod.trees("spec", "containers")) {
      if (chance.percent(70)) {
        var status = Tree.of("name", container.get("name"));
        if (chance.percent(80)) {
          status.put("allocatedResources", resized());
        }
        if (chance.percent(50)) {
          status.put("resources", Tree.of("requests", resized()));
        }
        statuses.add(status);
      }
    }
    if (!statuses.isEmpty()) {
      pod.child("status").put("containerStatuses", statuses);
    }
    if (chance.percent(40)) {
      condition(pod, "PodResizePending", chance.one("Infeasible", "Deferred"));
    }
  }

  private Tree resized() {
    return Tree.of(
        "cpu", chance.one("100m", "1", "2", "3"), "memory", chance.one("64Mi", "1Gi", "2Gi"));
  }

  private static void condition(Tree pod, String type, String reason) {
    pod.child("status")
        .childList("conditions")
        .add(Tree.of("type", type, "status", "True", "reason", reason));
  }
}
