package io.berth.answers.plan;

import io.berth.answers.source.Manifest;
import io.berth.api.Node;
import io.berth.api.Taint;
import io.berth.engine.rule.NodeMatcher;

/// One pod of every DaemonSet on every node it is for: they come and go with labels and taints.
final class Daemons {

  private static final String BY_KUBERNETES = "node.kubernetes.io/";

  private final ImaginedCluster cluster;

  Daemons(ImaginedCluster cluster) {
    this.cluster = cluster;
  }

  void settle() {
    for (var manifest : cluster.manifests()) {
      if (manifest.kind().equals("DaemonSet") && manifest.template().isPresent()) {
        settle(manifest);
      }
    }
  }

  private void settle(Manifest set) {
    var pods = cluster.podsOf(set.reference());
    for (var pod : pods) {
      var node = cluster.findNode(pod.node()).orElse(null);
      if (node == null || !isFor(pod, node)) {
        cluster.vanish(pod);
      }
    }
    var nodes = cluster.podsOf(set.reference()).stream().map(Resident::node).toList();
    for (var node : cluster.nodes()) {
      var pod = new Owners(cluster).ofTemplate(set, cluster.survey());
      if (!nodes.contains(node.name())
          && isFor(pod, node)
          && cluster.fits(pod.pod(), node.name())) {
        cluster.addNew(pod);
        cluster.place(pod, node.name());
      }
    }
  }

  // What Kubernetes puts on nodes by itself daemons tolerate.
  private static boolean isFor(Resident pod, Node node) {
    return labelsMatch(pod, node)
        && node.taints().stream()
            .filter(taint -> taint.repels() && !taint.key().startsWith(BY_KUBERNETES))
            .allMatch((Taint taint) -> pod.pod().spec().tolerates(taint));
  }

  private static boolean labelsMatch(Resident pod, Node node) {
    return NodeMatcher.required(pod.pod().spec()).matches(node);
  }
}
