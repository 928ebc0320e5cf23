package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Node;
import io.berth.api.ObjectReference;
import io.berth.engine.model.ClusterModel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Nodes of a cluster that grows and shrinks have ever new names.
class TopologyTest {

  private static final String HOST = "kubernetes.io/hostname";

  private final ClusterModel cluster = new ClusterModel();

  @Test
  void forgetsTheDomainsOfNodesThatAreGone() {
    var topology = cluster.topology(HOST);
    for (int i = 0; i < 1_000; i++) {
      cluster.put(node("n" + i, "host-" + i));
      cluster.remove(ObjectReference.node("n" + (i - 3)));
    }

    assertThat(topology.domainCount()).isLessThan(6);
    int last = cluster.nodes().find("n999");
    assertThat(topology.value(topology.domainOf(last))).isEqualTo("host-999");
    assertThat(topology.isShared()).isFalse();
  }

  @Test
  void tellsEmptyValuesWhileThereAreAny() {
    var topology = cluster.topology(HOST);
    cluster.put(node("a", ""));
    int empty = topology.emptyDomain();
    cluster.put(node("a", "x"));
    cluster.put(node("b", "y"));

    assertThat(empty).isNotNegative();
    assertThat(topology.emptyDomain()).isNegative();
  }

  private static Node node(String name, String host) {
    return new Node(name, Map.of(HOST, host), false, List.of(), Map.of(), List.of(), List.of());
  }
}
