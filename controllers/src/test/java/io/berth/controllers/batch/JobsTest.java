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
import io.berth.testing.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
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
    world.create(Resource.JOBS, failing("Never", Tree.of("backoffLimit", 1)));
    advanceUntilItHas("Failed");
    var status = world.get(Resource.JOBS, "pi").treeOrEmpty("status");
    assertThat(status.number(0, "failed")).isEqualTo(2);
    var failed = Conditions.find(world.get(Resource.JOBS, "pi"), "Failed");
    assertThat(failed == null ? "" : failed.textOrEmpty("reason"))
        .isEqualTo("BackoffLimitExceeded");
  }

  @Test
  void restartsInPlaceCountAgainstTheBackoffLimitAndThePodIsNotReplaced() {
    world.create(Resource.JOBS, failing("OnFailure", Tree.of("backoffLimit", 1)));
    advanceUntilItHas("Failed");
    world.await("no pods", c -> c.all(Resource.PODS).isEmpty());
    assertThat(world.get(Resource.JOBS, "pi").number(0, "status", "failed")).isEqualTo(1);
    assertThat(world.get(Resource.JOBS, "pi").number(-1, "status", "ready")).isZero();
  }

  @Test
  void eachIndexHasItsOwnRetries() {
    var spec =
        Tree.of("completions", 3, "parallelism", 3, "completionMode", "Indexed")
            .put("backoffLimitPerIndex", 1);
    world.create(Resource.JOBS, failing("Never", spec));
    advanceUntilItHas("Failed");
    assertThat(world.get(Resource.JOBS, "pi").text("status", "failedIndexes")).isEqualTo("0-2");
    assertThat(world.pods()).hasSize(6);
  }

  /// Failures that the policy ignores do not bring an index nearer to its limit, and a deleted pod
  /// takes no count with it.
  @Test
  void countsTheFailuresOfAnIndexFromPodToPod() {
    var ignored = Tree.of("type", "DisruptionTarget", "status", "True");
    var spec =
        Tree.of("completions", 1, "completionMode", "Indexed", "backoffLimitPerIndex", 1)
            .put("podReplacementPolicy", "Failed")
            .put(
                "podFailurePolicy",
                Tree.of(
                    "rules",
                    List.of(Tree.of("action", "Ignore", "onPodConditions", List.of(ignored)))));
    world.create(Resource.JOBS, lasting(spec));
    failIndex(true);
    failIndex(false);
    failIndex(false);
    advanceUntilItHas("Failed");
    var history = new ArrayList<String>();
    for (var change : world.cluster.history()) {
      if (change.resource().equals("pods") && change.kind() == FakeCluster.Kind.ADDED) {
        history.add(
            Meta.annotation(change.object(), JobPods.FAILURES)
                + "+"
                + Meta.annotation(change.object(), JobPods.IGNORED_FAILURES));
      }
    }
    assertThat(history).containsExactly("0+null", "0+1", "1+1");
    assertThat(world.get(Resource.JOBS, "pi").number(0, "status", "failed")).isEqualTo(2);
  }

  /// The only pod fails, is deleted as well, and another one comes.
  private void failIndex(boolean disrupted) {
    awaitReady(1);
    var pod = running(world.cluster).getFirst();
    world.cluster.edit(
        Resource.PODS,
        "default",
        Meta.name(pod),
        failed -> {
          var condition = Tree.of("type", "DisruptionTarget", "status", "True");
          failed
              .child("status")
              .put("phase", "Failed")
              .put("conditions", disrupted ? List.of(condition) : List.of());
        });
    world.cluster.delete(Resource.PODS, "default", Meta.name(pod), DeleteOptions.DEFAULT);
    for (int i = 0;
        i < 40 && world.cluster.find(Resource.PODS, "default", Meta.name(pod)).isPresent();
        i++) {
      world.settle();
      world.advance(Duration.ofSeconds(2));
    }
  }

  @Test
  void successByPolicyDoesNotCountTheOthersAsFailed() {
    var spec =
        Tree.of("completions", 2, "parallelism", 2, "completionMode", "Indexed")
            .put("successPolicy", Tree.of("rules", List.of(Tree.of("succeededIndexes", "0"))));
    world.create(Resource.JOBS, job(spec));
    world.await("both run", c -> c.all(Resource.PODS).stream().filter(Pods::isReady).count() == 2);
    var first =
        world.pods().stream()
            .filter(pod -> "0".equals(Meta.label(pod, JobTally.INDEX)))
            .findFirst()
            .orElseThrow();
    world.cluster.edit(
        Resource.PODS,
        "default",
        Meta.name(first),
        pod -> pod.child("status").put("phase", "Succeeded"));
    world.awaitObject(Resource.JOBS, "pi", j -> Conditions.isTrue(j, "Complete"));
    var status = world.get(Resource.JOBS, "pi").treeOrEmpty("status");
    assertThat(status.number(0, "succeeded")).isEqualTo(1);
    assertThat(status.number(0, "failed")).isZero();
    world.await("the other is gone", c -> c.all(Resource.PODS).size() == 1);
  }

  @Test
  void leavesAloneWhatAnotherControllerRuns() {
    world.create(Resource.JOBS, job(Tree.of("managedBy", "example.com/queue")));
    var other = job(new Tree());
    other.child("metadata").put("name", "other");
    world.create(Resource.JOBS, other);
    world.await("a pod of the other", c -> c.all(Resource.PODS).size() == 1);
    world.settle();
    assertThat(world.pods()).hasSize(1);
    assertThat(world.get(Resource.JOBS, "pi").treeOrEmpty("status").isEmpty()).isTrue();
  }

  private void advanceUntilItHas(String condition) {
    for (int i = 0; i < 200 && !Conditions.isTrue(world.get(Resource.JOBS, "pi"), condition); i++) {
      world.settle();
      world.advance(Duration.ofSeconds(2));
    }
    world.awaitObject(Resource.JOBS, "pi", job -> Conditions.isTrue(job, condition));
  }

  private static Tree failing(String restartPolicy, Tree more) {
    var job = job(more);
    var template = job.child("spec").child("template");
    template
        .child("metadata")
        .put("annotations", Tree.of("berth.io/run-for", "1s", "berth.io/exit-code", "7"));
    template.child("spec").put("restartPolicy", restartPolicy);
    return job;
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

  /// Pods that the controller itself takes away have not failed, and nothing waits for them.
  @Test
  void podsTakenAwayBySuspensionDoNotCountAsFailed() {
    world.create(
        Resource.JOBS, lasting(Tree.of("completions", 3, "parallelism", 3, "backoffLimit", 0)));
    awaitReady(3);
    edit(job -> job.child("spec").put("suspend", true));
    world.awaitObject(Resource.JOBS, "pi", job -> Conditions.isTrue(job, "Suspended"));
    world.await("no pods", c -> c.all(Resource.PODS).isEmpty());
    edit(job -> job.child("spec").put("suspend", false));
    awaitReady(3);
    var status = world.get(Resource.JOBS, "pi").treeOrEmpty("status");
    assertThat(status.number(0, "failed")).isZero();
    assertThat(Conditions.find(world.get(Resource.JOBS, "pi"), "FailureTarget")).isNull();
  }

  @Test
  void fewerPodsAtATimeIsNoFailure() {
    world.create(
        Resource.JOBS, lasting(Tree.of("completions", 9, "parallelism", 3, "backoffLimit", 0)));
    awaitReady(3);
    edit(job -> job.child("spec").put("parallelism", 1));
    world.await("one pod", c -> c.all(Resource.PODS).size() == 1);
    world.awaitObject(
        Resource.JOBS,
        "pi",
        job ->
            job.number(0, "status", "active") == 1 && job.number(1, "status", "terminating") == 0);
    assertThat(world.get(Resource.JOBS, "pi").number(0, "status", "failed")).isZero();
  }

  /// The higher indexes go, and what they have done does not count for the lower ones.
  @Test
  void anIndexedJobCanShrink() {
    world.create(
        Resource.JOBS,
        lasting(Tree.of("completions", 3, "parallelism", 3, "completionMode", "Indexed")));
    awaitReady(3);
    world.cluster.edit(
        Resource.PODS,
        "default",
        ofIndex("2"),
        pod -> pod.child("status").put("phase", "Succeeded"));
    world.awaitObject(
        Resource.JOBS, "pi", job -> "2".equals(job.text("status", "completedIndexes")));
    edit(job -> job.child("spec").put("completions", 1).put("parallelism", 1));
    world.await("index 1 is gone", c -> running(c).size() == 1);
    assertThat(running(world.cluster)).allMatch(pod -> "0".equals(Meta.label(pod, JobTally.INDEX)));
    world.awaitObject(Resource.JOBS, "pi", job -> job.text("status", "completedIndexes") == null);
    assertThat(Conditions.find(world.get(Resource.JOBS, "pi"), "SuccessCriteriaMet")).isNull();
  }

  private static List<Tree> running(FakeCluster cluster) {
    return cluster.all(Resource.PODS).stream().filter(Pods::isActive).toList();
  }

  private String ofIndex(String index) {
    return world.pods().stream()
        .filter(pod -> index.equals(Meta.label(pod, JobTally.INDEX)))
        .map(Meta::name)
        .findFirst()
        .orElseThrow();
  }

  private void edit(Consumer<Tree> change) {
    world.cluster.edit(Resource.JOBS, "default", "pi", change);
  }

  private void awaitReady(int count) {
    world.await(
        count + " ready",
        c -> c.all(Resource.PODS).stream().filter(Pods::isReady).count() == count);
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

  @Test
  void aCronJobWithAPauseStartsThatLongAfterTheLastStart() {
    var cron =
        Tree.of("metadata", Tree.of("name", "tick", "namespace", "default"))
            .put(
                "spec",
                Tree.of("schedule", "@every 90s")
                    .put("jobTemplate", Tree.of("spec", job(new Tree()).get("spec"))));
    var created = Meta.created(world.create(Resource.CRON_JOBS, cron));
    for (int start = 1; start <= 3; start++) {
      world.settle();
      world.advance(Duration.ofSeconds(91));
      var due = Meta.time(created.plusSeconds(90L * start));
      world.awaitObject(
          Resource.CRON_JOBS,
          "tick",
          known -> due.equals(known.text("status", "lastScheduleTime")));
    }
  }

  /// A Job that a user starts by hand is not the CronJob's to replace.
  @Test
  void aCronJobLeavesJobsThatItDidNotStart() {
    var cron =
        Tree.of("metadata", Tree.of("name", "tick", "namespace", "default"))
            .put(
                "spec",
                Tree.of("schedule", "* * * * *", "timeZone", "Asia/Kolkata")
                    .put("concurrencyPolicy", "Replace")
                    .put("jobTemplate", Tree.of("spec", lasting(new Tree()).get("spec"))));
    var owner = world.create(Resource.CRON_JOBS, cron);
    var byHand = lasting(new Tree());
    byHand
        .child("metadata")
        .put("ownerReferences", List.of(Meta.controllerRef(Resource.CRON_JOBS, owner)));
    world.create(Resource.JOBS, byHand);
    world.await("a pod", c -> !c.all(Resource.PODS).isEmpty());
    for (int i = 0; i < 100 && startedByCron().size() < 2; i++) {
      world.advance(Duration.ofSeconds(15));
      world.settle();
    }
    assertThat(startedByCron()).hasSizeGreaterThanOrEqualTo(2).doesNotHaveDuplicates();
    assertThat(world.cluster.find(Resource.JOBS, "default", "pi")).isPresent();
    assertThat(startedByCron().getFirst()).endsWith("+05:30");
  }

  /// The times of the Jobs there were, gone ones too.
  private List<String> startedByCron() {
    var times = new ArrayList<String>();
    for (var change : world.cluster.history()) {
      var time =
          Meta.annotation(change.object(), "batch.kubernetes.io/cronjob-scheduled-timestamp");
      if (change.resource().equals("jobs.batch")
          && change.kind() == FakeCluster.Kind.ADDED
          && time != null) {
        times.add(time);
      }
    }
    return times;
  }

  /// Its pods do not end by themselves.
  private static Tree lasting(Tree spec) {
    var job = job(spec);
    job.child("spec")
        .child("template")
        .child("metadata")
        .put("annotations", Tree.of("berth.io/run-for", "1h"));
    return job;
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
