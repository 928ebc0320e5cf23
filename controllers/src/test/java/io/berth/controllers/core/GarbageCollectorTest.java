package io.berth.controllers.core;

import static io.berth.testing.Samples.aPod;
import static io.berth.testing.Samples.aWorkload;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.World;
import io.berth.controllers.apps.Deployments;
import io.berth.controllers.apps.ReplicaSets;
import io.berth.controllers.runtime.Meta;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GarbageCollectorTest {

  private final World world =
      new World(
              GarbageCollector::new,
              Namespaces::new,
              Deployments::new,
              ReplicaSets::replicaSets,
              World.kubelets())
          .withNodes(2)
          .start();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void backgroundDeletionTakesDependentsAlong() {
    world.create(Resource.DEPLOYMENTS, aWorkload("Deployment", "web", 3));
    awaitPods(3);
    delete("Background");
    awaitPods(0);
    world.await("no sets", c -> c.all(Resource.REPLICA_SETS).isEmpty());
  }

  @Test
  void foregroundDeletionWaitsForDependents() {
    world.create(Resource.DEPLOYMENTS, aWorkload("Deployment", "web", 3));
    awaitPods(3);
    delete("Foreground");
    world.awaitGone(Resource.DEPLOYMENTS, "web");
    assertThat(world.pods()).isEmpty();
    assertThat(world.cluster.all(Resource.REPLICA_SETS)).isEmpty();
  }

  @Test
  void orphansAreSetFree() {
    world.create(Resource.DEPLOYMENTS, aWorkload("Deployment", "web", 2));
    awaitPods(2);
    delete("Orphan");
    world.awaitGone(Resource.DEPLOYMENTS, "web");
    var set = world.cluster.all(Resource.REPLICA_SETS).getFirst();
    assertThat(Meta.owners(set)).isEmpty();
    assertThat(world.pods()).hasSize(2);
  }

  @Test
  void anObjectWithAnotherOwnerLeftStays() {
    var one = world.create(Resource.CONFIG_MAPS, configMap("one"));
    var two = world.create(Resource.CONFIG_MAPS, configMap("two"));
    var child = configMap("child");
    child.child("metadata").put("ownerReferences", List.of(owner(one), owner(two)));
    world.create(Resource.CONFIG_MAPS, child);
    world.cluster.delete(Resource.CONFIG_MAPS, "default", "one", DeleteOptions.DEFAULT);
    world.awaitObject(Resource.CONFIG_MAPS, "child", c -> Meta.owners(c).size() == 1);
    world.cluster.delete(Resource.CONFIG_MAPS, "default", "two", DeleteOptions.DEFAULT);
    world.awaitGone(Resource.CONFIG_MAPS, "child");
  }

  @Test
  void aCircleOfOwnersIsBroken() {
    var names = List.of("one", "two", "three");
    names.forEach(name -> world.create(Resource.CONFIG_MAPS, configMap(name)));
    for (var i = 0; i < 3; i++) {
      var next = world.get(Resource.CONFIG_MAPS, names.get((i + 1) % 3));
      var reference = owner(next).put("blockOwnerDeletion", true);
      world.cluster.edit(
          Resource.CONFIG_MAPS,
          "default",
          names.get(i),
          map -> map.child("metadata").put("ownerReferences", List.of(reference)));
    }
    world.cluster.delete(
        Resource.CONFIG_MAPS, "default", "one", new DeleteOptions(-1, null, "Foreground"));
    names.forEach(name -> world.awaitGone(Resource.CONFIG_MAPS, name));
  }

  @Test
  void anOwnerThatNeverExistedIsAsGoodAsGone() {
    var pod = aPod("lost");
    pod.child("metadata")
        .put(
            "ownerReferences",
            List.of(
                Tree.of("apiVersion", "v1", "kind", "ConfigMap", "name", "nobody", "uid", "none")));
    world.create(Resource.PODS, pod);
    world.awaitGone(Resource.PODS, "lost");
  }

  @Test
  void aNamespaceGoesWithAllItHolds() {
    world.create(Resource.NAMESPACES, Tree.of("metadata", Tree.of("name", "default")));
    world.create(Resource.CONFIG_MAPS, configMap("one"));
    world.create(Resource.DEPLOYMENTS, aWorkload("Deployment", "web", 2));
    awaitPods(2);
    world.cluster.delete(Resource.NAMESPACES, "", "default", DeleteOptions.DEFAULT);
    world.awaitGone(Resource.NAMESPACES, "default");
    assertThat(world.pods()).isEmpty();
    assertThat(world.cluster.all(Resource.CONFIG_MAPS)).isEmpty();
  }

  private void awaitPods(int count) {
    world.await(count + " pods", c -> c.all(Resource.PODS).size() == count);
  }

  private void delete(String policy) {
    world.cluster.delete(
        Resource.DEPLOYMENTS, "default", "web", new DeleteOptions(-1, null, policy));
  }

  private static Tree configMap(String name) {
    return Tree.of("metadata", Tree.of("name", name, "namespace", "default"));
  }

  private static Tree owner(Tree object) {
    return Tree.of("apiVersion", "v1", "kind", "ConfigMap", "name", Meta.name(object))
        .put("uid", Meta.uid(object));
  }
}
