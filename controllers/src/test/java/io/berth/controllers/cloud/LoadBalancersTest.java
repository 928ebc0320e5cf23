package io.berth.controllers.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.World;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoadBalancersTest {

  private final World world = new World(LoadBalancers::new);

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void eachServiceHasAnAddressOfItsOwn() {
    world.start();
    world.create(Resource.SERVICES, service("a", "LoadBalancer"));
    world.create(Resource.SERVICES, service("b", "LoadBalancer"));
    world.create(Resource.SERVICES, service("c", "ClusterIP"));

    assertThat(List.of(awaitAddress("a"), awaitAddress("b")))
        .containsExactlyInAnyOrder("198.18.0.2", "198.18.0.3");
    assertThat(address("c")).isEmpty();
  }

  @Test
  void addressesFromBeforeARestartAreKept() {
    var old = service("old", "LoadBalancer");
    old.putAt(List.of(Tree.of("ip", "198.18.0.2")), "status", "loadBalancer", "ingress");
    world.create(Resource.SERVICES, service("a-new-one", "LoadBalancer"));
    world.create(Resource.SERVICES, old);
    world.start();

    assertThat(awaitAddress("a-new-one")).isEqualTo("198.18.0.3");
    assertThat(address("old")).isEqualTo("198.18.0.2");
  }

  @Test
  void anAddressThatIsAskedForIsGivenOnceItIsFree() {
    world.start();
    var first = service("first", "LoadBalancer");
    first.putAt("192.0.2.7", "spec", "loadBalancerIP");
    var second = service("second", "LoadBalancer");
    second.putAt("192.0.2.7", "spec", "loadBalancerIP");
    world.create(Resource.SERVICES, first);
    assertThat(awaitAddress("first")).isEqualTo("192.0.2.7");
    world.create(Resource.SERVICES, second);
    world.await(
        "a refusal",
        cluster ->
            cluster.all(Resource.CORE_EVENTS).stream()
                .anyMatch(event ->
                    event
                        .textOrEmpty("message")
                        .endsWith("address 192.0.2.7 is taken by another service")));

    world.cluster.delete(Resource.SERVICES, "default", "first", DeleteOptions.DEFAULT);

    assertThat(awaitAddress("second")).isEqualTo("192.0.2.7");
  }

  @Test
  void aServiceOfAnotherClassIsLeftAlone() {
    world.start();
    var other = service("other", "LoadBalancer");
    other.putAt("example.com/metal", "spec", "loadBalancerClass");
    world.create(Resource.SERVICES, other);
    world.create(Resource.SERVICES, service("last", "LoadBalancer"));
    awaitAddress("last");

    assertThat(address("other")).isEmpty();
  }

  private String awaitAddress(String name) {
    world.awaitObject(
        Resource.SERVICES, name, service -> !LoadBalancers.address(service).isEmpty());
    return address(name);
  }

  private String address(String name) {
    return LoadBalancers.address(world.get(Resource.SERVICES, name));
  }

  private static Tree service(String name, String type) {
    return Tree.of("apiVersion", "v1", "kind", "Service")
        .put("metadata", Tree.of("namespace", "default", "name", name))
        .put("spec", Tree.of("type", type));
  }
}
