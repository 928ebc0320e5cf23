package io.berth.controllers.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Events;
import io.berth.controllers.runtime.PodControl;
import io.berth.testing.FakeCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// How long the next pod of a Job waits.
class JobPodsTest {

  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

  @Test
  void failuresInARowDoubleTheWait() {
    var job = new Tree();
    assertThat(wait(job)).isZero();
    assertThat(wait(job, pod("Failed", 4))).hasSeconds(6);
    assertThat(wait(job, pod("Failed", 14), pod("Failed", 4))).hasSeconds(16);
    assertThat(wait(job, pod("Failed", 11))).isZero();
  }

  @Test
  void aSuccessForgetsTheFailuresBeforeIt() {
    var job = new Tree();
    assertThat(wait(job, pod("Failed", 9), pod("Failed", 8), pod("Succeeded", 5))).isZero();
    assertThat(wait(job, pod("Failed", 9), pod("Succeeded", 5), pod("Failed", 4))).hasSeconds(6);
  }

  @Test
  void itNeverTakesLongerThanTenMinutes() {
    var pods = new Tree[20];
    for (int i = 0; i < pods.length; i++) {
      pods[i] = pod("Failed", 60);
    }
    assertThat(wait(new Tree(), pods)).hasMinutes(9);
  }

  @Test
  void indexesWithTheirOwnLimitWaitForThemselves() {
    var job = Tree.of("backoffLimitPerIndex", 2, "completions", 4, "completionMode", "Indexed");
    var pods =
        new Tree[] {indexed(0, 0, 4), indexed(1, 0, 9), indexed(2, 0, 90), indexed(2, 1, 13)};
    assertThat(wait(job, pods)).as("of the whole Job").isZero();
    assertThat(of(job, pods).backoff(0)).hasSeconds(6);
    assertThat(of(job, pods).backoff(1)).hasSeconds(1);
    assertThat(of(job, pods).backoff(2)).as("failed twice").hasSeconds(7);
    assertThat(of(job, pods).backoff(3)).isZero();
  }

  private static Duration wait(Tree spec, Tree... pods) {
    return of(spec, pods).backoff();
  }

  private static JobPods of(Tree spec, Tree... pods) {
    var job = Tree.of("metadata", Tree.of("name", "pi", "namespace", "default"), "spec", spec);
    InstantSource clock = InstantSource.fixed(NOW);
    var cluster = new FakeCluster(clock);
    var events = new Events(cluster, clock).from("job-controller");
    var control = new PodControl(cluster, Resource.JOBS, events);
    var tally = new JobTally(job, Set.of());
    tally.take(List.of(pods), false);
    return new JobPods(control, job, List.of(pods), tally, NOW);
  }

  private static Tree indexed(int index, int failuresBefore, int secondsAgo) {
    var pod = pod("Failed", secondsAgo);
    pod.child("metadata")
        .put("uid", "%d-%d".formatted(index, failuresBefore))
        .put("finalizers", List.of(JobTally.FINALIZER))
        .put(
            "annotations",
            Tree.of(
                JobTally.INDEX,
                String.valueOf(index),
                "batch.kubernetes.io/job-index-failure-count",
                String.valueOf(failuresBefore)));
    return pod;
  }

  private static Tree pod(String phase, int secondsAgo) {
    var ended = Tree.of("finishedAt", NOW.minusSeconds(secondsAgo).toString());
    var container = Tree.of("state", Tree.of("terminated", ended));
    return Tree.of("metadata", Tree.of("creationTimestamp", NOW.minusSeconds(600).toString()))
        .put("status", Tree.of("phase", phase, "containerStatuses", List.of(container)));
  }
}
