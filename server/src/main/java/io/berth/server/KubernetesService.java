package io.berth.server;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.core.ServiceAddresses;
import io.berth.server.registry.Registry;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// `default/kubernetes`: the Service under which pods find the API, where it leads, and the range
/// that it and all others have their addresses from.
///
/// A server that listens on loopback alone still names an address of this machine, as Kubernetes
/// allows no loopback address in Endpoints.
final class KubernetesService {

  private static final Resource RANGES =
      new Resource("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false);
  private static final String NAME = "kubernetes";
  private static final String CLUSTER_IP = "10.96.0.1";

  /// For a machine without any network: an address that leads nowhere, but reads as one (RFC 5737).
  private static final String NOWHERE = "192.0.2.1";

  private KubernetesService() {}

  /// Makes the objects, or leads existing endpoints to where the server listens now.
  static void publish(Registry registry, InstantSource clock, String address, int port) {
    Bootstrap.ensure(registry, RANGES, "", range(), clock);
    Bootstrap.ensureStatus(registry, RANGES, range().put("status", ready(clock)), clock);
    Bootstrap.ensure(registry, Resource.SERVICES, "default", service(port), clock);
    var reachable = reachable(address);
    Bootstrap.replace(registry, Resource.ENDPOINTS, "default", endpoints(reachable, port), clock);
    Bootstrap.replace(registry, Resource.ENDPOINT_SLICES, "default", slice(reachable, port), clock);
  }

  private static Tree range() {
    return Tree.of("kind", "ServiceCIDR", "apiVersion", "networking.k8s.io/v1")
        .put("metadata", Tree.of("name", NAME))
        .put("spec", Tree.of("cidrs", List.of(ServiceAddresses.RANGE)));
  }

  private static Tree ready(InstantSource clock) {
    var condition =
        Tree.of("type", "Ready", "status", "True")
            .put("lastTransitionTime", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
            .put("reason", "")
            .put("message", "Kubernetes default Service CIDR is ready");
    return Tree.of("conditions", List.of(condition));
  }

  private static Tree service(int port) {
    var spec =
        Tree.of("clusterIP", CLUSTER_IP, "clusterIPs", List.of(CLUSTER_IP))
            .put("ipFamilies", List.of("IPv4"))
            .put("ipFamilyPolicy", "SingleStack")
            .put("ports", List.of(port(443).put("targetPort", port)))
            .put("type", "ClusterIP");
    return Tree.of("kind", "Service", "apiVersion", "v1")
        .put("metadata", metadata(Tree.of("component", "apiserver", "provider", "kubernetes")))
        .put("spec", spec);
  }

  private static Tree endpoints(String address, int port) {
    var subset =
        Tree.of("addresses", List.of(Tree.of("ip", address)), "ports", List.of(port(port)));
    return Tree.of("kind", "Endpoints", "apiVersion", "v1")
        .put("metadata", metadata(Tree.of("endpointslice.kubernetes.io/skip-mirror", "true")))
        .put("subsets", List.of(subset));
  }

  private static Tree slice(String address, int port) {
    var endpoint = Tree.of("addresses", List.of(address), "conditions", Tree.of("ready", true));
    return Tree.of("kind", "EndpointSlice", "apiVersion", "discovery.k8s.io/v1")
        .put("metadata", metadata(Tree.of("kubernetes.io/service-name", NAME)))
        .put("addressType", "IPv4")
        .put("endpoints", List.of(endpoint))
        .put("ports", List.of(port(port)));
  }

  private static Tree metadata(Tree labels) {
    return Tree.of("name", NAME, "namespace", "default", "labels", labels);
  }

  private static Tree port(int number) {
    return Tree.of("name", "https", "port", number, "protocol", "TCP");
  }

  private static String reachable(String address) {
    try {
      var given = InetAddress.getByName(address);
      if (isUsable(given)) {
        return given.getHostAddress();
      }
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(KubernetesService::isUsable)
          .map(InetAddress::getHostAddress)
          .sorted()
          .findFirst()
          .orElse(NOWHERE);
    } catch (UnknownHostException | SocketException e) {
      return NOWHERE;
    }
  }

  private static boolean isUsable(InetAddress address) {
    return address instanceof Inet4Address
        && !address.isLoopbackAddress()
        && !address.isAnyLocalAddress()
        && !address.isLinkLocalAddress();
  }
}
