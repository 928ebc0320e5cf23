package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Undo;
import org.junit.jupiter.api.Test;

/// What-if questions are asked for as long as a process runs: none may leave anything behind.
class UndoTest {

  private final RandomCluster random = new RandomCluster(5);
  private final ClusterModel cluster = new ClusterModel();

  @Test
  void leavesNoIndexesAndNumbersBehind() {
    cluster.put(random.node("a"));
    cluster.put(random.running("p").withNodeName("a"));
    for (int i = 0; i < 10_000; i++) {
      var added = put(random.node("new-" + i));
      var pod = put(random.running("p-" + i).withNodeName("new-" + i));
      var replaced = put(random.node("a"));
      replaced.run(cluster);
      pod.run(cluster);
      added.run(cluster);
    }

    assertThat(cluster.nodes().limit()).isLessThan(4);
    assertThat(cluster.nodes().taintListCount()).isLessThan(8);
    assertThat(cluster.pods()).hasSize(1);
    cluster.put(random.node("b"));
    assertThat(cluster.nodes().order(cluster.nodes().find("b"))).isEqualTo(1);
  }

  @Test
  void aNodeThatReturnsTakesItsOldPlace() {
    cluster.put(random.node("a"));
    cluster.put(random.node("b"));
    var undo = Undo.of(ObjectReference.node("a"), cluster);

    cluster.remove(ObjectReference.node("a"));
    undo.run(cluster);

    assertThat(cluster.nodes().order(cluster.nodes().find("a"))).isZero();
  }

  private Undo put(ClusterObject object) {
    var undo = Undo.of(object.reference(), cluster);
    cluster.put(object);
    return undo;
  }
}
