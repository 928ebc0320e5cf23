package io.berth.app;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// A namespace, nodes of its own, and a pod that no node takes, of an owner of some kind: drawn by
/// a seed.
final class StuckPod {

  private static final List<String> OWNERS =
      List.of("Pod", "Deployment", "StatefulSet", "ReplicaSet", "Job");

  private final Random random;
  private final String name;
  private final String owner;
  private final String trouble;
  private final Map<Resource, List<Tree>> objects = new LinkedHashMap<>();
  private final List<String> nodes = new ArrayList<>();

  private static final List<String> TROUBLES =
      List.of(
          "cpu",
          "taint",
          "cordon",
          "label",
          "expression",
          "company",
          "avoided",
          "shunned",
          "spread",
          "port",
          "room");

  StuckPod(long seed) {
    this.random = new Random(seed * 7919);
    this.name = "case-" + seed;
    this.trouble = TROUBLES.get((int) (seed % TROUBLES.size()));
    this.owner = OWNERS.get(random.nextInt(OWNERS.size()));
    add(
        Resource.NAMESPACES,
        "{kind: Namespace, apiVersion: v1, metadata: {name: %s}}".formatted(name));
    for (int i = 0; i < 2 + random.nextInt(2); i++) {
      addNode(i);
    }
    if (List.of("avoided", "shunned", "port", "room", "spread").contains(trouble)) {
      addRunning();
    }
    addOwner();
  }

  String namespace() {
    return name;
  }

  List<String> nodes() {
    return nodes;
  }

  Map<Resource, List<Tree>> objects() {
    return objects;
  }

  @Override
  public String toString() {
    return "%s of a %s".formatted(trouble, owner);
  }

  private void addNode(int number) {
    var node = name + "-" + number;
    nodes.add(node);
    var spec =
        switch (trouble) {
          case "taint" -> "{taints: [{key: team, value: red, effect: NoSchedule}]}";
          case "cordon" -> "{unschedulable: true}";
          // Closed nodes are domains all the same.
          case "spread" -> number > 0 ? "{unschedulable: true}" : "{}";
          default -> "{}";
        };
    add(
        Resource.NODES,
        """
        {kind: Node, apiVersion: v1, metadata: {name: %1$s, labels: {
           kubernetes.io/hostname: %1$s, case: %2$s, zone: z%3$d, disk: hdd}},
         spec: %4$s, status: {capacity: {cpu: "4", memory: 8Gi, pods: "20"},
           allocatable: {cpu: "4", memory: 8Gi, pods: "20"},
           conditions: [{type: Ready, status: "True"}]}}
        """
            .formatted(node, name, number, spec));
  }

  /// On every node one pod that is in the way.
  private void addRunning() {
    for (int i = 0; i < nodes.size(); i++) {
      boolean counts = !trouble.equals("spread") || i == 0;
      var spec =
          switch (trouble) {
            case "shunned" -> ", affinity: {podAntiAffinity: " + term("stuck", "yes") + "}";
            default -> "";
          };
      var port = trouble.equals("port") ? ", ports: [{containerPort: 80, hostPort: 8080}]" : "";
      add(
          Resource.PODS,
          """
          {kind: Pod, apiVersion: v1, metadata: {namespace: %1$s, name: there-%2$d, labels: {there: "%3$s"}},
           spec: {nodeName: %4$s, containers: [{name: c, image: x%5$s,
             resources: {requests: {cpu: "%6$s"}}}]%7$s}}
          """
              .formatted(
                  name,
                  i,
                  counts ? "yes" : "no",
                  nodes.get(i),
                  port,
                  trouble.equals("room") ? "3" : "100m",
                  spec));
    }
  }

  private void addOwner() {
    var spec = spec();
    var labels = "{stuck: \"yes\"%s}".formatted(trouble.equals("spread") ? ", there: \"yes\"" : "");
    if (owner.equals("Pod")) {
      add(
          Resource.PODS,
          "{kind: Pod, apiVersion: v1, metadata: {namespace: %s, name: web, labels: %s}, spec: %s}"
              .formatted(name, labels, spec));
      return;
    }
    var selector = owner.equals("Job") ? "" : "selector: {matchLabels: {stuck: \"yes\"}}, ";
    var service = owner.equals("StatefulSet") ? "serviceName: web, " : "";
    add(
        resource(),
        """
        {kind: %s, apiVersion: %s, metadata: {namespace: %s, name: web},
         spec: {%s%stemplate: {metadata: {labels: %s}, spec: %s}}}
        """
            .formatted(
                owner,
                owner.equals("Job") ? "batch/v1" : "apps/v1",
                name,
                selector,
                service,
                labels,
                spec));
  }

  private Resource resource() {
    return switch (owner) {
      case "Deployment" -> Resource.DEPLOYMENTS;
      case "StatefulSet" -> Resource.STATEFUL_SETS;
      case "ReplicaSet" -> Resource.REPLICA_SETS;
      default -> Resource.JOBS;
    };
  }

  private String spec() {
    var cpu = trouble.equals("cpu") ? "6" : trouble.equals("room") ? "2" : "200m";
    var port = trouble.equals("port") ? ", ports: [{containerPort: 80, hostPort: 8080}]" : "";
    var rest =
        switch (trouble) {
          case "label" -> ", nodeSelector: {case: %s, disk: ssd}".formatted(name);
          case "expression" ->
              ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                  + " {nodeSelectorTerms: [{matchExpressions: [{key: case, operator: In, values: [%s]},"
                      .formatted(name)
                  + " {key: disk, operator: In, values: [ssd]}]}]}}}";
          case "company" -> ", affinity: {podAffinity: " + term("absent", "yes") + "}";
          case "avoided" -> ", affinity: {podAntiAffinity: " + term("there", "yes") + "}";
          case "spread" ->
              ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable:"
                  + " DoNotSchedule, labelSelector: {matchLabels: {there: \"yes\"}}}]";
          default -> "";
        };
    var own = rest.contains("nodeSelector") ? "" : ", nodeSelector: {case: %s}".formatted(name);
    var restart = owner.equals("Job") ? ", restartPolicy: Never" : "";
    return "{containers: [{name: c, image: x%s, resources: {requests: {cpu: \"%s\"}}}]%s%s%s}"
        .formatted(port, cpu, rest, own, restart);
  }

  private static String term(String key, String value) {
    return ("{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
            + " kubernetes.io/hostname, labelSelector: {matchLabels: {%s: \"%s\"}}}]}")
        .formatted(key, value);
  }

  private void add(Resource resource, String yaml) {
    objects.computeIfAbsent(resource, _ -> new ArrayList<>()).add(Yaml.read(yaml));
  }
}
