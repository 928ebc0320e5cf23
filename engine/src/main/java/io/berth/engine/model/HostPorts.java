package io.berth.engine.model;

import io.berth.api.Container;
import io.berth.api.PodSpec;
import java.util.ArrayList;
import java.util.List;

/// Host ports in use on one node, counted by reference.
public final class HostPorts {

  private static final String ANY = "0.0.0.0";

  private final List<Container.Port> ports = new ArrayList<>();

  /// The host ports of containers and sidecars.
  public static Container.Port[] of(PodSpec spec) {
    var ports = new ArrayList<Container.Port>();
    for (var container : spec.containers()) {
      ports.addAll(container.ports());
    }
    for (var container : spec.initContainers()) {
      if (container.sidecar()) {
        ports.addAll(container.ports());
      }
    }
    return normalized(ports);
  }

  /// The ports with unspecified addresses and protocols written out.
  private static Container.Port[] normalized(List<Container.Port> ports) {
    return ports.stream()
        .map(port ->
            new Container.Port(
                port.hostPort(),
                port.protocol().isEmpty() ? "TCP" : port.protocol(),
                port.hostIp().isEmpty() ? ANY : port.hostIp()))
        .toArray(Container.Port[]::new);
  }

  void add(Container.Port port) {
    ports.add(port);
  }

  void remove(Container.Port port) {
    ports.remove(port);
  }

  boolean isEmpty() {
    return ports.isEmpty();
  }

  public boolean conflictsWith(Container.Port wanted) {
    for (int i = 0; i < ports.size(); i++) {
      if (conflict(ports.get(i), wanted)) {
        return true;
      }
    }
    return false;
  }

  /// As in Kubernetes: `0.0.0.0` stands for every address, `::` is an address like any other.
  public static boolean conflict(Container.Port a, Container.Port b) {
    return a.hostPort() == b.hostPort()
        && a.protocol().equals(b.protocol())
        && (a.hostIp().equals(ANY) || b.hostIp().equals(ANY) || a.hostIp().equals(b.hostIp()));
  }
}
