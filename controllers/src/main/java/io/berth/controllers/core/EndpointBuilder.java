package io.berth.controllers.core;

import io.berth.api.PodPhase;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.Pods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The endpoints of a Service: its pods, grouped by the ports they serve it on.
final class EndpointBuilder {

  private final Tree service;
  private final Cache nodes;
  private final Map<List<Tree>, List<Tree>> byPorts = new LinkedHashMap<>();

  EndpointBuilder(Tree service, List<Tree> pods, Cache nodes) {
    this.service = service;
    this.nodes = nodes;
    var sorted = new ArrayList<>(pods);
    sorted.sort(Comparator.comparing(Meta::name));
    for (var pod : sorted) {
      if (!pod.textOrEmpty("status", "podIP").isEmpty() && !PodPhase.isTerminal(pod)) {
        byPorts.computeIfAbsent(ports(pod), _ -> new ArrayList<>()).add(pod);
      }
    }
    if (byPorts.isEmpty()) {
      byPorts.put(List.of(), List.of());
    }
  }

  /// Bodies of EndpointSlices: `addressType`, `endpoints` and `ports`, at most 100 endpoints each.
  List<Tree> slices() {
    var slices = new ArrayList<Tree>();
    byPorts.forEach((ports, pods) -> {
      for (int from = 0; from == 0 || from < pods.size(); from += 100) {
        var part = pods.subList(from, Math.min(pods.size(), from + 100));
        var endpoints = new ArrayList<Tree>();
        part.forEach(pod -> {
          if (hasNode(pod) || publishesNotReady()) {
            endpoints.add(endpoint(pod));
          }
        });
        slices.add(
            Tree.of("addressType", "IPv4").put("endpoints", endpoints).put("ports", copies(ports)));
      }
    });
    return slices;
  }

  /// A pod whose node is gone serves nobody, whatever its status says.
  private boolean hasNode(Tree pod) {
    return nodes.find(new Key("", Pods.node(pod))).isPresent();
  }

  /// The `subsets` of the old Endpoints object.
  List<Tree> subsets() {
    var subsets = new ArrayList<Tree>();
    byPorts.forEach((ports, pods) -> {
      if (ports.isEmpty() && !hasNoPorts()) {
        return; // Pods that have none of the ports.
      }
      var ready = new ArrayList<Tree>();
      var unready = new ArrayList<Tree>();
      for (var pod : pods) {
        if (Meta.isDeleting(pod) && !publishesNotReady()) {
          continue;
        }
        (Pods.isReady(pod) || publishesNotReady() ? ready : unready).add(address(pod));
      }
      var subset = new Tree();
      if (!ready.isEmpty()) {
        subset.put("addresses", ready);
      }
      if (!unready.isEmpty()) {
        subset.put("notReadyAddresses", unready);
      }
      if (!subset.isEmpty()) {
        if (!ports.isEmpty()) {
          subset.put("ports", named(ports));
        }
        subsets.add(subset);
      }
    });
    return subsets;
  }

  /// Only a headless service need not have ports.
  private boolean hasNoPorts() {
    return service.list("spec", "ports").isEmpty()
        && service.textOrEmpty("spec", "clusterIP").equals("None");
  }

  private Tree endpoint(Tree pod) {
    var ready = Pods.isReady(pod);
    var terminating = Meta.isDeleting(pod);
    var endpoint =
        Tree.of("addresses", List.of(pod.textOrEmpty("status", "podIP")))
            .put(
                "conditions",
                Tree.of("ready", publishesNotReady() || (ready && !terminating))
                    .put("serving", ready)
                    .put("terminating", terminating));
    if (hasHostname(pod)) {
      endpoint.put("hostname", pod.textOrEmpty("spec", "hostname"));
    }
    endpoint.put("targetRef", reference(pod)).put("nodeName", Pods.node(pod));
    var node = nodes.find(new Key("", Pods.node(pod))).orElse(null);
    var zone = node == null ? null : Meta.label(node, "topology.kubernetes.io/zone");
    if (zone != null) {
      endpoint.put("zone", zone);
    }
    return endpoint;
  }

  private Tree address(Tree pod) {
    var address = Tree.of("ip", pod.textOrEmpty("status", "podIP"));
    if (hasHostname(pod)) {
      address.put("hostname", pod.textOrEmpty("spec", "hostname"));
    }
    return address.put("nodeName", Pods.node(pod)).put("targetRef", reference(pod));
  }

  private boolean hasHostname(Tree pod) {
    return pod.text("spec", "hostname") != null
        && pod.textOrEmpty("spec", "subdomain").equals(Meta.name(service));
  }

  private static Tree reference(Tree pod) {
    return Tree.of("kind", "Pod", "namespace", Meta.namespace(pod))
        .put("name", Meta.name(pod))
        .put("uid", Meta.uid(pod));
  }

  private boolean publishesNotReady() {
    return service.flag("spec", "publishNotReadyAddresses");
  }

  /// The service's ports as this pod serves them; a named target port that it lacks is left out.
  private List<Tree> ports(Tree pod) {
    var ports = new ArrayList<Tree>();
    for (var port : service.trees("spec", "ports")) {
      var number = target(port, pod);
      if (number != null) {
        var entry =
            Tree.of("name", port.textOrEmpty("name"))
                .put("protocol", protocol(port))
                .put("port", number);
        if (port.text("appProtocol") != null) {
          entry.put("appProtocol", port.text("appProtocol"));
        }
        ports.add(entry);
      }
    }
    return ports;
  }

  private static @Nullable Long target(Tree port, Tree pod) {
    var target = port.get("targetPort");
    if (target instanceof Long number && number > 0) {
      return number;
    }
    if (!(target instanceof String name) || name.isEmpty()) {
      return port.number(0, "port");
    }
    for (var container : running(pod)) {
      for (var candidate : container.trees("ports")) {
        if (candidate.textOrEmpty("name").equals(name)
            && protocol(candidate).equals(protocol(port))) {
          return candidate.number(0, "containerPort");
        }
      }
    }
    return null;
  }

  /// The containers that run as long as the pod does, sidecars last.
  private static List<Tree> running(Tree pod) {
    var running = new ArrayList<>(pod.trees("spec", "containers"));
    for (var container : pod.trees("spec", "initContainers")) {
      if (container.textOrEmpty("restartPolicy").equals("Always")) {
        running.add(container);
      }
    }
    return running;
  }

  private static String protocol(Tree port) {
    var protocol = port.textOrEmpty("protocol");
    return protocol.isEmpty() ? "TCP" : protocol;
  }

  private static List<Tree> copies(List<Tree> ports) {
    var copies = new ArrayList<Tree>();
    ports.forEach(port -> copies.add(port.copy()));
    return copies;
  }

  // Endpoints leave an empty name out, EndpointSlices write it.
  private static List<Tree> named(List<Tree> ports) {
    var copies = copies(ports);
    for (var port : copies) {
      if (port.textOrEmpty("name").isEmpty()) {
        port.remove("name");
      }
    }
    PortOrder.sort(copies);
    return copies;
  }
}
