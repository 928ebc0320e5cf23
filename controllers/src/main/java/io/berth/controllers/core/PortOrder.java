package io.berth.controllers.core;

import io.berth.api.Tree;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/// The order of ports in Endpoints: that of a hash, as Kubernetes has it, so that a rewrite by
/// either changes nothing.
final class PortOrder {

  private static final BigInteger BASIS = new BigInteger("6c62272e07bb014262b821756295c58d", 16);
  private static final BigInteger PRIME = new BigInteger("1000000000000000000013b", 16);
  private static final BigInteger MASK = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);

  private PortOrder() {}

  static void sort(List<Tree> ports) {
    if (ports.size() > 1) {
      ports.sort(Comparator.comparing(PortOrder::hash));
    }
  }

  /// FNV-1a over the port as Go's libraries print it.
  static BigInteger hash(Tree port) {
    var protocol = port.text("appProtocol");
    var text =
        "(v1.EndpointPort){Name:(string)%s Port:(int32)%d Protocol:(v1.Protocol)%s AppProtocol:(*string)%s}"
            .formatted(
                port.textOrEmpty("name"),
                port.number(0, "port"),
                port.textOrEmpty("protocol"),
                protocol == null ? "<nil>" : protocol);
    var hash = BASIS;
    for (var each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = hash.xor(BigInteger.valueOf(each & 0xff)).multiply(PRIME).and(MASK);
    }
    return hash;
  }
}
