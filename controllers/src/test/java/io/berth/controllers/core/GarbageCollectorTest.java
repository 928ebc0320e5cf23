package io.berth.controllers.core;

import static io.berth.testing.Samples.aPod;
import static io.berth.testing.Samples.aWorkload;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.World;
import io.berth.controllers.apps.Deployments;
import io.berth.controllers.apps.ReplicaSets;
import io.berth.controllers.runtime.Catalog;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GarbageCollectorTest {

  private static final Resource DEFINITIONS = Catalog.CUSTOM_RESOURCE_DEFINITIONS;
  private static final Resource THINGS = new Resource("example.com", "v1", "things", "Thing", true);

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
  void anOwnerInAnotherNamespaceOwnsNothing() {
    var owner = configMap("owner");
    owner.child("metadata").put("namespace", "elsewhere");
    var elsewhere = world.create(Resource.CONFIG_MAPS, owner);
    awaitKnown();
    var child = configMap("child");
    child.child("metadata").put("ownerReferences", List.of(owner(elsewhere)));
    world.create(Resource.CONFIG_MAPS, child);
    world.awaitGone(Resource.CONFIG_MAPS, "child");
    world.await(
        "the event",
        c ->
            c.all(Resource.CORE_EVENTS).stream()
                .anyMatch(event ->
                    event
                        .textOrEmpty("message")
                        .equals(
                            "ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: "
                                + Meta.uid(elsewhere)
                                + "] does not exist in namespace \"default\"")));
  }

  @Test
  void anOwnerOfAnotherNameOwnsNothing() {
    var one = world.create(Resource.CONFIG_MAPS, configMap("one"));
    awaitKnown();
    var child = configMap("child");
    child.child("metadata").put("ownerReferences", List.of(owner(one).put("name", "two")));
    world.create(Resource.CONFIG_MAPS, child);
    world.awaitGone(Resource.CONFIG_MAPS, "child");
    assertThat(world.cluster.find(Resource.CONFIG_MAPS, "default", "one")).isPresent();
  }

  @Test
  void whatCustomObjectsOwnGoesWithTheirDefinition() {
    define("customresourcecleanup.apiextensions.k8s.io");
    world.settle();
    world.advance(Duration.ofSeconds(1));
    world.settle();
    for (var name : List.of("one", "two")) {
      var thing = world.create(THINGS, configMap(name));
      world.create(Resource.CONFIG_MAPS, ownedBy(thing));
    }
    world.settle();
    world.cluster.delete(THINGS, "default", "one", DeleteOptions.DEFAULT);
    world.awaitGone(Resource.CONFIG_MAPS, "one");
    world.cluster.delete(DEFINITIONS, "", "things.example.com", DeleteOptions.DEFAULT);
    world.settle();
    world.cluster.delete(THINGS, "default", "two", DeleteOptions.DEFAULT);
    world.cluster.edit(
        DEFINITIONS,
        "",
        "things.example.com",
        definition -> definition.child("metadata").put("finalizers", null));
    world.awaitGone(Resource.CONFIG_MAPS, "two");
  }

  @Test
  void anOwnerThatWasNeverSeenIsLookedForAgain() {
    var never = configMap("one");
    never.child("metadata").put("uid", "never-there");
    world.create(Resource.CONFIG_MAPS, ownedBy(never));
    awaitKnown();
    world.settle();
    assertThat(world.cluster.find(Resource.CONFIG_MAPS, "default", "one")).isPresent();
    define("example.com/held");
    world.settle();
    world.advance(Duration.ofSeconds(11));
    world.awaitGone(Resource.CONFIG_MAPS, "one");
  }

  private void define(String finalizer) {
    var version = Tree.of("name", "v1", "served", true, "storage", true);
    var metadata = Tree.of("name", "things.example.com", "finalizers", List.of(finalizer));
    world.create(
        DEFINITIONS,
        Tree.of("metadata", metadata)
            .put(
                "spec",
                Tree.of("group", "example.com", "scope", "Namespaced")
                    .put("names", Tree.of("plural", "things", "kind", "Thing"))
                    .put("versions", List.of(version))));
    var established = Tree.of("type", "Established", "status", "True");
    world.cluster.edit(
        DEFINITIONS,
        "",
        "things.example.com",
        definition -> definition.put("status", Tree.of("conditions", List.of(established))));
  }

  /// A ConfigMap of the same name.
  private static Tree ownedBy(Tree thing) {
    var child = configMap(Meta.name(thing));
    var reference = owner(thing).put("apiVersion", "example.com/v1").put("kind", "Thing");
    child.child("metadata").put("ownerReferences", List.of(reference));
    return child;
  }

  /// Collects something created later than all before, so that the collector has seen those.
  private void awaitKnown() {
    var marker = configMap("marker");
    marker
        .child("metadata")
        .put("ownerReferences", List.of(owner(configMap("nobody")).put("uid", "none")));
    world.create(Resource.CONFIG_MAPS, marker);
    world.awaitGone(Resource.CONFIG_MAPS, "marker");
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

  @Test
  void aNamespaceTellsWhatCouldNotBeDeletedAndGoesOnWithTheRest() {
    world.create(Resource.NAMESPACES, Tree.of("metadata", Tree.of("name", "default")));
    world.create(Resource.CONFIG_MAPS, configMap("one"));
    world.create(Resource.SECRETS, configMap("held"));
    world.cluster.beforeWrites((verb, resource, name) -> {
      if (verb.equals("delete") && name.equals("held")) {
        throw ApiException.forbidden(resource, name, "not today");
      }
    });
    world.cluster.delete(Resource.NAMESPACES, "", "default", DeleteOptions.DEFAULT);
    world.awaitGone(Resource.CONFIG_MAPS, "one");
    world.awaitObject(
        Resource.NAMESPACES,
        "default",
        namespace ->
            condition(namespace, "NamespaceDeletionContentFailure")
                .startsWith(
                    "True ContentDeletionFailed Failed to delete all resource types, 1 remaining: "
                        + "secrets \"held\" is forbidden"));
    world.cluster.beforeWrites((_, _, _) -> {});
    world.awaitGone(Resource.NAMESPACES, "default");
  }

  @Test
  void aNamespaceThatOthersHoldSaysThatItIsEmpty() {
    var held = Tree.of("name", "default", "finalizers", List.of("example.com/held"));
    world.create(Resource.NAMESPACES, Tree.of("metadata", held));
    var kept = configMap("kept");
    kept.child("metadata").put("finalizers", List.of("example.com/kept"));
    world.create(Resource.CONFIG_MAPS, kept);
    world.create(Resource.SECRETS, configMap("other"));
    world.cluster.delete(Resource.NAMESPACES, "", "default", DeleteOptions.DEFAULT);
    awaitContent(
        "True SomeResourcesRemain Some resources are remaining: configmaps. has 1 resource"
            + " instances");
    assertThat(world.cluster.history())
        .noneMatch(
            change -> condition(change.object(), "NamespaceContentRemaining").contains("secrets"));
    world.cluster.edit(
        Resource.CONFIG_MAPS,
        "default",
        "kept",
        map -> map.child("metadata").put("finalizers", null));
    awaitContent("False ContentRemoved All content successfully removed");
  }

  private void awaitContent(String expected) {
    world.awaitObject(
        Resource.NAMESPACES,
        "default",
        namespace -> condition(namespace, "NamespaceContentRemaining").equals(expected));
  }

  private static String condition(Tree namespace, String type) {
    var condition = Conditions.find(namespace, type);
    return condition == null
        ? ""
        : String.join(
            " ",
            condition.textOrEmpty("status"),
            condition.textOrEmpty("reason"),
            condition.textOrEmpty("message"));
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
