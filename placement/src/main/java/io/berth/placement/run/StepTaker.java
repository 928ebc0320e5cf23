package io.berth.placement.run;

import io.berth.answers.plan.NodeChoice;
import io.berth.answers.plan.PlanStep;
import io.berth.answers.plan.PlanStepException;
import io.berth.answers.source.Manifest;
import io.berth.api.ApiException;
import io.berth.api.ObjectReference;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import io.berth.controllers.kubelet.NodeFleet;
import io.berth.placement.virtual.VirtualCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Takes steps on a cluster; each ends when the cluster is at rest.
public final class StepTaker {

  private static final String FAILURE = "berth.io/failure";

  /// A node is doubted, and then given up, well within.
  private static final Duration NOTICED_WITHIN = Duration.ofMinutes(5);

  private static final Duration LOOK = Duration.ofSeconds(5);

  private final VirtualCluster cluster;

  public StepTaker(VirtualCluster cluster) {
    this.cluster = cluster;
  }

  /// Throws [PlanStepException] when the step speaks of what is not there, and [ApiException] when
  /// the API refuses.
  public void take(PlanStep step) {
    switch (step) {
      case PlanStep.Apply(var manifests) -> manifests.forEach(this::apply);
      case PlanStep.AddNodes(var manifests) -> manifests.forEach(this::addNodes);
      case PlanStep.AddPod(var pod) -> apply(pod);
      case PlanStep.Delete(var object) -> delete(object);
      case PlanStep.Scale(var object, long replicas) ->
          patch(object, Tree.of("spec", Tree.of("replicas", replicas)));
      case PlanStep.Lose(var nodes) -> lose(nodes(nodes));
      case PlanStep.Drain(var nodes) -> new Evacuation(cluster).drain(nodes(nodes));
      case PlanStep.Cordon(var nodes, boolean closed) ->
          nodes(nodes).forEach(node -> cordon(node, closed));
      case PlanStep.Relabel change -> relabel(change);
      case PlanStep.Retaint change -> retaint(change);
      case PlanStep.Passes(var time) -> cluster.pass(time);
    }
    cluster.rest();
  }

  void apply(Manifest manifest) {
    try {
      if (manifest.kind().equals("Node")) {
        addNodes(manifest);
      } else {
        cluster.apply(manifest.tree());
      }
    } catch (ApiException e) {
      throw new PlanStepException("%s: %s".formatted(manifest, e.getMessage()));
    }
  }

  private void addNodes(Manifest manifest) {
    var nodes =
        manifest.kind().equals("NodeFleet")
            ? NodeFleet.of(manifest.tree()).nodes()
            : List.of(manifest.tree());
    for (var node : nodes) {
      cluster.call(api -> api.create(Resource.NODES, node));
    }
  }

  private void delete(ObjectReference object) {
    var resource = cluster.resourceOf(object.kind());
    fetch(object);
    cluster.call(api -> {
      api.delete(
          resource, object.namespace(), object.name(), new DeleteOptions(-1, null, "Background"));
      return true;
    });
  }

  private void patch(ObjectReference object, Tree patch) {
    var resource = cluster.resourceOf(object.kind());
    fetch(object);
    cluster.call(api ->
        api.patch(resource, object.namespace(), object.name(), null, PatchType.MERGE, patch));
  }

  private Tree fetch(ObjectReference object) {
    try {
      return cluster
          .api()
          .fetch(cluster.resourceOf(object.kind()), object.namespace(), object.name());
    } catch (ApiException e) {
      throw e.is("NotFound")
          ? new PlanStepException("there is no %s %s".formatted(object.kind(), object.key()))
          : e;
    }
  }

  /// Goes on until everybody knows: what follows from it is due from then on.
  private void lose(List<String> names) {
    for (var name : names) {
      patch(
          ObjectReference.node(name),
          Tree.of("metadata", Tree.of("annotations", Tree.of(FAILURE, "partition"))));
    }
    var end = cluster.now().plus(NOTICED_WITHIN);
    while (cluster.now().isBefore(end) && names.stream().anyMatch(this::isReady)) {
      cluster.pass(LOOK);
    }
  }

  private boolean isReady(String name) {
    return fetch(ObjectReference.node(name)).trees("status", "conditions").stream()
        .anyMatch(condition ->
            condition.textOrEmpty("type").equals("Ready")
                && condition.textOrEmpty("status").equals("True"));
  }

  private void cordon(String node, boolean closed) {
    patch(
        ObjectReference.node(node),
        Tree.of("spec", Tree.of("unschedulable", closed ? true : null)));
  }

  private void relabel(PlanStep.Relabel change) {
    var labels = new Tree();
    change.remove().forEach(key -> labels.put(key, null));
    change.set().forEach(labels::put);
    patch(ObjectReference.node(change.node()), Tree.of("metadata", Tree.of("labels", labels)));
  }

  private void retaint(PlanStep.Retaint change) {
    var taints = new ArrayList<Tree>();
    for (var taint : fetch(ObjectReference.node(change.node())).trees("spec", "taints")) {
      if (!isRemoved(taint, change) && !isReplaced(taint, change)) {
        taints.add(taint.copy());
      }
    }
    change.set().forEach(taint -> taints.add(taint.copy()));
    patch(ObjectReference.node(change.node()), Tree.of("spec", Tree.of("taints", taints)));
  }

  private static boolean isRemoved(Tree taint, PlanStep.Retaint change) {
    var key = taint.textOrEmpty("key");
    return change.remove().contains(key)
        || change.remove().contains(key + ":" + taint.textOrEmpty("effect"));
  }

  private static boolean isReplaced(Tree taint, PlanStep.Retaint change) {
    return change.set().stream()
        .anyMatch(other ->
            other.textOrEmpty("key").equals(taint.textOrEmpty("key"))
                && other.textOrEmpty("effect").equals(taint.textOrEmpty("effect")));
  }

  private List<String> nodes(NodeChoice choice) {
    var names = new ArrayList<String>();
    for (var node : cluster.api().list(Resource.NODES, "", Selection.ALL).items()) {
      if (choice.means(node.textOrEmpty("metadata", "name"), node.texts("metadata", "labels"))) {
        names.add(node.textOrEmpty("metadata", "name"));
      }
    }
    if (names.isEmpty()) {
      throw new PlanStepException("no node is meant by " + choice);
    }
    return names;
  }
}
