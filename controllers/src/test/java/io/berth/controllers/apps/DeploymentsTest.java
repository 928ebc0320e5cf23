package io.berth.controllers.apps;

import static io.berth.testing.Samples.aWorkload;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.PatchType;
import io.berth.controllers.World;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import io.berth.testing.FakeCluster.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeploymentsTest {

  private final World world =
      new World(Deployments::new, ReplicaSets::replicaSets, World.kubelets()).withNodes(3).start();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void rollsOutAndReportsCompletion() {
    world.create(Resource.DEPLOYMENTS, deployment(4));
    awaitComplete(4);

    var web = world.get(Resource.DEPLOYMENTS, "web");
    assertThat(progressing(web)).isEqualTo("NewReplicaSetAvailable");
    assertThat(Conditions.isTrue(web, "Available")).isTrue();
    assertThat(Meta.annotation(web, "deployment.kubernetes.io/revision")).isEqualTo("1");
    var set = world.cluster.all(Resource.REPLICA_SETS).getFirst();
    assertThat(Meta.label(set, "pod-template-hash")).isNotNull();
    assertThat(Meta.name(set)).isEqualTo("web-" + Meta.label(set, "pod-template-hash"));
  }

  @Test
  void theConditionThatChangedLastIsTheLast() {
    world.create(Resource.DEPLOYMENTS, deployment(0));
    world.awaitObject(
        Resource.DEPLOYMENTS, "web", d -> progressing(d).equals("NewReplicaSetAvailable"));

    var conditions = world.get(Resource.DEPLOYMENTS, "web").trees("status", "conditions");
    assertThat(conditions.stream().map(each -> each.text("type")))
        .containsExactly("Available", "Progressing");
  }

  @Test
  void staysWithinSurgeAndUnavailableAtEveryRevision() {
    world.create(Resource.DEPLOYMENTS, deployment(8));
    awaitComplete(8);
    var from = world.cluster.history().getLast().revision();
    setImage("example/app:2");
    awaitComplete(8);
    world.await(
        "old pods are gone",
        c -> c.all(Resource.PODS).stream().allMatch(pod -> image(pod).equals("example/app:2")));

    var pods = new HashMap<String, Tree>();
    for (var change : world.cluster.history()) {
      if (!change.resource().equals("pods")) {
        continue;
      }
      if (change.kind() == Kind.DELETED) {
        pods.remove(Meta.name(change.object()));
      } else {
        pods.put(Meta.name(change.object()), change.object());
      }
      if (change.revision() > from) {
        var active = pods.values().stream().filter(Pods::isActive).toList();
        assertThat(active).hasSizeLessThanOrEqualTo(10);
        assertThat(active.stream().filter(Pods::isReady).count()).isGreaterThanOrEqualTo(6);
      }
    }
    assertThat(revision()).isEqualTo("2");
  }

  @Test
  void goesBackToAnOldTemplateAsANewRevision() {
    world.create(Resource.DEPLOYMENTS, deployment(2));
    awaitComplete(2);
    setImage("example/app:2");
    awaitComplete(2);
    setImage("example/app:1");
    awaitComplete(2);

    world.await("revision 3", _ -> revision().equals("3"));
    assertThat(world.cluster.all(Resource.REPLICA_SETS)).hasSize(2);
    assertThat(world.cluster.all(Resource.REPLICA_SETS))
        .anyMatch(set ->
            "3".equals(Meta.annotation(set, "deployment.kubernetes.io/revision"))
                && "1".equals(Meta.annotation(set, "deployment.kubernetes.io/revision-history")));
  }

  @Test
  void recreateWaitsForOldPodsToBeGone() {
    var recreate = deployment(3);
    recreate.child("spec").put("strategy", Tree.of("type", "Recreate"));
    world.create(Resource.DEPLOYMENTS, recreate);
    awaitComplete(3);
    setImage("example/app:2");
    awaitComplete(3);

    var running = new HashMap<String, String>();
    for (var change : world.cluster.history()) {
      if (change.resource().equals("pods")) {
        if (change.kind() == Kind.DELETED) {
          running.remove(Meta.name(change.object()));
        } else {
          running.put(Meta.name(change.object()), image(change.object()));
        }
        assertThat(List.copyOf(running.values()).stream().distinct().count())
            .isLessThanOrEqualTo(1);
      }
    }
  }

  @Test
  void scalesAndKeepsHistory() {
    world.create(Resource.DEPLOYMENTS, deployment(2));
    awaitComplete(2);
    patch(Tree.of("spec", Tree.of("replicas", 5)));
    awaitComplete(5);
    patch(Tree.of("spec", Tree.of("replicas", 0)));
    awaitComplete(0);
    assertThat(revision()).isEqualTo("1");
  }

  @Test
  void timesOutWhenNothingMoves() {
    var stuck = deployment(1);
    stuck.child("spec").put("progressDeadlineSeconds", 30);
    stuck
        .child("spec")
        .child("template")
        .child("metadata")
        .put("annotations", Tree.of("berth.io/ready-after", "never"));
    world.create(Resource.DEPLOYMENTS, stuck);
    world.awaitObject(
        Resource.DEPLOYMENTS, "web", d -> d.number(0, "status", "updatedReplicas") == 1);
    world.await("a pod runs", c -> c.all(Resource.PODS).stream().anyMatch(DeploymentsTest::runs));
    world.advance(Duration.ofSeconds(40));
    world.awaitObject(
        Resource.DEPLOYMENTS, "web", d -> progressing(d).equals("ProgressDeadlineExceeded"));
  }

  private static String progressing(Tree deployment) {
    var condition = Conditions.find(deployment, "Progressing");
    return condition == null ? "" : condition.textOrEmpty("reason");
  }

  private static boolean runs(Tree pod) {
    return PodPhase.of(pod).equals("Running");
  }

  private void awaitComplete(long replicas) {
    world.awaitObject(
        Resource.DEPLOYMENTS,
        "web",
        d ->
            d.number(0, "status", "observedGeneration") >= Meta.generation(d)
                && d.number(1, "spec", "replicas") == replicas
                && d.number(0, "status", "replicas") == replicas
                && d.number(0, "status", "updatedReplicas") == replicas
                && d.number(0, "status", "availableReplicas") == replicas);
  }

  private String revision() {
    return String.valueOf(
        Meta.annotation(
            world.get(Resource.DEPLOYMENTS, "web"), "deployment.kubernetes.io/revision"));
  }

  private void setImage(String image) {
    patch(
        Tree.of(
            "spec",
            Tree.of(
                "template",
                Tree.of(
                    "spec",
                    Tree.of("containers", List.of(Tree.of("name", "app", "image", image)))))));
  }

  private void patch(Tree patch) {
    world.cluster.patch(Resource.DEPLOYMENTS, "default", "web", null, PatchType.MERGE, patch);
  }

  private static String image(Tree pod) {
    return pod.trees("spec", "containers").getFirst().textOrEmpty("image");
  }

  private static Tree deployment(long replicas) {
    var deployment = aWorkload("Deployment", "web", replicas);
    deployment
        .child("spec")
        .put("progressDeadlineSeconds", 600)
        .put("revisionHistoryLimit", 10)
        .put(
            "strategy",
            Tree.of(
                "type",
                "RollingUpdate",
                "rollingUpdate",
                Tree.of("maxSurge", "25%", "maxUnavailable", "25%")));
    return deployment;
  }
}
