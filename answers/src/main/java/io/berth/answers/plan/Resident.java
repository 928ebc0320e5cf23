package io.berth.answers.plan;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.PodStatus;
import io.berth.api.Tree;
import io.berth.api.Volume;
import io.berth.codec.PodReader;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A pod of an imagined cluster, and which pod of the real one it is or stands for.
///
/// @param lineage the same for a pod and those made in its place
/// @param first the pod of this lineage that there was at the beginning, `null` if there was none
/// @param owner where a change of it has to be made to last
/// @param like the pod of the survey that it is, or is made like
record Resident(
    int lineage,
    @Nullable Pod first,
    ObjectReference owner,
    Pod pod,
    SurveyedPod like,
    boolean leftOver)
    implements SurveyedPod {

  private static final List<String> FROM_ITS_NODE =
      List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

  String key() {
    return pod.key();
  }

  String node() {
    return pod.nodeName();
  }

  @Override
  public boolean isWaiting() {
    return pod.nodeName().isEmpty();
  }

  /// The kind of who made it, `""` if nobody did.
  String madeBy() {
    return pod.controller() == null ? "" : pod.controller().kind();
  }

  boolean isDaemon() {
    return madeBy().equals("DaemonSet");
  }

  /// Whether somebody makes another when it goes. Daemons go with their node, and static pods
  /// belong to it.
  boolean isRemade() {
    return !madeBy().isEmpty() && !isDaemon() && !madeBy().equals("Node");
  }

  Resident on(String node) {
    return new Resident(lineage, first, owner, pod.withNodeName(node), like, leftOver);
  }

  /// On its way out, and no longer counted as one of its kind.
  Resident ending() {
    return new Resident(lineage, first, owner, pod.withTerminating(true), like, true);
  }

  /// Another of its kind that waits for a node.
  Resident another(String name, int newLineage) {
    return new Resident(newLineage, null, owner, waiting(name), like, false);
  }

  /// The one that is made in its place.
  Resident remade(String name) {
    return new Resident(lineage, first, owner, waiting(name), like, false);
  }

  /// Without what it got from its node and its life. What is asked for stays the very same object:
  /// pods of a kind are known by it.
  private Pod waiting(String name) {
    var again =
        pod.withName(name).withNodeName("").withStatus(PodStatus.NONE).withTerminating(false);
    boolean labelled = FROM_ITS_NODE.stream().anyMatch(pod.labels()::containsKey);
    if (!node().isEmpty() && labelled) {
      var labels = new HashMap<>(pod.labels());
      labels.keySet().removeAll(FROM_ITS_NODE);
      again = again.withLabels(labels);
    }
    // Claims of its own are named after the pod.
    boolean named =
        pod.spec().volumes().stream()
            .anyMatch(each -> each instanceof Volume.Claim claim && claim.ephemeral());
    return named ? PodReader.read(written(again)) : again;
  }

  /// The object it would be.
  @Override
  public Tree tree() {
    return pod.equals(like.pod()) ? like.tree() : written(pod);
  }

  @Override
  public Manifest source() {
    return Manifest.ofCluster(tree());
  }

  @Override
  public boolean isOfTemplate() {
    return false;
  }

  private Tree written(Pod as) {
    var tree = like.tree().copy();
    var meta = tree.child("metadata");
    meta.put("name", as.name()).put("uid", as.uid());
    if (as.status().equals(PodStatus.NONE)) {
      tree.remove("status");
    }
    if (meta.has("labels")) {
      meta.put("labels", Tree.ofMap(as.labels()));
    }
    meta.remove("deletionTimestamp");
    if (as.terminating()) {
      meta.put("deletionTimestamp", "1970-01-01T00:00:00Z");
    }
    tree.child("spec").remove("nodeName");
    if (!as.nodeName().isEmpty()) {
      tree.child("spec").put("nodeName", as.nodeName());
    }
    return tree;
  }
}
