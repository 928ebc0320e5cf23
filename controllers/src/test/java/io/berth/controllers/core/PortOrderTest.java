package io.berth.controllers.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Hashes as Kubernetes' own functions compute them.
class PortOrderTest {

  @Test
  void hashesAsKubernetesDoes() {
    assertThat(PortOrder.hash(port("http", 80, "TCP")))
        .isEqualTo(new BigInteger("754b003f50f133a539c60d18cfb30a55", 16));
    assertThat(PortOrder.hash(Tree.of("port", 53, "protocol", "UDP")))
        .isEqualTo(new BigInteger("6664b17942a804b50d12b277797d312d", 16));
    assertThat(PortOrder.hash(port("a", 8080, "TCP").put("appProtocol", "h2c")))
        .isEqualTo(new BigInteger("1e44b58f763fd9d19de85182a3ae27b2", 16));
  }

  @Test
  void sortsByTheHash() {
    var ports = new ArrayList<>(List.of(port("port-1", 80, "TCP"), port("port-2", 443, "TCP")));
    PortOrder.sort(ports);

    assertThat(ports.getFirst().text("name")).isEqualTo("port-2");
  }

  private static Tree port(String name, long port, String protocol) {
    return Tree.of("name", name, "port", port, "protocol", protocol);
  }
}
