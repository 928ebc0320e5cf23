package io.berth.junit;

import static io.berth.junit.PodSet.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Resource;
import io.berth.cluster.Cluster.Selection;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

@BerthCluster(fleet = "{count: 6, zones: [a, b, c]}")
class BerthClusterTest {

  private static final Map<String, String> WEB = Map.of("app", "web");

  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            affinity:
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}
            containers: [{name: web, image: web}]
      """;

  @Test
  void survivesAZone(TestCluster cluster) {
    cluster.apply(DEPLOYMENT).step("lose: {zone: b}");

    assertThat(cluster.pods(WEB)).arePlaced().areApartBy("kubernetes.io/hostname");
    assertThat(cluster.pods(WEB).nodes()).hasSize(3).doesNotContain("node-2", "node-5");
    assertThatThrownBy(() -> cluster.pods(WEB).areTogetherBy("kubernetes.io/hostname"))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("together: pods that are app=web are in 3 of");
  }

  @Test
  void cronJobsRunWhenTimePasses(TestCluster cluster) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: report}
        spec:
          schedule: "*/10 * * * *"
          jobTemplate:
            spec:
              template:
                spec: {restartPolicy: Never, containers: [{name: report, image: report}]}
        """);

    cluster.passes(Duration.ofMinutes(25));

    assertThat(cluster.api().list(Resource.JOBS, "", Selection.ALL).items()).hasSize(2);
  }

  @Test
  @BerthCluster
  void methodsMayHaveTheirOwn(TestCluster cluster) {
    cluster.step("pod: {name: waits}");

    cluster.check("pending: {pod: waits}");
  }
}
