package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.codec.Yaml;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two projects, each with eight GPUs of its own, share the sixteen of a pool, through the API.
class FairSharingTest {

  private static final DeleteOptions AT_ONCE = new DeleteOptions(0, null, null);

  private Api api;
  private String first;
  private String second;

  @BeforeEach
  void start() throws InterruptedException {
    api = new Api();
    api.node("n-0", Map.of("pool", "p"));
    api.node("n-1", Map.of("pool", "p"));
    api.pool("pool-p", "pool", "p");
    first = api.project("first", "pool-p");
    second = api.project("second", "pool-p");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void aProjectGetsBackWhatItDeservesAndNothingMoreIsEvicted() {
    for (int i = 0; i < 4; i++) {
      train("t" + i, first, 4);
    }
    api.await(() -> started("runai-first") == 4);
    train("wants", second, 3);

    api.await(() -> isStarted("runai-second", "wants-0-0"));

    assertThat(started("runai-first")).isEqualTo(3);
  }

  @Test
  void aWorkloadThatFitsNowhereIsToldSo() {
    train("all", first, 8);
    train("rest", first, 8);
    api.await(() -> started("runai-first") == 2);
    var id = train("more", first, 8);

    api.await(() -> !workload(id).textOrEmpty("phaseMessage").isEmpty());

    assertThat(workload(id).textOrEmpty("phaseMessage"))
        .startsWith("0/2 nodes are available: ")
        .contains("Insufficient nvidia.com/gpu");
  }

  @Test
  void fractionsShareADevice() {
    for (int i = 0; i < 3; i++) {
      submit(
          "f" + i,
          first,
          "{image: x, compute: {gpuDevicesRequest: 1, gpuRequestType: portion, gpuPortionRequest:"
              + " 0.3}}");
    }
    api.await(() -> started("runai-first") == 3);

    for (int i = 0; i < 3; i++) {
      var annotations =
          api.cluster
              .fetch(Resource.PODS, "runai-first", "f%d-0-0".formatted(i))
              .at("metadata", "annotations", "berth.io/gpu-devices");
      assertThat(annotations).isEqualTo("0");
    }
  }

  @Test
  void aReservationThatFailedIsMadeAgain() {
    submit(
        "f",
        first,
        "{image: x, compute: {gpuDevicesRequest: 1, gpuRequestType: portion, gpuPortionRequest:"
            + " 0.3}}");
    api.await(() -> started("runai-first") == 1);
    run("runai-first");
    var reservation =
        api.cluster.all(Resource.PODS).stream()
            .filter(pod -> pod.at("metadata", "labels", "berth.io/reserved-device") != null)
            .findFirst()
            .orElseThrow();
    var namespace = reservation.textOrEmpty("metadata", "namespace");
    var name = reservation.textOrEmpty("metadata", "name");

    api.cluster.edit(
        Resource.PODS,
        namespace,
        name,
        pod ->
            pod.putAt("Failed", "status", "phase")
                .putAt("2020-01-01T00:00:00Z", "metadata", "creationTimestamp"));
    api.await(() ->
        api.cluster.all(Resource.PODS).stream()
            .filter(pod -> name.equals(pod.textOrEmpty("metadata", "name")))
            .anyMatch(pod ->
                pod.text("metadata", "deletionTimestamp") != null
                    || !pod.textOrEmpty("status", "phase").equals("Failed")));
    end(namespace);

    api.await(() ->
        api.cluster.all(Resource.PODS).stream()
            .filter(pod -> name.equals(pod.textOrEmpty("metadata", "name")))
            .anyMatch(pod -> !pod.textOrEmpty("status", "phase").equals("Failed")));
  }

  @Test
  void whoWaitsIsToldWhatWouldHelp() {
    var id =
        submit(
            "firm",
            first,
            "{image: x, preemptibility: non-preemptible, compute: {gpuDevicesRequest: 9}}");
    api.await(() -> !workload(id).textOrEmpty("phaseMessage").isEmpty());
    assertThat(explanation(id).list("suggestions")).isEmpty();
    var second =
        submit(
            "firm2",
            first,
            "{image: x, compute: {gpuDevicesRequest: 8}, preemptibility: non-preemptible}");
    var third =
        submit(
            "firm3",
            first,
            "{image: x, compute: {gpuDevicesRequest: 8}, preemptibility: non-preemptible}");
    api.await(() -> isStarted("runai-first", "firm2-0-0"));
    api.await(() -> !workload(third).textOrEmpty("phaseReason").isEmpty());

    var explanation = explanation(third);

    assertThat(explanation.list("suggestions"))
        .containsExactly(
            "submit it with preemptibility \"preemptible\": then it may use what others leave",
            "have the GPU quota of project first in node pool pool-p raised to 16");
    assertThat(explanation.at("queue", "position")).isEqualTo(2L);
    assertThat(explanation.list("queue", "ahead")).containsExactly("firm");
    assertThat(workload(second).textOrEmpty("phaseReason")).isEmpty();
  }

  @Test
  void whatWasUsedInThePastCountsAndIsKept() {
    var pool =
        api.get("/api/v1/node-pools?filterBy=name==pool-p").body().trees("nodepools").getFirst();
    var refused =
        api.put(
            "/api/v1/node-pools/" + pool.text("id"),
            Yaml.read(
                "{schedulingConfiguration: {timeBasedFairShare: {enabled: true, windowDuration:"
                    + " soon}}}"));
    assertThat(refused.message())
        .isEqualTo(
            "Bad request - schedulingConfiguration.timeBasedFairShare.windowDuration: \"soon\" is"
                + " no length of time; write it like 5d8h40m");
    api.put(
        "/api/v1/node-pools/" + pool.text("id"),
        Yaml.read(
            "{schedulingConfiguration: {timeBasedFairShare: {enabled: true, windowDuration:"
                + " 1d}}}"));
    train("used", first, 4);
    api.await(() -> started("runai-first") == 1);
    api.cluster.edit(
        Resource.PODS, "runai-first", "used-0-0", pod -> pod.putAt("n-0", "spec", "nodeName"));
    train("more", first, 1);

    api.await(() -> !pastUse().isEmpty());

    assertThat(pastUse().getFirst().trees("use").getFirst().text("project")).isEqualTo(first);
  }

  @Test
  void aGangThatLosesAPodAndFindsNoPlaceForItGivesUpTheRest() {
    distributed("gang", first, "{image: x, numWorkers: 1, compute: {gpuDevicesRequest: 8}}");
    api.await(() -> started("runai-first") == 2);
    run("runai-first");
    var worker = node("runai-first", "gang-worker-0-0");
    api.cluster.edit(Resource.NODES, "", worker, node -> node.putAt(true, "spec", "unschedulable"));
    api.cluster.delete(Resource.PODS, "runai-first", "gang-worker-0-0", AT_ONCE);

    api.await(() -> {
      // How long it has been incomplete is counted from the first pass that sees it so.
      api.advance(Duration.ofSeconds(61));
      api.cluster.edit(
          Resource.NODES,
          "",
          worker,
          node -> node.putAt(Long.toString(System.nanoTime()), "metadata", "labels", "touched"));
      return evictions("runai-first").stream().anyMatch(each -> each.contains("gang-master-0-0"));
    });

    assertThat(evictions("runai-first"))
        .containsExactly(
            "Workload doesn't meet the minimum required number of pods (2), evicting remaining"
                + " pod: runai-first/gang-master-0-0");
  }

  @Test
  void aSemiPreemptibleGangKeepsItsLeastPart() {
    var id =
        distributed(
            "semi",
            first,
            "{image: x, numWorkers: 7, minReplicas: 3, maxReplicas: 7, preemptibility:"
                + " semi-preemptible, compute: {gpuDevicesRequest: 2}}");
    api.await(() -> started("runai-first") == 8);
    run("runai-first");
    var quota = "/api/v1/org-unit/projects/" + first;
    api.await(() -> allocated(quota, "allocated") == 16);
    assertThat(allocated(quota, "allocatedNonPreemptible")).isEqualTo(8);

    train("a", second, 4);
    train("b", second, 4);
    api.await(() -> {
      end("runai-first");
      return started("runai-second") == 2;
    });

    assertThat(evictions("runai-first")).hasSize(4).noneMatch(each -> each.contains("-master-"));
    api.await(() -> workload(id).number(-1, "runningPods") == 4);
  }

  @Test
  void aPoolGuaranteesATimeAndSaysUntilWhen() {
    var pool =
        api.get("/api/v1/node-pools?filterBy=name==pool-p").body().trees("nodepools").getFirst();
    api.put(
        "/api/v1/node-pools/" + pool.text("id"),
        Yaml.read("{schedulingConfiguration: {minGuaranteedRuntime: 1h30m}}"));
    var id = train("safe", first, 1);
    api.await(() -> started("runai-first") == 1);
    run("runai-first");

    api.await(() -> workload(id).text("guaranteedRuntimeEndsAt") != null);

    assertThat(workload(id).text("guaranteedRuntimeEndsAt")).isEqualTo("2026-01-01T01:30:00.000Z");
  }

  /// Lets the pods that are to go do so, as their nodes would.
  private void end(String namespace) {
    for (var pod : pods(namespace)) {
      if (pod.text("metadata", "deletionTimestamp") != null) {
        api.cluster.delete(Resource.PODS, namespace, pod.textOrEmpty("metadata", "name"), AT_ONCE);
      }
    }
  }

  private double allocated(String project, String field) {
    var amount = api.get(project).body().at("status", "quotaStatus", field, "gpu");
    return amount instanceof Number number ? number.doubleValue() : -1;
  }

  /// What was said of pods that had to go.
  private List<String> evictions(String namespace) {
    return api.cluster.all(Resource.CORE_EVENTS).stream()
        .filter(event -> event.textOrEmpty("metadata", "namespace").equals(namespace))
        .filter(event -> List.of("Preempted", "Evicted").contains(event.textOrEmpty("reason")))
        .map(event -> event.textOrEmpty("message"))
        .toList();
  }

  /// Lets the pods that may start run where they were planned.
  private void run(String namespace) {
    for (var pod : pods(namespace)) {
      var name = pod.textOrEmpty("metadata", "name");
      api.cluster.edit(
          Resource.PODS,
          namespace,
          name,
          running ->
              running
                  .putAt(node(namespace, name), "spec", "nodeName")
                  .putAt("Running", "status", "phase")
                  .putAt("2026-01-01T00:00:00Z", "status", "startTime")
                  .putAt(
                      List.of(Tree.of("type", "Ready", "status", "True")), "status", "conditions"));
    }
  }

  private String node(String namespace, String pod) {
    return String.valueOf(
        api.cluster
            .fetch(Resource.PODS, namespace, pod)
            .at("metadata", "annotations", "berth.io/planned-node"));
  }

  private String distributed(String name, String project, String spec) {
    return submit("distributed", name, project, spec);
  }

  @Test
  void aGangKeepsToADomainOfItsTopology() {
    var topology =
        api.post(
                "/api/v1/network-topologies",
                Tree.of("name", "racks", "clusterId", api.clusterId(), "levels", List.of("rack")))
            .body();
    var pool =
        api.get("/api/v1/node-pools?filterBy=name==pool-p").body().trees("nodepools").getFirst();
    api.put(
        "/api/v1/node-pools/" + pool.text("id"), Tree.of("networkTopologyId", topology.text("id")));
    for (int i = 2; i < 6; i++) {
      api.node("n-" + i, Map.of("pool", "p", "rack", "r" + i / 2));
    }
    var wrong =
        post(
            "wrong",
            "{image: x, annotations: [{name: kai.scheduler/topology-required-placement, value:"
                + " row}]}");
    assertThat(wrong.message())
        .isEqualTo(
            "Bad request - spec.annotations: kai.scheduler/topology-required-placement: \"row\" is"
                + " none of the topology's levels [rack]");
    post(
        "gang",
        "{image: x, parallelism: 2, compute: {gpuDevicesRequest: 8}, annotations: [{name:"
            + " kai.scheduler/topology-required-placement, value: rack}]}");
    api.await(() -> started("runai-first") == 2);

    var racks = new HashSet<Object>();
    for (var pod : pods("runai-first")) {
      var node = String.valueOf(pod.at("metadata", "annotations", "berth.io/planned-node"));
      racks.add(api.cluster.fetch(Resource.NODES, "", node).at("metadata", "labels", "rack"));
    }
    assertThat(racks).hasSize(1).doesNotContainNull();
  }

  private Api.Reply post(String name, String spec) {
    return api.post(
        "/api/v1/workloads/trainings",
        Tree.of(
            "name",
            name,
            "projectId",
            first,
            "clusterId",
            api.clusterId(),
            "spec",
            Yaml.read(spec)));
  }

  private List<Tree> pastUse() {
    return api.cluster
        .fetch(new Resource("berth.io", "v1alpha1", "nodepools", "NodePool", false), "", "pool-p")
        .trees("status", "pastUse");
  }

  private Tree explanation(String id) {
    return api.get("/api/v1/workloads/%s/explain".formatted(id)).body();
  }

  private String train(String name, String project, int gpus) {
    return submit(name, project, "{image: x, compute: {gpuDevicesRequest: %d}}".formatted(gpus));
  }

  private String submit(String name, String project, String spec) {
    return submit("trainings", name, project, spec);
  }

  private String submit(String type, String name, String project, String spec) {
    var reply =
        api.post(
            "/api/v1/workloads/" + type,
            Tree.of(
                "name",
                name,
                "projectId",
                project,
                "clusterId",
                api.clusterId(),
                "spec",
                Yaml.read(spec)));
    assertThat(reply.code()).as(reply.answer().text()).isEqualTo(202);
    return reply.body().textOrEmpty("workloadId");
  }

  private long started(String namespace) {
    return pods(namespace).stream().filter(FairSharingTest::isStarted).count();
  }

  private boolean isStarted(String namespace, String pod) {
    return api.cluster
        .find(Resource.PODS, namespace, pod)
        .filter(FairSharingTest::isStarted)
        .isPresent();
  }

  private static boolean isStarted(Tree pod) {
    return pod.trees("spec", "schedulingGates").isEmpty();
  }

  private List<Tree> pods(String namespace) {
    return api.cluster.all(Resource.PODS).stream()
        .filter(pod -> pod.textOrEmpty("metadata", "namespace").equals(namespace))
        .toList();
  }

  private Tree workload(String id) {
    return api.get("/api/v1/workloads/" + id).body();
  }
}
