package io.berth.clients;

import static io.berth.clients.TestCluster.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What programs do with fabric8 every day, as its own documentation shows it.
class Fabric8ApiTest {

  private static TestCluster cluster;
  private static KubernetesClient client;

  @BeforeAll
  static void start() throws Exception {
    cluster = new TestCluster();
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfig()))
            .build();
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    cluster.close();
  }

  @Test
  void typedObjectsAreCreatedReadChangedAndDeleted() {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    var created = maps.resource(configMap("typed", "a", "1")).create();
    assertThat(created.getMetadata().getUid()).isNotEmpty();

    maps.withName("typed").edit(map -> new ConfigMapBuilder(map).addToData("b", "2").build());
    assertThat(maps.withName("typed").get().getData()).isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(maps.withLabel("app", "typed").list().getItems()).hasSize(1);
    assertThat(maps.withField("metadata.name", "typed").list().getItems()).hasSize(1);

    assertThatThrownBy(() -> maps.resource(created).update())
        .as("an update of an old revision")
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    assertThat(maps.withName("typed").delete()).hasSize(1);
    assertThat(maps.withName("typed").get()).isNull();
  }

  @Test
  void patchesOfEveryTypeChangeWhatTheySay() {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    maps.resource(configMap("patched", "a", "1")).create();
    var patched = maps.withName("patched");

    patched.patch(
        PatchContext.of(PatchType.JSON),
        "[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"json\"}]");
    assertThat(patched.get().getData()).isEqualTo(Map.of("a", "json"));
    patched.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"a\":null,\"b\":\"merge\"}}");
    assertThat(patched.get().getData()).isEqualTo(Map.of("b", "merge"));
    patched.patch(
        PatchContext.of(PatchType.STRATEGIC_MERGE),
        "{\"metadata\":{\"labels\":{\"app\":\"strategic\"}}}");
    assertThat(patched.get().getMetadata().getLabels()).isEqualTo(Map.of("app", "strategic"));
  }

  @Test
  void serverSideApplyKeepsTrackOfOwners() {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    maps.resource(configMap("applied", "a", "1")).fieldManager("one").serverSideApply();
    assertThatThrownBy(() ->
            maps.resource(configMap("applied", "a", "2")).fieldManager("two").serverSideApply())
        .hasMessageContaining("conflict with \"one\"");

    var forced =
        maps.resource(configMap("applied", "a", "2"))
            .fieldManager("two")
            .forceConflicts()
            .serverSideApply();
    assertThat(forced.getData()).isEqualTo(Map.of("a", "2"));
    assertThat(forced.getMetadata().getManagedFields())
        .extracting("manager")
        .containsExactlyInAnyOrder("one", "two");
  }

  @Test
  void watchesTellWhatHappensAndThatARevisionExpired() throws Exception {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    var first = maps.resource(configMap("watched", "a", "1")).create();
    var from = first.getMetadata().getResourceVersion();
    var events = new Events();
    try (var _ = maps.withName("watched").watch(after(from), events)) {
      maps.withName("watched").edit(map -> new ConfigMapBuilder(map).addToData("b", "2").build());
      maps.withName("watched").delete();
      assertThat(events.told.take()).isEqualTo("MODIFIED {a=1, b=2}");
      assertThat(events.told.take()).isEqualTo("DELETED {a=1, b=2}");
    }
    cluster.expireRevisions();

    var late = new Events();
    try (var _ = maps.withName("watched").watch(after(from), late)) {
      assertThat(late.told.take()).isEqualTo("gone: true");
    }
  }

  private static ListOptions after(String revision) {
    return new ListOptionsBuilder().withResourceVersion(revision).build();
  }

  private static final class Events implements Watcher<ConfigMap> {

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Override
    public void eventReceived(Action action, ConfigMap map) {
      told.add(action + " " + map.getData());
    }

    @Override
    public void onClose(WatcherException cause) {
      told.add("gone: " + cause.isHttpGone());
    }
  }

  @Test
  void genericResourcesNeedNoClasses() {
    client.load(stream(CRD)).create();
    var context =
        new ResourceDefinitionContext.Builder()
            .withGroup("example.com")
            .withVersion("v1")
            .withPlural("ships")
            .withKind("Ship")
            .withNamespaced(true)
            .build();
    var ships = client.genericKubernetesResources(context).inNamespace(NAMESPACE);
    client.load(stream(SHIP)).create();

    var ship = ships.withName("ida").get();
    assertThat(ship.<Object>get("spec", "tons")).isEqualTo(7);
    assertThat(ship.<Object>get("spec", "flag")).as("what the schema fills in").isEqualTo("none");
    ships.withName("ida").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"tons\":8}}");
    assertThat(ships.list().getItems().getFirst().<Object>get("spec", "tons")).isEqualTo(8);
    assertThat(ships.withName("ida").delete()).hasSize(1);
  }

  private static final String SHIP =
      """
      apiVersion: example.com/v1
      kind: Ship
      metadata: {name: ida, namespace: default}
      spec: {tons: 7}
      """;

  private static final String CRD =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: ships.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: ships, singular: ship, kind: Ship, listKind: ShipList}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    tons: {type: integer, minimum: 1}
                    flag: {type: string, default: none}
      """;

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void scaleAndStatusAreDoorsOfTheirOwn() {
    var deployments = client.apps().deployments().inNamespace(NAMESPACE);
    var deployment =
        new DeploymentBuilder()
            .withNewMetadata()
            .withName("web")
            .endMetadata()
            .withNewSpec()
            .withReplicas(1)
            .withNewSelector()
            .addToMatchLabels("app", "web")
            .endSelector()
            .withNewTemplate()
            .withNewMetadata()
            .addToLabels("app", "web")
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("c")
            .withImage("example/web:1")
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    deployments.resource(deployment).create();

    assertThat(deployments.withName("web").scale().getSpec().getReplicas()).isEqualTo(1);
    deployments
        .withName("web")
        .editStatus(each ->
            new DeploymentBuilder(each)
                .editOrNewStatus()
                .withObservedGeneration(1L)
                .endStatus()
                .build());
    var now = deployments.withName("web").get();
    assertThat(now.getStatus().getObservedGeneration()).isEqualTo(1);
    assertThat(now.getMetadata().getGeneration()).isEqualTo(1);
  }

  @Test
  void logsOfAPodAreRead() {
    var pods = client.pods().inNamespace(NAMESPACE);
    pods.resource(runningPod("talker")).create();
    pods.resource(runningPod("talker")).updateStatus();

    assertThat(pods.withName("talker").getLog()).isEqualTo("one\ntwo\n");
    assertThat(pods.withName("talker").tailingLines(1).getLog()).isEqualTo("two\n");
  }

  private static Pod runningPod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withNodeName("node-1")
        .addNewContainer()
        .withName("c")
        .withImage("example/app:1")
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .addNewContainerStatus()
        .withName("c")
        .withReady(true)
        .withRestartCount(0)
        .withImage("example/app:1")
        .withImageID("")
        .withNewState()
        .withNewRunning()
        .withStartedAt("2026-01-01T00:00:00Z")
        .endRunning()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }

  @Test
  void oneCandidateLeadsUntilItLetsGo() throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = new Candidate("first", executor);
      var leading = first.elector.start();
      first.leads.await();
      var second = new Candidate("second", executor);
      var waiting = second.elector.start();
      assertThat(holder()).isEqualTo("first");

      leading.cancel(true);
      second.leads.await();
      assertThat(holder()).isEqualTo("second");
      waiting.cancel(true);
    }
  }

  private static String holder() {
    return client
        .leases()
        .inNamespace(NAMESPACE)
        .withName("lead")
        .get()
        .getSpec()
        .getHolderIdentity();
  }

  private static final class Candidate {

    private final CountDownLatch leads = new CountDownLatch(1);
    private final LeaderElector elector;

    Candidate(String name, Executor executor) {
      var config =
          new LeaderElectionConfigBuilder()
              .withName(name)
              .withLock(new LeaseLock(NAMESPACE, "lead", name))
              .withLeaseDuration(Duration.ofSeconds(15))
              .withRenewDeadline(Duration.ofSeconds(10))
              .withRetryPeriod(Duration.ofMillis(100))
              .withReleaseOnCancel(true)
              .withLeaderCallbacks(new LeaderCallbacks(leads::countDown, () -> {}, _ -> {}))
              .build();
      this.elector = new LeaderElector(client, config, executor);
    }
  }

  @Test
  void refusalsAreTheOnesOfKubernetes() {
    var bad = configMap("Not A Name", "a", "1");
    assertThatThrownBy(() -> client.configMaps().inNamespace(NAMESPACE).resource(bad).create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> {
              assertThat(e.getCode()).isEqualTo(422);
              assertThat(e.getStatus().getReason()).isEqualTo("Invalid");
              assertThat(e.getStatus().getDetails().getCauses())
                  .extracting("field")
                  .isEqualTo(List.of("metadata.name"));
            });
  }

  private static ConfigMap configMap(String name, String key, String value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels("app", name.replace(' ', '-'))
        .endMetadata()
        .addToData(key, value)
        .build();
  }
}
