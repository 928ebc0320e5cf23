package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FeatureGates;
import io.berth.api.Tree;
import io.berth.cli.LocalCluster;
import io.berth.cli.Port;
import io.berth.cli.SchedulerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Projects share the GPUs of a whole cluster, with its scheduler and simulated nodes, through
/// REST: pool `big` has four nodes with eight GPUs, pool `small` two with four.
class FairSharingTest {

  private static final String FLEET =
      """
      apiVersion: berth.io/v1alpha1
      kind: NodeFleet
      metadata: {name: big}
      spec:
        count: 4
        labels: {pool: big, nvidia.com/gpu.memory: "81920"}
        capacity: {cpu: "64", memory: 512Gi, nvidia.com/gpu: 8}
      ---
      apiVersion: berth.io/v1alpha1
      kind: NodeFleet
      metadata: {name: small}
      spec:
        count: 2
        labels: {pool: small, nvidia.com/gpu.memory: "81920"}
        capacity: {cpu: "64", memory: 512Gi, nvidia.com/gpu: 4}
      """;

  private static LocalCluster.Running cluster;
  private static WorkloadApi api;
  private static String red;
  private static String blue;
  private static String green;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    var fleet = folder.resolve("fleet.yaml");
    Files.writeString(fleet, FLEET);
    var options =
        new LocalCluster.Options(
            folder.resolve("cluster"),
            true,
            "127.0.0.1",
            Port.any(),
            folder.resolve("kubeconfig"),
            false,
            new LocalCluster.Simulation(0, fleet, 10),
            SchedulerSettings.DEFAULT,
            LocalCluster.AdmissionOptions.DEFAULT,
            Port.any(),
            LocalCluster.CredentialFiles.NONE,
            FeatureGates.DEFAULT);
    cluster = EmbeddedCluster.start(options);
    api = new WorkloadApi(cluster.facts().textOrEmpty("workloads"), options.folder());
    api.pool("big", "big");
    api.pool("small", "small");
    red = api.project("red", 8, "big", "small");
    blue = api.project("blue", 8, "big");
    green = api.project("green", 16, "big");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void clear() {
    api.deleteAll();
  }

  @Test
  void whatIsBorrowedGoesBackAndNothingMore() {
    var borrowed = new ArrayList<String>();
    for (int i = 0; i < 8; i++) {
      borrowed.add(train("borrowed" + i, red, gpus(4)));
    }
    awaitRunning(borrowed);
    var own = train("own", blue, gpus(8));
    awaitRunning(List.of(own));
    var gang =
        api.submit(
            "distributed",
            "gang",
            green,
            gpus(8).put("numWorkers", 1).put("distributedFramework", "PyTorch"));
    awaitRunning(List.of(gang));

    // 32 GPUs were borrowed or owned; 8 and 16 had to come back, in fours.
    assertThat(borrowed.stream().filter(FairSharingTest::wasPreempted)).hasSize(6);
    awaitRunning(borrowed.stream().filter(id -> !wasPreempted(id)).toList());
    assertThat(wasPreempted(own)).isFalse();
    var victim = borrowed.stream().filter(FairSharingTest::wasPreempted).findFirst().orElseThrow();
    assertThat(api.events(victim, "Preempted").getFirst().textOrEmpty("message"))
        .matches(
            "Pod runai-red/borrowed\\d-0-0 was preempted by workload runai-(blue/own|green/gang)\\."
                + " .*");
  }

  @Test
  void aGangIsPlacedWholeInOnePoolOrWaits() {
    var holder = api.submit("workspaces", "holder", green, gpus(8));
    awaitRunning(List.of(holder));
    var wide = gang("wide", red, 4, 8, "small", "big");
    var narrow = gang("narrow", red, 2, 4, "small", "big");
    awaitRunning(List.of(narrow));

    assertThat(poolsOf(narrow)).containsExactly("small");
    assertThat(nodesOf(wide)).isEmpty();
    api.call("DELETE", "/api/v1/workloads/workspaces/" + holder, null);
    awaitRunning(List.of(wide));

    assertThat(poolsOf(wide)).containsExactly("big");
    assertThat(new HashSet<>(nodesOf(wide))).hasSize(4);
  }

  @Test
  void whatIsNotPreemptibleStaysWithinTheQuota() {
    var first = api.submit("workspaces", "first", blue, gpus(8));
    awaitRunning(List.of(first));
    var second = api.submit("workspaces", "second", blue, gpus(1));
    api.await("a reason", () -> phaseReason(second).equals("NonPreemptibleOverQuota"));

    assertThat(api.get("/api/v1/workloads/" + second).textOrEmpty("phaseMessage"))
        .isEqualTo(
            "Non-preemptible workload is over quota. Workload requested 1 GPUs, but blue quota is 8"
                + " GPUs, while 8 GPUs are already allocated for non-preemptible pods. Use a"
                + " preemptible workload to go over quota.");
    assertThat(api.events(second, "NonPreemptibleOverQuota")).hasSize(1);
    assertThat(condition(second, "Scheduled").textOrEmpty("status")).isEqualTo("False");
  }

  @Test
  void partsOfDevicesAddUpToNoMoreThanOne() {
    var parts = List.of(0.5, 0.3, 0.3, 0.7, 0.2);
    var ids = new ArrayList<String>();
    for (int i = 0; i < parts.size(); i++) {
      ids.add(train("part" + i, red, portion(parts.get(i))));
    }
    ids.add(train("bytes", red, memory("40Gi")));
    awaitRunning(ids);

    var status = api.get("/api/v1/org-unit/projects/" + red).treeOrEmpty("status", "quotaStatus");
    assertThat(status.at("allocated", "gpu")).isEqualTo(2.5);
    // Three devices are shared, so three of the pool's 32 are not for anybody alone.
    var whole = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      whole.add(train("whole" + i, green, gpus(8)));
    }
    api.await(
        "three run",
        () -> whole.stream().filter(id -> api.phase(id).equals("Running")).count() == 3);
    api.await(
        "one is told",
        () -> whole.stream().anyMatch(id -> api.events(id, "Unschedulable").size() == 1));
    assertThat(ids).allMatch(id -> api.phase(id).equals("Running"));
  }

  @Test
  void higherPriorityComesFirstInItsProject() {
    var low = new ArrayList<String>();
    for (int i = 0; i < 8; i++) {
      low.add(train("low" + i, red, gpus(4).put("priorityClass", "low")));
    }
    awaitRunning(low);
    var high =
        train(
            "high", red, gpus(4).put("priorityClass", "high").put("preemptibility", "preemptible"));
    awaitRunning(List.of(high));

    assertThat(low.stream().filter(FairSharingTest::wasPreempted)).hasSize(1);
    var victim = low.stream().filter(FairSharingTest::wasPreempted).findFirst().orElseThrow();
    assertThat(condition(victim, "Preempted").textOrEmpty("reason")).isEqualTo("Preempt");
  }

  @Test
  void gangsMoveTogetherWhenThatMakesRoom() {
    var halves = new ArrayList<String>();
    for (int i = 0; i < 8; i++) {
      halves.add(train("half" + i, i < 4 ? green : red, gpus(4)));
    }
    awaitRunning(halves);
    // One half of two nodes becomes free: eight GPUs, but no whole node.
    var byNode = new HashMap<String, List<String>>();
    halves.forEach(
        id -> byNode.computeIfAbsent(nodesOf(id).getFirst(), _ -> new ArrayList<>()).add(id));
    var gone = byNode.values().stream().limit(2).map(List::getFirst).toList();
    gone.forEach(id -> api.call("DELETE", "/api/v1/workloads/trainings/" + id, null));
    halves.removeAll(gone);
    var whole = train("whole", blue, gpus(8));
    awaitRunning(List.of(whole));
    awaitRunning(halves);

    assertThat(halves.stream().filter(FairSharingTest::wasPreempted)).hasSize(1);
  }

  @Test
  void whatIsSuspendedGivesWayAndComesBack() {
    var first = gang("first", green, 2, 8);
    awaitRunning(List.of(first));
    api.call("POST", "/api/v1/workloads/distributed/%s/suspend".formatted(first), null);
    api.await("stopped", () -> api.phase(first).equals("Stopped"));

    assertThat(api.pods(first)).isEmpty();
    api.call("POST", "/api/v1/workloads/distributed/%s/resume".formatted(first), null);
    awaitRunning(List.of(first));
  }

  private static boolean wasPreempted(String id) {
    return !api.events(id, "Preempted").isEmpty();
  }

  private static String train(String name, String project, Tree spec) {
    return api.submit("trainings", name, project, spec.put("nodePools", List.of("big")));
  }

  private static String gang(String name, String project, int pods, int gpus, Object... pools) {
    var spec = gpus(gpus).put("distributedFramework", "PyTorch").put("numWorkers", pods - 1);
    return api.submit(
        "distributed",
        name,
        project,
        pools.length == 0 ? spec : spec.put("nodePools", List.of(pools)));
  }

  private static Tree gpus(int devices) {
    return Tree.of("compute", Tree.of("gpuDevicesRequest", devices));
  }

  private static Tree portion(double part) {
    return Tree.of(
        "compute",
        Tree.of("gpuDevicesRequest", 1, "gpuRequestType", "portion", "gpuPortionRequest", part));
  }

  private static Tree memory(String bytes) {
    return Tree.of(
        "compute",
        Tree.of("gpuDevicesRequest", 1, "gpuRequestType", "memory", "gpuMemoryRequest", bytes));
  }

  private static void awaitRunning(List<String> ids) {
    api.await("all run", () -> ids.stream().allMatch(id -> api.phase(id).equals("Running")));
  }

  private static String phaseReason(String id) {
    return api.get("/api/v1/workloads/" + id).textOrEmpty("phaseReason");
  }

  private static Tree condition(String id, String type) {
    return api.get("/api/v1/workloads/" + id).trees("conditions").stream()
        .filter(each -> each.textOrEmpty("type").equals(type))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> nodesOf(String id) {
    return api.pods(id).stream()
        .filter(pod -> pod.text("nodeName") != null)
        .map(pod -> pod.textOrEmpty("nodeName"))
        .toList();
  }

  private static List<String> poolsOf(String id) {
    return api.pods(id).stream().map(pod -> pod.textOrEmpty("currentNodePool")).distinct().toList();
  }
}
