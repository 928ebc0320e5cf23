package io.berth.placement.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.document.PlacementTest;
import io.berth.placement.document.TestReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same tests give the same bytes: on any number of threads, in any order, in any time zone.
///
/// `-Dberth.tests=200` runs more of them.
class RepeatabilityTest {

  @TempDir Path folder;

  @Test
  void resultsAreTheSameBytes() throws Exception {
    var tests = tests(Integer.getInteger("berth.tests", 12));
    var first = report(tests, 1);

    assertThat(first).contains("pending").contains("<failure");
    var home = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
      for (int threads : List.of(1, 2, 8)) {
        var shuffled = new ArrayList<>(tests);
        Collections.shuffle(shuffled, new Random(threads));
        assertThat(report(shuffled, threads)).isEqualTo(first);
      }
    } finally {
      TimeZone.setDefault(home);
    }
  }

  /// In the order of the tests, whatever the order of the runs.
  private static String report(List<PlacementTest> tests, int threads) throws Exception {
    var results = new HashMap<String, TestResult>();
    for (var result : TestRuns.run(tests, TestSources.MANIFESTS, threads)) {
      results.put(result.name(), result);
    }
    var sorted = new ArrayList<>(results.values());
    sorted.sort((a, b) -> a.name().compareTo(b.name()));
    return JunitReport.of(sorted);
  }

  private List<PlacementTest> tests(int count) throws Exception {
    Files.writeString(
        folder.resolve("web.yaml"),
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 7
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              topologySpreadConstraints:
              - maxSkew: 1
                topologyKey: topology.kubernetes.io/zone
                whenUnsatisfiable: DoNotSchedule
                labelSelector: {matchLabels: {app: web}}
              containers: [{name: web, image: web, resources: {requests: {cpu: 700m}}}]
        """);
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(
          """
          apiVersion: berth.io/v1alpha1
          kind: PlacementTest
          metadata: {name: test-%03d}
          given: [{fleet: {count: %d, zones: [a, b, c], capacity: {cpu: "2"}}}]
          when: [{apply: [web.yaml]}, {lose: {zone: %s}}]
          then:
          - nothingPending: {}
          - apart: {pods: {app: web}, by: kubernetes.io/hostname}
          - skew: {pods: {app: web}, by: topology.kubernetes.io/zone, atMost: 0}
          ---
          """
              .formatted(i, 3 + i % 7, List.of("a", "b", "c").get(i % 3)));
    }
    return TestReader.read(folder.resolve("tests.yaml"), text.toString());
  }
}
