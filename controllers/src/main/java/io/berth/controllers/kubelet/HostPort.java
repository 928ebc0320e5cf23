package io.berth.controllers.kubelet;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// A port of the node that a container takes. `0.0.0.0` and `::` stand for all addresses.
record HostPort(long port, String protocol, String address) {

  static List<HostPort> of(Tree podSpec) {
    var ports = new ArrayList<HostPort>();
    for (var container : podSpec.trees("containers")) {
      addPorts(ports, container);
    }
    for (var container : podSpec.trees("initContainers")) {
      if (container.textOrEmpty("restartPolicy").equals("Always")) {
        addPorts(ports, container);
      }
    }
    return ports;
  }

  private static void addPorts(List<HostPort> ports, Tree container) {
    for (var port : container.trees("ports")) {
      var number = port.number(0, "hostPort");
      if (number > 0) {
        var protocol = port.textOrEmpty("protocol");
        ports.add(
            new HostPort(
                number, protocol.isEmpty() ? "TCP" : protocol, port.textOrEmpty("hostIP")));
      }
    }
  }

  boolean clashes(HostPort other) {
    return port == other.port
        && protocol.equals(other.protocol)
        && (isWildcard() || other.isWildcard() || address.equals(other.address));
  }

  private boolean isWildcard() {
    return address.isEmpty() || address.equals("0.0.0.0") || address.equals("::");
  }
}
