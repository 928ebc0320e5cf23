package io.berth.controllers.apps;

import static io.berth.testing.Samples.aWorkload;
import static io.berth.testing.Samples.podSpec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.PodPhase;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.World;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import io.berth.testing.FakeCluster.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatefulSetsTest {

  private final World world = new World(StatefulSets::new, World.kubelets()).withNodes(2).start();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void createsInOrderAndOnlyWhenThePreviousIsReady() {
    world.create(Resource.STATEFUL_SETS, set(3));
    awaitReady(3);
    var created = new ArrayList<String>();
    var ready = new HashMap<String, Boolean>();
    for (var change : world.cluster.history()) {
      if (!change.resource().equals("pods")) {
        continue;
      }
      var name = Meta.name(change.object());
      if (change.kind() == Kind.ADDED) {
        created.add(name);
        assertThat(ready.values()).as("before %s", name).doesNotContain(false);
      }
      ready.put(name, Pods.isReady(change.object()));
    }
    assertThat(created).containsExactly("db-0", "db-1", "db-2");
    var pod = world.get(Resource.PODS, "db-1");
    assertThat(Meta.label(pod, "apps.kubernetes.io/pod-index")).isEqualTo("1");
    assertThat(Meta.label(pod, "statefulset.kubernetes.io/pod-name")).isEqualTo("db-1");
    assertThat(Meta.label(pod, "controller-revision-hash"))
        .isEqualTo(Meta.name(world.cluster.all(Resource.CONTROLLER_REVISIONS).getFirst()));
    assertThat(pod.text("spec", "hostname")).isEqualTo("db-1");
    assertThat(world.cluster.find(Resource.PERSISTENT_VOLUME_CLAIMS, "default", "data-db-1"))
        .isPresent();
  }

  @Test
  void anIdentityNeverExistsTwiceAndComesBack() {
    world.create(Resource.STATEFUL_SETS, set(2));
    awaitReady(2);
    var before = Meta.uid(world.get(Resource.PODS, "db-0"));
    world.cluster.delete(Resource.PODS, "default", "db-0", DeleteOptions.DEFAULT);
    world.awaitObject(
        Resource.PODS, "db-0", pod -> !Meta.uid(pod).equals(before) && Pods.isReady(pod));
  }

  @Test
  void updatesFromTheHighestOrdinalDownToThePartition() {
    world.create(Resource.STATEFUL_SETS, set(3));
    awaitReady(3);
    world.cluster.edit(
        Resource.STATEFUL_SETS,
        "default",
        "db",
        s -> {
          s.child("spec")
              .put(
                  "updateStrategy",
                  Tree.of("type", "RollingUpdate", "rollingUpdate", Tree.of("partition", 1)));
          s.trees("spec", "template", "spec", "containers")
              .getFirst()
              .put("image", "example/app:2");
        });
    world.awaitObject(Resource.PODS, "db-2", pod -> image(pod).endsWith(":2"));
    world.awaitObject(Resource.PODS, "db-1", pod -> image(pod).endsWith(":2") && Pods.isReady(pod));
    awaitReady(3);
    assertThat(image(world.get(Resource.PODS, "db-0"))).endsWith(":1");
    world.awaitObject(
        Resource.STATEFUL_SETS, "db", s -> s.number(0, "status", "updatedReplicas") == 2);
  }

  @Test
  void scalesDownFromTheTop() {
    world.create(Resource.STATEFUL_SETS, set(3));
    awaitReady(3);
    world.cluster.edit(
        Resource.STATEFUL_SETS, "default", "db", s -> s.child("spec").put("replicas", 1));
    world.awaitObject(Resource.STATEFUL_SETS, "db", s -> s.number(9, "status", "replicas") == 1);
    assertThat(world.pods()).extracting(Meta::name).containsExactly("db-0");
  }

  @Test
  void claimsGoWithThePodThatIsScaledAwayAndStayWithTheSet() {
    world.create(Resource.STATEFUL_SETS, retaining(set(2), "Delete", "Retain"));
    awaitReady(2);
    awaitOwner("data-db-1", null);

    scale(1);
    world.awaitGone(Resource.PODS, "db-1");
    awaitOwner("data-db-1", "Pod");
    awaitOwner("data-db-0", null);

    scale(2);
    world.settle();
    assertThat(world.cluster.find(Resource.PODS, "default", "db-1"))
        .as("it waits until the claim of its predecessor is gone")
        .isEmpty();
    world.cluster.delete(
        Resource.PERSISTENT_VOLUME_CLAIMS, "default", "data-db-1", DeleteOptions.DEFAULT);
    advanceUntilReady(2);
    awaitOwner("data-db-1", null);
  }

  @Test
  void claimsFollowAPolicyThatChanges() {
    world.create(Resource.STATEFUL_SETS, retaining(set(1), "Retain", "Retain"));
    awaitReady(1);
    awaitOwner("data-db-0", null);
    retain("Retain", "Delete");
    awaitOwner("data-db-0", "StatefulSet");
    retain("Retain", "Retain");
    awaitOwner("data-db-0", null);
  }

  /// One pod of the old version is broken: it is replaced although nothing else may be missing.
  @Test
  void aParallelUpdateReplacesWhatServesNobodyFirst() {
    var set = set(1);
    set.child("spec").put("podManagementPolicy", "Parallel");
    set.child("spec").child("updateStrategy").child("rollingUpdate").put("partition", 1);
    metadata(set).put("annotations", Tree.of("berth.io/ready-after", "10h"));
    world.create(Resource.STATEFUL_SETS, set);
    world.awaitObject(Resource.PODS, "db-0", pod -> PodPhase.of(pod).equals("Running"));
    world.cluster.edit(
        Resource.STATEFUL_SETS,
        "default",
        "db",
        s -> {
          s.child("spec").put("replicas", 3);
          metadata(s).remove("annotations");
        });
    awaitReady(2);
    world.cluster.edit(
        Resource.STATEFUL_SETS,
        "default",
        "db",
        s -> {
          s.child("spec").child("updateStrategy").child("rollingUpdate").put("partition", 0);
          s.trees("spec", "template", "spec", "containers")
              .getFirst()
              .put("image", "example/app:2");
        });
    for (var name : List.of("db-0", "db-1", "db-2")) {
      world.awaitObject(Resource.PODS, name, pod -> image(pod).endsWith(":2") && Pods.isReady(pod));
    }
  }

  private static Tree metadata(Tree set) {
    return set.child("spec").child("template").child("metadata");
  }

  /// A pod of nobody has the name: the member comes once it is gone.
  @Test
  void waitsForANameThatIsTaken() {
    var pod = Tree.of("metadata", Tree.of("name", "db-0", "namespace", "default"));
    world.create(Resource.PODS, pod.put("spec", podSpec()));
    world.create(Resource.STATEFUL_SETS, set(1));
    world.awaitObject(
        Resource.STATEFUL_SETS, "db", s -> s.number(0, "status", "observedGeneration") > 0);
    world.settle();
    world.cluster.delete(Resource.PODS, "default", "db-0", DeleteOptions.DEFAULT);
    advanceUntilReady(1);
  }

  private void advanceUntilReady(long count) {
    for (int i = 0;
        i < 100
            && world.get(Resource.STATEFUL_SETS, "db").number(0, "status", "readyReplicas") < count;
        i++) {
      world.settle();
      world.advance(Duration.ofSeconds(1));
    }
    awaitReady(count);
  }

  private void scale(int replicas) {
    world.cluster.edit(
        Resource.STATEFUL_SETS, "default", "db", s -> s.child("spec").put("replicas", replicas));
  }

  private void retain(String whenScaled, String whenDeleted) {
    world.cluster.edit(
        Resource.STATEFUL_SETS, "default", "db", s -> retaining(s, whenScaled, whenDeleted));
  }

  /// The claim's only owner is of this kind; `null`: it has none.
  private void awaitOwner(String claim, @Nullable String kind) {
    world.awaitObject(
        Resource.PERSISTENT_VOLUME_CLAIMS,
        claim,
        found -> {
          var owners = found.trees("metadata", "ownerReferences");
          return kind == null
              ? owners.isEmpty()
              : owners.size() == 1 && owners.getFirst().textOrEmpty("kind").equals(kind);
        });
  }

  private static Tree retaining(Tree set, String whenScaled, String whenDeleted) {
    set.child("spec")
        .put(
            "persistentVolumeClaimRetentionPolicy",
            Tree.of("whenScaled", whenScaled, "whenDeleted", whenDeleted));
    return set;
  }

  private void awaitReady(long count) {
    world.awaitObject(
        Resource.STATEFUL_SETS, "db", s -> s.number(0, "status", "readyReplicas") == count);
  }

  private static String image(Tree pod) {
    return pod.trees("spec", "containers").getFirst().textOrEmpty("image");
  }

  private static Tree set(long replicas) {
    var set = aWorkload("StatefulSet", "db", replicas);
    set.child("spec")
        .put("serviceName", "db")
        .put("podManagementPolicy", "OrderedReady")
        .put(
            "updateStrategy",
            Tree.of("type", "RollingUpdate", "rollingUpdate", Tree.of("partition", 0)))
        .put(
            "volumeClaimTemplates",
            List.of(Tree.of("metadata", Tree.of("name", "data"), "spec", new Tree())));
    return set;
  }
}
