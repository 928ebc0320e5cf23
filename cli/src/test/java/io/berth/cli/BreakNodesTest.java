package io.berth.cli;

import static io.berth.testing.Samples.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.codec.Json;
import io.berth.testing.FakeClock;
import io.berth.testing.FakeCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BreakNodesTest {

  private final FakeCluster cluster = new FakeCluster(new FakeClock());
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void threeNodesInTwoZones() {
    node("n1", "a", true);
    node("n2", "b", true);
    node("n3", "b", true);
    node("real", "c", false);
  }

  @Test
  void aNodeFailsAndRecovers() {
    assertThat(run("node", "fail", "n1")).isZero();
    assertThat(failure("n1")).isEqualTo("partition");
    assertThat(text(out)).contains("NODE   ZONE   STATE", "n1     a      partition");
    assertThat(run("node", "fail", "n1", "--power-loss")).isZero();
    assertThat(failure("n1")).isEqualTo("power-loss");
    assertThat(run("node", "recover", "n1")).isZero();
    assertThat(failure("n1")).isNull();
  }

  @Test
  void aZoneIsAllItsNodes() {
    assertThat(run("zone", "fail", "b", "-o", "json")).isZero();
    assertThat(Json.read(text(out)).trees("nodes"))
        .extracting(node -> node.textOrEmpty("name") + " " + node.textOrEmpty("state"))
        .containsExactly("n2 partition", "n3 partition");
    assertThat(failure("n1")).isNull();
    out.reset();
    assertThat(run("zone", "recover", "b")).isZero();
    assertThat(failure("n2")).isNull();
    assertThat(run("zone", "fail", "a", "b")).isZero();
    assertThat(failure("n1")).isEqualTo("partition");
    assertThat(failure("n3")).isEqualTo("partition");
  }

  @Test
  void aSlowNodeIsNotAFailedOne() {
    assertThat(run("node", "slow", "n1", "--by", "1m30s")).isZero();
    assertThat(annotation("n1", "berth.io/slow")).isEqualTo("1m30s");
    assertThat(failure("n1")).isNull();
    assertThat(run("node", "slow", "n1", "--by", "soon")).isEqualTo(2);
    assertThat(text(err)).contains("'soon' is no duration; use one like 500ms, 10s, 1m30s");
  }

  @Test
  void aWrongNameChangesNothing() {
    assertThat(run("node", "fail", "n1", "n9")).isEqualTo(1);
    assertThat(text(err)).contains("nodes \"n9\" not found");
    assertThat(failure("n1")).isNull();
    err.reset();
    assertThat(run("zone", "fail", "x")).isEqualTo(1);
    assertThat(text(err)).contains("no node is in zone 'x'; the zones are a, b, c");
    assertThat(run("zone", "fail", "a", "x")).isEqualTo(1);
    assertThat(failure("n1")).isNull();
  }

  @Test
  void aNameIsNeeded() {
    assertThat(run("node", "fail")).isEqualTo(2);
    assertThat(text(err)).contains("missing required parameter: 'NODE'");
    assertThat(run("zone", "recover")).isEqualTo(2);
    assertThat(text(err)).contains("missing required parameter: 'ZONE'");
  }

  @Test
  void aNodeOfSomebodyElseIsLeftAlone() {
    assertThat(run("node", "fail", "real")).isEqualTo(1);
    assertThat(text(err)).contains("node 'real' is not simulated by Berth");
    assertThat(failure("real")).isNull();
  }

  @Test
  void saysWhenNothingRuns() {
    assertThat(run("node", "fail", "n1", "--data", "/nowhere")).isEqualTo(1);
    assertThat(text(err)).contains("nothing runs in /nowhere; start a cluster with 'berth up'");
  }

  private void node(String name, String zone, boolean simulated) {
    var node = aNode(name);
    node.child("metadata").child("labels").put("topology.kubernetes.io/zone", zone);
    cluster.create(Resource.NODES, node);
    var lease = Tree.of("metadata", Tree.of("name", name, "namespace", "kube-node-lease"));
    if (simulated) {
      lease.child("metadata").child("annotations").put("berth.io/kubelet", "simulated");
    }
    cluster.create(Resource.LEASES, lease);
  }

  private @Nullable String failure(String node) {
    return annotation(node, "berth.io/failure");
  }

  private @Nullable String annotation(String node, String key) {
    return cluster.fetch(Resource.NODES, "", node).text("metadata", "annotations", key);
  }

  private int run(String... line) {
    var clusters = new OneCluster();
    Connections connections = _ -> new Connected(cluster);
    var commands =
        List.<Command>of(
            BreakNodes.node(clusters, connections), BreakNodes.zone(clusters, connections));
    return new Cli(commands, Map.of(), false)
        .run(List.of(line), new PrintStream(out, true), new PrintStream(err, true));
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  private record Connected(Cluster cluster) implements Connections.Connection {

    @Override
    public void close() {}
  }

  /// Something runs in the default folder, and nothing elsewhere.
  static final class OneCluster implements LocalCluster {

    @Override
    public Running start(Options options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Tree startDetached(Options options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Tree find(Path folder) {
      return folder.equals(defaultFolder(false)) ? Tree.of("kubeconfig", "/here") : null;
    }

    @Override
    public boolean stop(Path folder) {
      return false;
    }

    @Override
    public Path defaultFolder(boolean inMemory) {
      return Path.of(inMemory ? "/memory" : "/data");
    }
  }
}
