package io.berth.kinds.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Tree;
import io.berth.kinds.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServiceStrategyTest {

  private static final Write WRITE = Write.bySystem(Instant.EPOCH);
  private static final Write DRY = new Write(Instant.EPOCH, "u", List.of(), true);

  private final ServiceStrategy strategy = new ServiceStrategy();

  @Test
  void givesEveryServiceItsOwnAddressAndPort() {
    var addresses = new HashSet<String>();
    var ports = new HashSet<Long>();
    for (int i = 0; i < 500; i++) {
      var service = reserved(service("type", "NodePort"), null, WRITE);
      addresses.add(service.textOrEmpty("spec", "clusterIP"));
      ports.add(service.trees("spec", "ports").getFirst().number(0, "nodePort"));
    }

    assertThat(addresses).hasSize(500).allMatch(address -> address.startsWith("10.96."));
    assertThat(ports).hasSize(500).allMatch(port -> port >= 30000 && port <= 32767);
  }

  @Test
  void refusesAnAddressThatIsTaken() {
    reserved(service("clusterIP", "10.96.0.7"), null, WRITE);

    assertThatThrownBy(() -> reserved(service("clusterIP", "10.96.0.7"), null, WRITE))
        .hasMessage(
            "Service \"s\" is invalid: spec.clusterIPs: Invalid value: [\"10.96.0.7\"]: failed to"
                + " allocate IP 10.96.0.7: provided IP is already allocated");
  }

  @Test
  void givesBackWhatADryRunADeletionOrAFailureTook() {
    reserved(service("clusterIP", "10.96.0.7"), null, DRY);
    var service = service("clusterIP", "10.96.0.7");
    strategy.setDefaults(service);
    strategy.reserve(service, null, WRITE).close();
    var stored = reserved(service("clusterIP", "10.96.0.7"), null, WRITE);
    strategy.afterDelete(stored);

    assertThat(reserved(service("clusterIP", "10.96.0.7"), null, WRITE).text("spec", "clusterIP"))
        .isEqualTo("10.96.0.7");
  }

  @Test
  void knowsWhatServicesOfAnEarlierRunHold() {
    strategy.adopt(
        Tree.of("spec", Tree.of("clusterIP", "10.96.0.9", "clusterIPs", List.of("10.96.0.9"))));

    assertThatThrownBy(() -> reserved(service("clusterIP", "10.96.0.9"), null, WRITE))
        .hasMessageContaining("already allocated");
  }

  @Test
  void keepsAddressAndPortsOnAnUpdateThatDoesNotMentionThem() {
    var stored = reserved(service("type", "NodePort"), null, WRITE);

    var changed = reserved(service("type", "NodePort"), stored, WRITE);

    assertThat(changed.at("spec", "clusterIPs")).isEqualTo(stored.at("spec", "clusterIPs"));
    assertThat(changed.at("spec", "ports")).isEqualTo(stored.at("spec", "ports"));
  }

  @Test
  void dropsNodePortsThatAnotherTypeHasNot() {
    var old = withPorts("NodePort", 30001, 30002);

    assertThat(nodePortsAfter(withPorts("ClusterIP", 30001), old)).containsExactly(0L);
    assertThat(nodePortsAfter(withPorts("ClusterIP", 30001, 0), old)).containsExactly(0L, 0L);
    assertThat(nodePortsAfter(withPorts("ClusterIP", 30003), old)).containsExactly(30003L);
    assertThat(nodePortsAfter(withPorts("LoadBalancer", 30001), old)).containsExactly(30001L);
    var balanced = withPorts("LoadBalancer", 30001);
    balanced.child("spec").put("allocateLoadBalancerNodePorts", false);
    assertThat(nodePortsAfter(withPorts("ClusterIP", 30001), balanced)).containsExactly(0L);
  }

  private List<Long> nodePortsAfter(Tree service, Tree old) {
    strategy.prepareForUpdate(service, old, WRITE);
    return service.trees("spec", "ports").stream().map(port -> port.number(0, "nodePort")).toList();
  }

  private static Tree withPorts(String type, long... nodePorts) {
    var ports = new ArrayList<Tree>();
    for (var nodePort : nodePorts) {
      ports.add(Tree.of("port", 80, "nodePort", nodePort));
    }
    return Tree.of("spec", Tree.of("type", type, "ports", ports));
  }

  private Tree reserved(Tree service, @Nullable Tree old, Write write) {
    strategy.setDefaults(service);
    try (var reservation = strategy.reserve(service, old, write)) {
      reservation.keep();
    }
    return service;
  }

  private static Tree service(String field, String value) {
    return Tree.of(
        "metadata",
        Tree.of("name", "s"),
        "spec",
        Tree.of(field, value, "ports", List.of(Tree.of("port", 80))));
  }
}
