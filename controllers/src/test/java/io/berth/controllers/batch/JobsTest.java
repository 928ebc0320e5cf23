package io.berth.controllers.batch;

import static io.berth.testing.Samples.podSpec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.World;
import io.berth.controllers.core.GarbageCollector;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import java.time.Duration;
import java.util.HashSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobsTest {

  private final World world =
      new World(
              Jobs::new,
              CronJobs::new,
              TtlAfterFinished::new,
              GarbageCollector::new,
              World.kubelets())
          .withNodes(2)
          .start();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void runsToCompletionAndCountsEachPodOnce() {
    world.create(Resource.JOBS, job(Tree.of("completions", 5, "parallelism", 2)));
    for (int i = 0; i < 3; i++) {
      world.await("pods run", c -> c.all(Resource.PODS).stream().anyMatch(Pods::isReady));
      world.advance(Duration.ofSeconds(11));
      world.settle();
    }
    world.awaitObject(Resource.JOBS, "pi", job -> Conditions.isTrue(job, "Complete"));
    var status = world.get(Resource.JOBS, "pi").treeOrEmpty("status");
    assertThat(status.number(0, "succeeded")).isEqualTo(5);
    assertThat(status.treeOrEmpty("uncountedTerminatedPods").isEmpty()).isTrue();
    assertThat(status.text("completionTime")).isNotNull();
    assertThat(world.pods()).hasSize(5);
    for (var pod : world.pods()) {
      assertThat(Meta.hasFinalizer(pod, JobTally.FINALIZER)).isFalse();
    }
  }

  @Test
  void givesUpAfterTheBackoffLimit() {
    var job = job(Tree.of("backoffLimit", 1));
    job.child("spec")
        .child("template")
        .child("metadata")
        .put("annotations", Tree.of("berth.io/run-for", "1s", "berth.io/exit-code", "7"));
    world.create(Resource.JOBS, job);
    for (int i = 0; i < 8; i++) {
      world.settle();
      world.advance(Duration.ofSeconds(6));
    }
    world.awaitObject(Resource.JOBS, "pi", j -> Conditions.isTrue(j, "Failed"));
    var status = world.get(Resource.JOBS, "pi").treeOrEmpty("status");
    assertThat(status.number(0, "failed")).isEqualTo(2);
    var failed = Conditions.find(world.get(Resource.JOBS, "pi"), "Failed");
    assertThat(failed == null ? "" : failed.textOrEmpty("reason"))
        .isEqualTo("BackoffLimitExceeded");
  }

  @Test
  void indexedPodsCarryTheirIndex() {
    world.create(
        Resource.JOBS,
        job(Tree.of("completions", 3, "parallelism", 3, "completionMode", "Indexed")));
    world.await(
        "three ready", c -> c.all(Resource.PODS).stream().filter(Pods::isReady).count() == 3);
    var indexes = new HashSet<String>();
    for (var pod : world.pods()) {
      indexes.add(String.valueOf(Meta.label(pod, JobTally.INDEX)));
      assertThat(pod.text("spec", "hostname")).isEqualTo("pi-" + Meta.label(pod, JobTally.INDEX));
    }
    assertThat(indexes).containsExactlyInAnyOrder("0", "1", "2");
    world.advance(Duration.ofSeconds(11));
    world.awaitObject(Resource.JOBS, "pi", job -> Conditions.isTrue(job, "Complete"));
    assertThat(world.get(Resource.JOBS, "pi").text("status", "completedIndexes")).isEqualTo("0-2");
  }

  @Test
  void suspensionRemovesPodsAndResumptionBringsThemBack() {
    world.create(Resource.JOBS, job(Tree.of("suspend", true)));
    world.awaitObject(Resource.JOBS, "pi", job -> Conditions.isTrue(job, "Suspended"));
    assertThat(world.pods()).isEmpty();
    world.cluster.edit(
        Resource.JOBS, "default", "pi", job -> job.child("spec").put("suspend", false));
    world.await("a pod", c -> c.all(Resource.PODS).size() == 1);
  }

  @Test
  void deletionLetsPodsGo() {
    world.create(Resource.JOBS, job(new Tree()));
    world.await("a pod", c -> c.all(Resource.PODS).stream().anyMatch(Pods::isReady));
    world.cluster.delete(Resource.JOBS, "default", "pi", new DeleteOptions(-1, null, "Background"));
    world.await("no pods", c -> c.all(Resource.PODS).isEmpty());
  }

  @Test
  void finishedJobsLiveAsLongAsTold() {
    world.create(Resource.JOBS, job(Tree.of("ttlSecondsAfterFinished", 60)));
    world.await("a pod", c -> c.all(Resource.PODS).stream().anyMatch(Pods::isReady));
    world.advance(Duration.ofSeconds(11));
    world.awaitObject(Resource.JOBS, "pi", job -> Conditions.isTrue(job, "Complete"));
    world.settle();
    world.advance(Duration.ofSeconds(61));
    world.awaitGone(Resource.JOBS, "pi");
  }

  @Test
  void aCronJobStartsOnTheMinuteAndForgetsOldJobs() {
    var cron =
        Tree.of("metadata", Tree.of("name", "tick", "namespace", "default"))
            .put(
                "spec",
                Tree.of("schedule", "* * * * *", "successfulJobsHistoryLimit", 1)
                    .put("concurrencyPolicy", "Allow")
                    .put("jobTemplate", Tree.of("spec", job(new Tree()).get("spec"))));
    world.create(Resource.CRON_JOBS, cron);
    world.settle();
    for (int i = 0; i < 16; i++) {
      world.advance(Duration.ofSeconds(15));
      world.settle();
    }
    world.await("a job", c -> !c.all(Resource.JOBS).isEmpty());
    assertThat(world.cluster.all(Resource.JOBS).size()).isLessThanOrEqualTo(3);
    assertThat(world.get(Resource.CRON_JOBS, "tick").text("status", "lastScheduleTime"))
        .isNotNull();
  }

  private static Tree job(Tree spec) {
    var labels = Tree.of("job-name", "pi");
    var template = Tree.of("metadata", Tree.of("labels", labels), "spec", podSpec());
    template.child("spec").put("restartPolicy", "Never");
    spec.putIfAbsent("completions", 1)
        .putIfAbsent("parallelism", 1)
        .putIfAbsent("backoffLimit", 6)
        .put("selector", Tree.of("matchLabels", labels.copy()))
        .put("template", template);
    return Tree.of("metadata", Tree.of("name", "pi", "namespace", "default"), "spec", spec);
  }
}
