package io.berth.junit;

import io.berth.api.Tree;
import java.util.List;
import java.util.Map;

/// Pods with some labels, and what may be asserted of them. Each assertion looks at the cluster as
/// it is then, fails if there is no such pod, and says why pods wait.
public final class PodSet {

  private final TestCluster cluster;
  private final Map<String, String> labels;

  PodSet(TestCluster cluster, Map<String, String> labels) {
    this.cluster = cluster;
    this.labels = Map.copyOf(labels);
  }

  /// Reads as a sentence: `assertThat(pods).areApartBy("kubernetes.io/hostname")`.
  public static PodSet assertThat(PodSet pods) {
    return pods;
  }

  /// Every one has a node.
  public PodSet arePlaced() {
    return holds("placed", new Tree());
  }

  /// No two share a value of this label of nodes.
  public PodSet areApartBy(String label) {
    return holds("apart", Tree.of("by", label));
  }

  /// All share a value of this label of nodes.
  public PodSet areTogetherBy(String label) {
    return holds("together", Tree.of("by", label));
  }

  /// Most minus least by this label of nodes is at most that.
  public PodSet haveSkew(String label, int atMost) {
    return holds("skew", Tree.of("by", label, "atMost", (long) atMost));
  }

  /// None is on a node with these labels.
  public PodSet areNeverOn(Map<String, String> nodeLabels) {
    return holds("never", Tree.of("on", Tree.ofMap(nodeLabels)));
  }

  /// Every one waits because of this rule.
  public PodSet arePendingBecauseOf(String rule) {
    return holds("pending", Tree.of("because", rule));
  }

  /// Their nodes, `""` for one that waits, in the order of the pods' names.
  public List<String> nodes() {
    return cluster.places(labels).stream().map(Map.Entry::getValue).toList();
  }

  private PodSet holds(String check, Tree fields) {
    cluster.judge(Tree.of(check, fields.put("pods", Tree.ofMap(labels))));
    return this;
  }
}
