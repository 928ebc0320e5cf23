package io.berth.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every adapter promises, whatever stands behind it.
abstract class ClusterContract {

  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private String namespace = "";

  abstract Cluster cluster();

  @BeforeEach
  void namespace() {
    namespace =
        "contract-%d-%d".formatted(ProcessHandle.current().pid(), NAMESPACES.incrementAndGet());
    cluster()
        .create(
            Resource.NAMESPACES,
            Tree.of(
                "apiVersion", "v1", "kind", "Namespace", "metadata", Tree.of("name", namespace)));
    try {
      var account = Tree.of("apiVersion", "v1", "kind", "ServiceAccount");
      cluster().create(Resource.SERVICE_ACCOUNTS, account.put("metadata", meta("default")));
    } catch (ApiException e) {
      // A cluster with controllers was faster.
      assertThat(e.code()).isEqualTo(409);
    }
  }

  @Test
  void createdObjectsAreFetchedAndFrozen() {
    var created = cluster().create(Resource.CONFIG_MAPS, configMap("a", "1"));

    var fetched = cluster().fetch(Resource.CONFIG_MAPS, namespace, "a");

    assertThat(fetched).isEqualTo(created);
    assertThat(fetched.isFrozen()).isTrue();
    assertThat(fetched.text("kind")).isEqualTo("ConfigMap");
    assertThat(fetched.text("metadata", "uid")).isNotEmpty();
  }

  @Test
  void refusalsCarryWhatKubernetesSays() {
    assertThatThrownBy(() -> cluster().fetch(Resource.CONFIG_MAPS, namespace, "none"))
        .asInstanceOf(type(ApiException.class))
        .satisfies(e -> {
          assertThat(e.code()).isEqualTo(404);
          assertThat(e.reason()).isEqualTo("NotFound");
          assertThat(e).hasMessage("configmaps \"none\" not found");
        });
  }

  @Test
  void listsSelectAndTellTheirRevision() {
    cluster().create(Resource.CONFIG_MAPS, configMap("a", "1"));
    var labelled = configMap("b", "2");
    labelled.child("metadata").put("labels", Tree.of("app", "web store".replace(' ', '-')));
    var last = cluster().create(Resource.CONFIG_MAPS, labelled);

    var all = cluster().list(Resource.CONFIG_MAPS, namespace, Selection.ALL);
    var some =
        cluster().list(Resource.CONFIG_MAPS, namespace, Selection.labels("app in (web-store)"));
    var named =
        cluster().list(Resource.CONFIG_MAPS, namespace, Selection.fields("metadata.name!=b"));

    assertThat(names(all)).contains("a", "b");
    assertThat(names(some)).containsExactly("b");
    assertThat(names(named)).contains("a").doesNotContain("b");
    assertThat(some.items())
        .allSatisfy(item -> {
          assertThat(item.text("kind")).isEqualTo("ConfigMap");
          assertThat(item.isFrozen()).isTrue();
        });
    assertThat(Long.parseLong(all.revision())).isGreaterThanOrEqualTo(revision(last));
  }

  @Test
  void aWatchGoesOnFromARevision() throws Exception {
    var first = cluster().create(Resource.CONFIG_MAPS, configMap("a", "1"));
    var seen = new Recorder();
    try (var _ =
        cluster()
            .watch(
                Resource.CONFIG_MAPS,
                namespace,
                Selection.fields("metadata.name=a"),
                first.textOrEmpty("metadata", "resourceVersion"),
                seen)) {
      cluster().update(Resource.CONFIG_MAPS, null, first.copy().put("data", Tree.of("k", "2")));
      cluster().delete(Resource.CONFIG_MAPS, namespace, "a", DeleteOptions.DEFAULT);
      cluster().create(Resource.CONFIG_MAPS, configMap("a", "3"));

      assertThat(seen.next()).isEqualTo("MODIFIED a 2");
      assertThat(seen.next()).isEqualTo("DELETED a 2");
      assertThat(seen.next()).isEqualTo("ADDED a 3");
    }
  }

  @Test
  void aStaleUpdateConflicts() {
    var first = cluster().create(Resource.CONFIG_MAPS, configMap("a", "1"));
    cluster().update(Resource.CONFIG_MAPS, null, first.copy().put("data", Tree.of("k", "2")));

    assertThatThrownBy(() ->
            cluster()
                .update(Resource.CONFIG_MAPS, null, first.copy().put("data", Tree.of("k", "3"))))
        .asInstanceOf(type(ApiException.class))
        .satisfies(e -> assertThat(e.reason()).isEqualTo("Conflict"));
  }

  @Test
  void patchesOfAllKindsChangeWhatTheySay() {
    cluster().create(Resource.CONFIG_MAPS, configMap("a", "1"));

    patch(PatchType.MERGE, Tree.of("data", Tree.of("m", "1")));
    patch(PatchType.STRATEGIC, Tree.of("data", Tree.of("s", "1")));
    var result =
        patch(PatchType.JSON, List.of(Tree.of("op", "add", "path", "/data/j", "value", "1")));

    assertThat(result.texts("data")).containsOnlyKeys("k", "m", "s", "j");
  }

  private Tree patch(PatchType type, Object patch) {
    return cluster().patch(Resource.CONFIG_MAPS, namespace, "a", null, type, patch);
  }

  @Test
  void aDeleteOfAnotherUidIsRefused() {
    cluster().create(Resource.CONFIG_MAPS, configMap("a", "1"));

    assertThatThrownBy(() ->
            cluster()
                .delete(
                    Resource.CONFIG_MAPS, namespace, "a", DeleteOptions.background("another-uid")))
        .asInstanceOf(type(ApiException.class))
        .satisfies(e -> assertThat(e.code()).isEqualTo(409));
  }

  @Test
  void aPodIsBoundOnce() {
    var pod = cluster().create(Resource.PODS, pod("p"));

    cluster().post(Resource.PODS, namespace, "p", "binding", binding(pod, "node-a"));

    assertThat(cluster().fetch(Resource.PODS, namespace, "p").text("spec", "nodeName"))
        .isEqualTo("node-a");
    assertThatThrownBy(
            () -> cluster().post(Resource.PODS, namespace, "p", "binding", binding(pod, "node-b")))
        .asInstanceOf(type(ApiException.class))
        .satisfies(e -> {
          assertThat(e.code()).isEqualTo(409);
          assertThat(e).hasMessageContaining("pod p is already assigned to node \"node-a\"");
        });
  }

  @Test
  void aBindingForAnotherUidIsRefused() {
    var pod = cluster().create(Resource.PODS, pod("p"));
    var other = binding(pod, "node-a");
    other.child("metadata").put("uid", "00000000-0000-0000-0000-000000000000");

    assertThatThrownBy(() -> cluster().post(Resource.PODS, namespace, "p", "binding", other))
        .asInstanceOf(type(ApiException.class))
        .satisfies(e -> assertThat(e.code()).isEqualTo(409));
  }

  private Tree binding(Tree pod, String node) {
    var meta = meta("p").put("uid", pod.text("metadata", "uid"));
    return Tree.of(
        "apiVersion",
        "v1",
        "kind",
        "Binding",
        "metadata",
        meta,
        "target",
        Tree.of("kind", "Node", "name", node));
  }

  private Tree configMap(String name, String value) {
    return Tree.of(
        "apiVersion",
        "v1",
        "kind",
        "ConfigMap",
        "metadata",
        meta(name),
        "data",
        Tree.of("k", value));
  }

  private Tree pod(String name) {
    var container = Tree.of("name", "c", "image", "registry.k8s.io/pause:3.10");
    return Tree.of(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "metadata",
        meta(name),
        "spec",
        Tree.of("schedulerName", "nobody", "containers", List.of(container)));
  }

  private Tree meta(String name) {
    return Tree.of("namespace", namespace, "name", name);
  }

  private static List<String> names(Cluster.Page page) {
    return page.items().stream().map(item -> item.textOrEmpty("metadata", "name")).toList();
  }

  private static long revision(Tree object) {
    return Long.parseLong(object.textOrEmpty("metadata", "resourceVersion"));
  }

  /// Writes down what a watch says, one line each.
  static final class Recorder implements Cluster.Watcher {

    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

    String next() throws InterruptedException {
      return String.valueOf(lines.poll(120, TimeUnit.SECONDS));
    }

    @Override
    public void added(Tree object) {
      add("ADDED", object);
    }

    @Override
    public void modified(Tree object) {
      add("MODIFIED", object);
    }

    @Override
    public void deleted(Tree object) {
      add("DELETED", object);
    }

    @Override
    public void ended(boolean expired) {
      lines.add(expired ? "EXPIRED" : "ENDED");
    }

    private void add(String type, Tree object) {
      lines.add(
          "%s %s %s"
              .formatted(
                  type, object.textOrEmpty("metadata", "name"), object.textOrEmpty("data", "k")));
    }
  }
}
