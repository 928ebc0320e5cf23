package io.berth.answers.plan;

import io.berth.answers.source.Manifest;
import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.Taint;
import io.berth.engine.rule.NodeMatcher;
import java.util.HashSet;
import java.util.List;

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
    var served = new HashSet<String>();
    for (var pod : cluster.podsOf(set.reference())) {
      var node = cluster.findNode(pod.node()).orElse(null);
      if (node == null || !isFor(pod.pod(), node)) {
        cluster.vanish(pod);
      } else {
        served.add(pod.node());
      }
    }
    var sample = cluster.survey().podOf(set, set.name()).pod();
    for (var node : List.copyOf(cluster.nodes())) {
      if (!served.contains(node.name())
          && isFor(sample, node)
          && cluster.fits(sample, node.name())) {
        var pod = new Owners(cluster).ofTemplate(set, cluster.survey());
        cluster.addNew(pod);
        cluster.place(pod, node.name());
      }
    }
  }

  // What Kubernetes puts on nodes by itself daemons tolerate.
  private static boolean isFor(Pod pod, Node node) {
    return NodeMatcher.required(pod.spec()).matches(node)
        && node.taints().stream()
            .filter(taint -> taint.repels() && !taint.key().startsWith(BY_KUBERNETES))
            .allMatch((Taint taint) -> pod.spec().tolerates(taint));
  }
}
