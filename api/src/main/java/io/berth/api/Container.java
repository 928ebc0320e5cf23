package io.berth.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  // By hand, as in [PodSpec].
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Container that
            && sidecar == that.sidecar
            && name.equals(that.name)
            && image.equals(that.image)
            && requests.equals(that.requests)
            && ports.equals(that.ports)
            && features.equals(that.features));
  }

  @Override
  public int hashCode() {
    int hash = 31 * name.hashCode() + image.hashCode();
    hash = 31 * hash + requests.hashCode();
    return ports.isEmpty() ? hash : 31 * hash + ports.hashCode();
  }

  /// A port of the node that the container takes; `hostPort` is never 0.
  public record Port(int hostPort, String protocol, String hostIp) {}
}
