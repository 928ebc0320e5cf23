package io.berth.bench;

import io.berth.api.Tree;
import io.berth.codec.Json;

/// A cluster as `kubectl get -o json` prints it: nodes, pods with their status and owners, and a
/// pod that fits nowhere.
final class AnswersCluster {

  private static final int PER_NODE = 21;

  /// Pods of one ReplicaSet.
  private static final int REPLICAS = 50;

  private static final String STATUS =
      ("{'phase':'Running','hostIP':'10.0.0.1','podIP':'10.1.0.1','startTime':"
              + "'2026-01-01T00:00:00Z','qosClass':'Burstable','conditions':["
              + "{'type':'Ready','status':'True','lastTransitionTime':'2026-01-01T00:00:00Z'},"
              + "{'type':'PodScheduled','status':'True','lastTransitionTime':"
              + "'2026-01-01T00:00:00Z'}],'containerStatuses':[{'name':'c','ready':true,"
              + "'restartCount':0,'image':'registry.example.com/team/i:1','imageID':'sha256:%s',"
              + "'containerID':'containerd://%s','state':{'running':{'startedAt':"
              + "'2026-01-01T00:00:00Z'}}}]}")
          .formatted("0".repeat(64), "1".repeat(64));

  private final ExplainQuestion question;
  private final int nodes;
  private final StringBuilder items = new StringBuilder();

  AnswersCluster(ExplainQuestion question, int nodes) {
    this.question = question;
    this.nodes = nodes;
  }

  String json() {
    question.objects().forEach(this::add);
    int pods = 0;
    for (int i = 0; i < nodes; i++) {
      var node = BenchCluster.node(i, "zone" + i % 3).put("spec", json(question.nodeSpec()));
      add(typed(node, "Node"));
      question.objectsOf(i).forEach(this::add);
      for (int p = 0; p < PER_NODE + i % 3 - 1; p++) {
        question.objectsOf(i, p).forEach(this::add);
        addRunning(i, p, pods / REPLICAS);
        pods++;
      }
    }
    for (int i = 0; i <= pods / REPLICAS; i++) {
      add(
          typed(
              json("{'metadata':{'namespace':'default','name':'rs-%d'}}".formatted(i)),
              "ReplicaSet"));
    }
    add(typed(json(question.askedPod()), "Pod"));
    add(typed(json(MORE), "Pod"));
    return "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n" + items + "]}\n";
  }

  private static final String MORE =
      "{'metadata':{'namespace':'default','name':'more','labels':{'app':'more'}},'spec':"
          + "{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'100m'}}}],"
          + "'tolerations':[{'operator':'Exists'}]}}";

  private void addRunning(int node, int number, int set) {
    var pod = json(question.runningPod(node, number));
    pod.child("metadata")
        .put("uid", "u-%d-%d".formatted(node, number))
        .put(
            "ownerReferences",
            json("{'o':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'rs-%d','uid':'r-%d',"
                        .formatted(set, set)
                    + "'controller':true}]}")
                .get("o"));
    pod.child("spec").put("nodeName", BenchCluster.nodeName(node));
    add(typed(pod.put("status", json(STATUS)), "Pod"));
  }

  private static Tree typed(Tree object, String kind) {
    return object.put("apiVersion", kind.equals("ReplicaSet") ? "apps/v1" : "v1").put("kind", kind);
  }

  private void add(String object) {
    add(json(object).put("apiVersion", "v1"));
  }

  private void add(Tree object) {
    items.append(items.isEmpty() ? "" : ",\n").append(Json.text(object));
  }

  private static Tree json(String text) {
    return Json.read(text.replace('\'', '"'));
  }
}
