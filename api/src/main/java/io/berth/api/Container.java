package io.berth.api;

import java.util.List;
import java.util.Map;

/// What scheduling reads of a container. `sidecar` marks an init container with `restartPolicy:
/// Always`; `features` are node features its spec needs (`RestartAllContainersOnContainerExits`,
/// …).
public record Container(
    String name,
    String image,
    Map<String, Quantity> requests,
    List<Port> ports,
    boolean sidecar,
    List<String> features) {

  public Container {
    requests = Map.copyOf(requests);
    ports = List.copyOf(ports);
    features = List.copyOf(features);
  }

  /// A port of the node that the container takes; `hostPort` is never 0.
  public record Port(int hostPort, String protocol, String hostIp) {}
}
