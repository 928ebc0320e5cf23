package io.berth.clients;

import static io.berth.clients.TestCluster.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.reflect.TypeToken;
import io.berth.api.Resource;
import io.kubernetes.client.PodLogs;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateRunning;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.PatchOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What programs do with the official Java client, as its examples show it.
class OfficialApiTest {

  private static TestCluster cluster;
  private static ApiClient client;
  private static CoreV1Api core;

  @BeforeAll
  static void start() throws Exception {
    cluster = new TestCluster();
    var config = KubeConfig.loadKubeConfig(new StringReader(cluster.kubeconfig()));
    client = ClientBuilder.kubeconfig(config).build();
    core = new CoreV1Api(client);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void typedObjectsAreCreatedReadChangedAndDeleted() throws Exception {
    var created = create("typed", Map.of("a", "1"));
    var changed =
        core.replaceNamespacedConfigMap("typed", NAMESPACE, created.putDataItem("b", "2"))
            .execute();
    assertThat(changed.getData()).isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(core.readNamespacedConfigMap("typed", NAMESPACE).execute()).isEqualTo(changed);

    assertThatThrownBy(() -> core.replaceNamespacedConfigMap("typed", NAMESPACE, created).execute())
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    core.deleteNamespacedConfigMap("typed", NAMESPACE).execute();
    assertThatThrownBy(() -> core.readNamespacedConfigMap("typed", NAMESPACE).execute())
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.getCode()).isEqualTo(404));
  }

  @Test
  void listsComeInPagesOfOneRevision() throws Exception {
    for (int i = 0; i < 25; i++) {
      create("page-" + i, Map.of("i", String.valueOf(i)));
    }
    var names = new ArrayList<String>();
    var revisions = new ArrayList<String>();
    String next = null;
    do {
      var page =
          core.listNamespacedConfigMap(NAMESPACE)
              .labelSelector("group=page")
              .limit(10)
              ._continue(next)
              .execute();
      page.getItems().forEach(item -> names.add(item.getMetadata().getName()));
      revisions.add(page.getMetadata().getResourceVersion());
      next = page.getMetadata().getContinue();
      // What comes after the first page was made is on no page.
      create("page-late-" + revisions.size(), Map.of());
    } while (next != null && !next.isEmpty());

    assertThat(names).hasSize(25).doesNotHaveDuplicates().isSorted();
    assertThat(revisions).hasSize(3).containsOnly(revisions.getFirst());
  }

  @Test
  void patchesOfEveryTypeChangeWhatTheySay() throws Exception {
    create("patched", Map.of("a", "1"));

    var json = "[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"json\"}]";
    assertThat(patch(V1Patch.PATCH_FORMAT_JSON_PATCH, json).getData())
        .isEqualTo(Map.of("a", "json"));
    var merge = "{\"data\":{\"a\":null,\"b\":\"merge\"}}";
    assertThat(patch(V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, merge).getData())
        .isEqualTo(Map.of("b", "merge"));
    var strategic = "{\"metadata\":{\"labels\":{\"group\":\"strategic\"}}}";
    assertThat(
            patch(V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, strategic).getMetadata().getLabels())
        .isEqualTo(Map.of("group", "strategic"));
  }

  private static V1ConfigMap patch(String type, String body) throws ApiException {
    return PatchUtils.patch(
        V1ConfigMap.class,
        () ->
            core.patchNamespacedConfigMap("patched", NAMESPACE, new V1Patch(body)).buildCall(null),
        type,
        client);
  }

  @Test
  void applyKeepsTrackOfOwners() throws Exception {
    assertThat(apply("one", "1", false).getData()).isEqualTo(Map.of("a", "1"));
    assertThatThrownBy(() -> apply("two", "2", false))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    assertThat(apply("two", "2", true).getData()).isEqualTo(Map.of("a", "2"));
    // The client itself leaves managedFields out of what it hands on.
    var stored = cluster.admin().fetch(Resource.CONFIG_MAPS, NAMESPACE, "applied");
    assertThat(stored.trees("metadata", "managedFields"))
        .extracting(entry -> entry.textOrEmpty("manager"))
        .as("owners, when the first one lost its only field")
        .containsExactly("two");
  }

  private static V1ConfigMap apply(String manager, String value, boolean force)
      throws ApiException {
    var body =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"applied\"},\"data\":{\"a\":\"%s\"}}"
            .formatted(value);
    return PatchUtils.patch(
        V1ConfigMap.class,
        () ->
            core.patchNamespacedConfigMap("applied", NAMESPACE, new V1Patch(body))
                .fieldManager(manager)
                .force(force)
                .buildCall(null),
        V1Patch.PATCH_FORMAT_APPLY_YAML,
        client);
  }

  @Test
  void watchesGoOnFromARevision() throws Exception {
    var first = create("watched", Map.of("a", "1"));
    core.replaceNamespacedConfigMap("watched", NAMESPACE, first.putDataItem("b", "2")).execute();
    core.deleteNamespacedConfigMap("watched", NAMESPACE).execute();

    var call =
        core.listNamespacedConfigMap(NAMESPACE)
            .fieldSelector("metadata.name=watched")
            .resourceVersion(first.getMetadata().getResourceVersion())
            .watch(true)
            .buildCall(null);
    try (var watch = Watch.<V1ConfigMap>createWatch(client, call, WATCHED)) {
      assertThat(watch.next().type).isEqualTo("MODIFIED");
      var last = watch.next();
      assertThat(last.type).isEqualTo("DELETED");
      assertThat(last.object.getData()).isEqualTo(Map.of("a", "1", "b", "2"));
    }
  }

  private static final Type WATCHED = new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType();

  @Test
  void dynamicObjectsNeedNoClasses() throws Exception {
    var maps = new DynamicKubernetesApi("", "v1", "configmaps", client);
    var map = new DynamicKubernetesObject();
    map.setApiVersion("v1");
    map.setKind("ConfigMap");
    map.setMetadata(new V1ObjectMeta().namespace(NAMESPACE).name("dynamic"));
    assertThat(maps.create(map).isSuccess()).isTrue();

    var patch = new V1Patch("{\"data\":{\"a\":\"1\"}}");
    maps.patch(
        NAMESPACE, "dynamic", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, patch, new PatchOptions());
    var now = maps.get(NAMESPACE, "dynamic").getObject();
    assertThat(now.getRaw().getAsJsonObject("data").get("a").getAsString()).isEqualTo("1");
    assertThat(maps.delete(NAMESPACE, "dynamic").isSuccess()).isTrue();
    assertThat(maps.get(NAMESPACE, "dynamic").getHttpStatusCode()).isEqualTo(404);
  }

  @Test
  void logsOfAPodAreRead() throws Exception {
    var pod =
        new V1Pod()
            .metadata(new V1ObjectMeta().name("talker").namespace(NAMESPACE))
            .spec(
                new V1PodSpec()
                    .nodeName("node-1")
                    .containers(List.of(new V1Container().name("c").image("example/app:1"))));
    core.createNamespacedPod(NAMESPACE, pod).execute();
    var running = new V1ContainerStateRunning().startedAt(OffsetDateTime.now(ZoneOffset.UTC));
    var status =
        new V1ContainerStatus()
            .name("c")
            .ready(true)
            .restartCount(0)
            .image("example/app:1")
            .imageID("")
            .state(new V1ContainerState().running(running));
    pod.setStatus(new V1PodStatus().phase("Running").containerStatuses(List.of(status)));
    core.replaceNamespacedPodStatus("talker", NAMESPACE, pod).execute();

    // This client follows; the stream stays open behind the second line.
    try (var stream = new PodLogs(client).streamNamespacedPodLog(NAMESPACE, "talker", "c");
        var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).isEqualTo("one");
      assertThat(lines.readLine()).isEqualTo("two");
    }
  }

  private static V1ConfigMap create(String name, Map<String, String> data) throws ApiException {
    var labels = Map.of("group", name.substring(0, Math.max(0, name.indexOf('-'))));
    return core.createNamespacedConfigMap(
            NAMESPACE,
            new V1ConfigMap().metadata(new V1ObjectMeta().name(name).labels(labels)).data(data))
        .execute();
  }
}
