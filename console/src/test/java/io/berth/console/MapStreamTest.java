package io.berth.console;

import static io.berth.console.ConsoleOnServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.codec.Json;
import io.berth.server.http.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A page that loads the map once and then takes what the stream sends knows what a page that loads
/// it anew knows.
///
/// `-Dstream.changes=N` sets how many changes, `-Dstream.seed=S` which.
class MapStreamTest {

  private static final int CHANGES = Integer.getInteger("stream.changes", 300);
  private static final long SEED = Long.getLong("stream.seed", 1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Random random = new Random(SEED);
  private final ConsoleOnServer console = new ConsoleOnServer();
  private final List<String> pods = new ArrayList<>();

  /// What a page knows: rows by name.
  private static final class Page implements Answer.Outlet {
    private final Map<String, String> pods = new TreeMap<>();
    private final Map<String, String> nodes = new TreeMap<>();
    private String revision;
    private int resets;
    private volatile @Nullable Runnable close;

    Page(Tree map) {
      revision = map.textOrEmpty("rev");
      var names = map.list("pods", "name");
      for (int i = 0; i < names.size(); i++) {
        var namespace = at(map.list("namespaces"), column(map, "pods", "namespace", i));
        var node = column(map, "pods", "node", i);
        var shape = (List<?>) at(map.list("shapes"), column(map, "pods", "shape", i));
        pods.put(
            namespace + "/" + names.get(i),
            List.of(
                    node < 0 ? "" : at(map.list("nodes", "name"), node),
                    at(map.list("owners"), column(map, "pods", "owner", i)),
                    column(map, "pods", "state", i),
                    shape)
                .toString());
      }
      var nodeNames = map.list("nodes", "name");
      for (int i = 0; i < nodeNames.size(); i++) {
        var zones = (List<?>) at(map.list("domains"), 0);
        if (column(map, "nodes", "cpu", i) == 0) {
          // Gone, but a pod still names it.
          continue;
        }
        nodes.put(
            String.valueOf(nodeNames.get(i)),
            List.of(
                    column(map, "nodes", "ready", i),
                    column(map, "nodes", "cordoned", i),
                    List.of(String.valueOf(zones.get((int) column(map, "nodes", "domain0", i)))),
                    column(map, "nodes", "cpu", i),
                    column(map, "nodes", "cpuTaken", i),
                    column(map, "nodes", "podsTaken", i))
                .toString());
      }
    }

    private static long column(Tree map, String table, String column, int row) {
      return map.list(table, column).get(row) instanceof Long number ? number : -1;
    }

    private static Object at(List<?> values, long index) {
      var value = values.get((int) index);
      return value == null ? "" : value;
    }

    @Override
    public synchronized void send(byte[] frame) throws IOException {
      var lines = new String(frame, StandardCharsets.UTF_8).split("\n", -1);
      if (!lines[0].startsWith("id: ")) {
        return;
      }
      var delta = Json.read(lines[2].substring("data: ".length()));
      revision = delta.textOrEmpty("rev");
      if (lines[1].equals("event: reset")) {
        resets++;
      }
      delta.list("pods", "gone").forEach(key -> pods.remove(String.valueOf(key)));
      for (var row : delta.list("pods", "set")) {
        var cells = (List<?>) java.util.Objects.requireNonNull(row);
        pods.put(
            cells.get(0) + "/" + cells.get(1),
            List.of(cells.get(2), cells.get(3), cells.get(4), cells.subList(5, 9)).toString());
      }
      delta.list("nodes", "gone").forEach(name -> nodes.remove(String.valueOf(name)));
      for (var row : delta.list("nodes", "set")) {
        var cells = (List<?>) java.util.Objects.requireNonNull(row);
        nodes.put(
            String.valueOf(cells.get(0)),
            List.of(
                    cells.get(1),
                    cells.get(2),
                    cells.get(3),
                    cells.get(4),
                    cells.get(8),
                    cells.get(11))
                .toString());
      }
    }

    @Override
    public void onClose(Runnable action) {
      close = action;
    }

    synchronized int resets() {
      return resets;
    }

    synchronized boolean isSameAs(Page other) {
      return revision.equals(other.revision)
          && pods.equals(other.pods)
          && nodes.equals(other.nodes);
    }

    @Override
    public synchronized String toString() {
      return revision + " " + pods + " " + nodes;
    }
  }

  @Test
  void aPageThatFollowsKnowsWhatANewOneKnows() throws Exception {
    try (console) {
      console.namespace("shop");
      change(20);
      var page = new Page(json(console.get("admin", "map")));
      var stream = (Answer.Stream) console.get("admin", "stream?since=" + page.revision);
      var reader = follow(stream, page);

      change(CHANGES);

      awaitSame(page);
      assertThat(page.resets()).isZero();
      java.util.Objects.requireNonNull(page.close).run();
      reader.join(PATIENCE);
      assertThat(reader.isAlive()).as("a stream whose reader left").isFalse();
    }
  }

  private void awaitSame(Page page) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    var fresh = new Page(json(console.get("admin", "map")));
    while (!page.isSameAs(fresh)) {
      assertThat(System.nanoTime()).as("seed %d: %s is not %s", SEED, page, fresh).isLessThan(end);
      LockSupport.parkNanos(20_000_000);
      fresh = new Page(json(console.get("admin", "map")));
    }
    assertThat(fresh.nodes).isNotEmpty();
  }

  @Test
  void whoKnowsARevisionOfAnotherProcessBeginsAnew() throws Exception {
    try (console) {
      var page = new Page(json(console.get("admin", "map")));
      var stream = (Answer.Stream) console.get("admin", "stream?since=other.3");
      var closing =
          new Answer.Outlet() {
            @Override
            public void send(byte[] frame) throws IOException {
              page.send(frame);
              if (page.resets() > 0) {
                java.util.Objects.requireNonNull(page.close).run();
              }
            }

            @Override
            public void onClose(Runnable action) {
              page.onClose(action);
            }
          };

      stream.frames().writeTo(closing);

      assertThat(page.resets()).isEqualTo(1);
    }
  }

  @Test
  void aStreamEndsWithItsSession() throws Exception {
    try (console) {
      var cookie = console.signIn("admin");
      var path = ConsoleOnServer.ROOT + "stream";
      var stream = (Answer.Stream) console.ask("GET", path, "", cookie);
      console.write("DELETE", "session", "", cookie);
      var page = new Page(json(console.get("admin", "map")));

      stream.frames().writeTo(page);
    }
  }

  @Test
  void aRightThatIsTakenAwayIsNoticedWithinTenSeconds() throws Exception {
    try (console) {
      console.namespace("shop");
      console.pod("shop", "web", "");
      console.grant("alice", "shop", List.of("list"), List.of("pods"));
      var session = console.signIn("alice");
      var map = json(console.get("alice", "map"));
      var loses = new Page(map);
      var leaves = new Page(map);
      var path = ConsoleOnServer.ROOT + "stream?since=" + loses.revision;
      var losing =
          follow(
              (Answer.Stream) console.get("alice", path.substring(ConsoleOnServer.ROOT.length())),
              loses);
      var leaving = follow((Answer.Stream) console.ask("GET", path, "", session), leaves);
      assertThat(loses.pods).hasSize(1);

      console.revoke("shop");
      console.write("DELETE", "session", "", session);

      long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      while (loses.resets() == 0 && System.nanoTime() < end) {
        LockSupport.parkNanos(20_000_000);
      }
      assertThat(loses.resets()).as("told to begin anew").isEqualTo(1);
      assertThat(new Page(json(console.get("alice", "map"))).pods).isEmpty();
      assertThat(leaving.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))).isTrue();
      java.util.Objects.requireNonNull(loses.close).run();
      assertThat(losing.join(PATIENCE)).isTrue();
    }
  }

  private static Thread follow(Answer.Stream stream, Page page) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            stream.frames().writeTo(page);
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private void change(int count) {
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(8)) {
        case 0 -> console.node("node-" + i + "-" + pods.size(), "zone-" + random.nextInt(3));
        case 1 -> cordon();
        case 2 -> removePod();
        case 3 -> removeNode();
        case 4 -> ownedPod(i);
        default -> {
          var name = "pod-" + i + "-" + count;
          console.pod("shop", name, random.nextBoolean() ? aNode() : "");
          pods.add(name);
        }
      }
    }
  }

  private String aNode() {
    var nodes = console.cluster().list(Resource.NODES, "", io.berth.cluster.Cluster.Selection.ALL);
    var items = nodes.items();
    return items.isEmpty()
        ? ""
        : items.get(random.nextInt(items.size())).textOrEmpty("metadata", "name");
  }

  private void cordon() {
    var node = aNode();
    if (!node.isEmpty()) {
      var patch = Tree.of("spec", Tree.of("unschedulable", random.nextBoolean()));
      console.cluster().patch(Resource.NODES, "", node, null, PatchType.MERGE, patch);
    }
  }

  private void removeNode() {
    var node = aNode();
    if (!node.isEmpty() && random.nextInt(3) == 0) {
      console.cluster().delete(Resource.NODES, "", node, DeleteOptions.DEFAULT);
    }
  }

  private void removePod() {
    if (!pods.isEmpty()) {
      var name = pods.remove(random.nextInt(pods.size()));
      console.cluster().delete(Resource.PODS, "shop", name, new DeleteOptions(0, null, null));
    }
  }

  /// A pod of a ReplicaSet of a Deployment; its ReplicaSet may come after it.
  private void ownedPod(int i) {
    var name = "owned-" + i + "-" + pods.size();
    console.pod("shop", name, aNode());
    pods.add(name);
    var owner =
        Tree.of("apiVersion", "apps/v1", "kind", "ReplicaSet", "name", "rs-" + i, "uid", "u-" + i)
            .put("controller", true);
    var patch = Tree.of("metadata", Tree.of("ownerReferences", List.of(owner)));
    console.cluster().patch(Resource.PODS, "shop", name, null, PatchType.MERGE, patch);
    var labels = Tree.of("app", "a" + i);
    var above =
        Tree.of("apiVersion", "apps/v1", "kind", "Deployment", "name", "web", "uid", "d")
            .put("controller", true);
    var template =
        Tree.of("metadata", Tree.of("labels", labels))
            .put("spec", Tree.of("containers", List.of(Tree.of("name", "c", "image", "i"))));
    if (console
        .cluster()
        .list(Resource.REPLICA_SETS, "shop", io.berth.cluster.Cluster.Selection.ALL)
        .items()
        .stream()
        .noneMatch(each -> each.textOrEmpty("metadata", "name").equals("rs-" + i))) {
      console
          .cluster()
          .create(
              Resource.REPLICA_SETS,
              Tree.of("apiVersion", "apps/v1", "kind", "ReplicaSet")
                  .put(
                      "metadata",
                      Tree.of("namespace", "shop", "name", "rs-" + i)
                          .put("ownerReferences", List.of(above)))
                  .put(
                      "spec",
                      Tree.of("replicas", 0)
                          .put("selector", Tree.of("matchLabels", labels.copy()))
                          .put("template", template)));
    }
  }
}
