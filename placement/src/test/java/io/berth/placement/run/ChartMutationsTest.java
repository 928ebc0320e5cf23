package io.berth.placement.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.document.PlacementTest;
import io.berth.placement.document.TestReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The sample repository passes; its chart, changed in one place at a time, does not, and the check
/// that fails is the one that was written for it.
class ChartMutationsTest {

  private static final Path SAMPLE =
      Path.of(System.getProperty("berth.root", ".."), "examples", "placement-tests");

  private static final String WEB = "kind: Deployment\nmetadata: {name: web}";
  private static final String API = "kind: Deployment\nmetadata: {name: api}";
  private static final String CACHE = "kind: StatefulSet\nmetadata: {name: cache}";
  private static final String AGENT = "kind: DaemonSet\nmetadata: {name: agent}";
  private static final String TRAINING = "kind: Job\nmetadata: {name: training}";
  private static final String BUDGET = "kind: PodDisruptionBudget\nmetadata: {name: web}";

  private static final String EVEN = "web-is-even";
  private static final String ZONE = "web-survives-a-zone";
  private static final String DRAIN = "web-drains-within-its-budget";
  private static final String APART = "cache-is-apart";
  private static final String NEAR = "api-is-near-its-cache";
  private static final String AGENTS = "agents-are-everywhere";
  private static final String GPUS = "gpus-are-for-training";
  private static final String LARGE = "the-fleet-is-large-enough";

  /// Behind `object`, the first `from` becomes `to`; `test` then fails with `failure`.
  record Mutation(String object, String from, String to, String test, String failure) {

    @Override
    public String toString() {
      return "%s: %s → %s".formatted(object.replaceAll("(?s).*name: |}", ""), from, to);
    }
  }

  static final List<Mutation> MUTATIONS =
      List.of(
          // The web servers: how many, how even, where.
          m(WEB, "replicas: 6", "replicas: 5", EVEN, "skew: the skew of app=web"),
          m(WEB, "replicas: 6", "replicas: 7", EVEN, "skew: the skew of app=web"),
          m(WEB, "replicas: 6", "replicas: 9", EVEN, "apart: pods that are app=web share a"),
          m(WEB, "replicas: 6", "replicas: 3", EVEN, "cel: size(pods.filter("),
          m(
              WEB,
              "replicas: 6",
              "replicas: 0",
              EVEN,
              "skew: it is about nothing: no pod is app=web"),
          m(WEB, "replicas: 6", "replicas: 60", EVEN, "pods are pending"),
          m(WEB, "{app: web}}\n    spec", "{app: wbe}}\n    spec", EVEN, "when[0].apply: "),
          m(
              WEB,
              "operator: NotIn, values: [spot]",
              "operator: In, values: [spot]",
              EVEN,
              "never: pods that are app=web are on nodes that are lifecycle=spot"),
          m(
              WEB,
              "operator: NotIn, values: [spot]",
              "operator: NotIn, values: [spots]",
              EVEN,
              "never: pods that are app=web are on nodes that are lifecycle=spot"),
          m(
              WEB,
              "key: lifecycle, operator: NotIn",
              "key: lifecycel, operator: NotIn",
              EVEN,
              "never: pods that are app=web are on nodes that are lifecycle=spot"),
          m(
              WEB,
              "key: lifecycle, operator: NotIn, values: [spot]",
              "key: lifecycle, operator: Exists",
              EVEN,
              "never: pods that are app=web are on nodes that are lifecycle=spot"),
          m(WEB, "cpu: 500m", "cpu: \"5\"", EVEN, "nothingPending: 6 pods are pending"),
          m(WEB, "memory: 256Mi", "memory: 256Gi", EVEN, "nothingPending: 6 pods are pending"),
          m(WEB, "cpu: 500m", "cpu: 500q", EVEN, "when[0].apply: "),
          m(
              WEB,
              "topologyKey: topology.kubernetes.io/zone",
              "topologyKey: topology.kubernetes.io/zoned",
              EVEN,
              "nothingPending: 6 pods are pending"),
          m(
              WEB,
              "requiredDuringSchedulingIgnoredDuringExecution",
              "requiredDuringSchedulingRequiredDuringExecution",
              EVEN,
              "when[0].apply: "),
          m(WEB, "maxSkew: 1", "maxSkew: 0", EVEN, "when[0].apply: "),
          m(
              WEB,
              "whenUnsatisfiable: DoNotSchedule",
              "whenUnsatisfiable: Sometimes",
              EVEN,
              "when[0].apply: "),
          m(
              WEB,
              "      affinity:\n",
              "      nodeSelector: {disk: hdd}\n      affinity:\n",
              EVEN,
              "nothingPending: 6 pods are pending"),
          m(
              WEB,
              "      affinity:\n",
              "      schedulerName: other\n      affinity:\n",
              EVEN,
              "nothingPending: 6 pods are pending"),
          m(
              WEB,
              "      affinity:\n",
              "      schedulingGates: [{name: wait}]\n      affinity:\n",
              EVEN,
              "nothingPending: 6 pods are pending"),
          m(
              WEB,
              "      affinity:\n",
              "      nodeName: plain-1\n      affinity:\n",
              EVEN,
              "skew: the skew of app=web"),
          m(
              WEB,
              "      affinity:\n",
              "      priorityClassName: none\n      affinity:\n",
              EVEN,
              "it is about nothing: no pod is app=web"),
          // A lost zone.
          m(
              WEB,
              "nodeTaintsPolicy: Honor",
              "nodeTaintsPolicy: Ignore",
              ZONE,
              "nothingPending: 2 pods are pending"),
          m(
              WEB,
              "        nodeTaintsPolicy: Honor\n",
              "",
              ZONE,
              "nothingPending: 2 pods are pending"),
          m(
              WEB,
              "      affinity:\n",
              "      tolerations: [{operator: Exists}]\n      affinity:\n",
              ZONE,
              "never: pods that are app=web are on nodes that are topology.kubernetes.io/zone=b"),
          m(
              WEB,
              "      affinity:\n",
              "      nodeSelector: {topology.kubernetes.io/zone: b}\n      affinity:\n",
              ZONE,
              "pending"),
          m(WEB, "cpu: 500m", "cpu: \"2.2\"", ZONE, "nothingPending: 2 pods are pending"),
          // A drained node.
          m(
              BUDGET,
              "minAvailable: 5",
              "minAvailable: 6",
              DRAIN,
              "never: pods that are app=web are on nodes that are plain-1"),
          m(
              BUDGET,
              "minAvailable: 5",
              "maxUnavailable: 0",
              DRAIN,
              "never: pods that are app=web are on nodes that are plain-1"),
          m(
              BUDGET,
              "minAvailable: 5",
              "minAvailable: 100%",
              DRAIN,
              "never: pods that are app=web are on nodes that are plain-1"),
          // The caches.
          m(
              CACHE,
              "replicas: 3",
              "replicas: 4",
              APART,
              "nothingPending: 1 pod is pending: default/cache-3"),
          m(CACHE, "replicas: 3", "replicas: 2", APART, "cel: size(pods.filter("),
          m(
              CACHE,
              "topologyKey: topology.kubernetes.io/zone",
              "topologyKey: kubernetes.io/os",
              APART,
              "nothingPending: 1 pod is pending: default/cache-1"),
          m(
              CACHE,
              "podAntiAffinity",
              "podAffinity",
              APART,
              "apart: pods that are app=cache share a"),
          m(
              CACHE,
              "disk: ssd",
              "disk: hdd",
              APART,
              "nothingPending: 1 pod is pending: default/cache-0"),
          m(
              CACHE,
              "      nodeSelector: {disk: ssd}\n",
              "",
              APART,
              "placed: not on a node that is disk=ssd"),
          m(CACHE, "      priorityClassName: shop-critical\n", "", APART, "cel: pods.filter("),
          m(
              "metadata: {name: shop-critical}",
              "value: 1000",
              "value: 10",
              APART,
              "cel: pods.filter("),
          m(
              CACHE,
              "cpu: \"1\"",
              "cpu: \"10\"",
              APART,
              "nothingPending: 1 pod is pending: default/cache-0"),
          // What is near them.
          m(
              API,
              "podAffinity",
              "podAntiAffinity",
              NEAR,
              "together: pods that are app=api are without any that is app=cache"),
          m(
              API,
              "topologyKey: kubernetes.io/hostname",
              "topologyKey: kubernetes.io/os",
              NEAR,
              "together: pods that are app=api are without any that is app=cache"),
          m(
              API,
              "matchLabels: {app: cache}",
              "matchLabels: {app: cash}",
              NEAR,
              "nothingPending: 3 pods are pending"),
          m(
              CACHE,
              "disk: ssd",
              "lifecycle: spot",
              NEAR,
              "never: pods that are app=api are on nodes that are lifecycle=spot"),
          // The agents.
          m(AGENT, "      tolerations: [{operator: Exists}]\n", "", AGENTS, "cel: nodes.all("),
          m(
              AGENT,
              "{operator: Exists}",
              "{key: nvidia.com/gpu, operator: Exists}",
              AGENTS,
              "cel: nodes.all("),
          m(AGENT, "cpu: 100m", "cpu: \"100\"", AGENTS, "nothingPending: 12 pods are pending"),
          m(
              AGENT,
              "      tolerations",
              "      nodeSelector: {disk: ssd}\n      tolerations",
              AGENTS,
              "cel: nodes.all("),
          // The GPUs.
          m(
              TRAINING,
              "accelerator: nvidia",
              "accelerator: amd",
              GPUS,
              "placed: not placed: default/training-"),
          m(
              TRAINING,
              "tolerations: [{key: nvidia.com/gpu, operator: Exists}]",
              "tolerations: []",
              GPUS,
              "placed: not placed: default/training-"),
          m(TRAINING, "parallelism: 2", "parallelism: 1", GPUS, "cel: size(pods.filter("),
          m(
              TRAINING,
              "nvidia.com/gpu: 1",
              "nvidia.com/gpu: 2",
              GPUS,
              "placed: not placed: default/training-"),
          m(
              TRAINING,
              "limits: {nvidia.com/gpu: 1}",
              "requests: {cpu: 1}",
              LARGE,
              "pending: default/third-gpu is not pending"));

  /// Some of them, from all parts; `-Dberth.mutations=100` runs all.
  static List<Mutation> mutations() {
    int wanted = Math.min(MUTATIONS.size(), Integer.getInteger("berth.mutations", 9));
    var some = new ArrayList<Mutation>();
    for (int i = 0; i < wanted; i++) {
      some.add(MUTATIONS.get(i * MUTATIONS.size() / wanted));
    }
    return some;
  }

  @TempDir Path folder;

  @Test
  void passesAsItIs() throws Exception {
    copy();

    assertThat(results(folder)).allMatch(TestResult::passed).hasSize(8);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutations")
  void failsForTheRightReason(Mutation m) throws Exception {
    copy();
    var file = folder.resolve("rendered/shop.yaml");
    var text = Files.readString(file);
    int object = text.indexOf(m.object());
    int at = text.indexOf(m.from(), object);
    assertThat(object).isNotNegative();
    assertThat(at).as("%s", m.from()).isGreaterThan(object);
    Files.writeString(
        file, text.substring(0, at) + m.to() + text.substring(at + m.from().length()));

    var failures = new ArrayList<String>();
    for (var test : tests(folder)) {
      if (test.name().equals(m.test())) {
        TestRun.of(test, TestSources.MANIFESTS)
            .failures()
            .forEach(failure -> failures.add(String.join("\n", failure.lines())));
      }
    }
    assertThat(failures).anyMatch(failure -> failure.contains(m.failure()));
  }

  private static Mutation m(String object, String from, String to, String test, String failure) {
    return new Mutation(object, from, to, test, failure);
  }

  private void copy() throws IOException {
    try (var files = Files.walk(SAMPLE)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var target = folder.resolve(SAMPLE.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }

  private static List<TestResult> results(Path folder) throws Exception {
    return TestRuns.run(tests(folder), TestSources.MANIFESTS, 2);
  }

  private static List<PlacementTest> tests(Path folder) {
    var tests = new ArrayList<PlacementTest>();
    TestReader.files(List.of(folder.resolve("tests")))
        .forEach(file -> tests.addAll(TestReader.read(file)));
    return tests;
  }
}
