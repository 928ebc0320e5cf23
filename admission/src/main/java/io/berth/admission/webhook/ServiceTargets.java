package io.berth.admission.webhook;

import io.berth.admission.Lookup;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where services lead that somebody real stands behind: those of an external name, and those
/// without a selector whose endpoints others have written. Behind all others are simulated pods.
public final class ServiceTargets {

  private ServiceTargets() {}

  /// `host:port` behind this port of a service, or `null` when nothing listens there.
  public static @Nullable String find(Tree service, long port, Lookup lookup) {
    var spec = service.treeOrEmpty("spec");
    if (spec.textOrEmpty("type").equals("ExternalName")) {
      return spec.textOrEmpty("externalName") + ":" + port;
    }
    if (!spec.texts("selector").isEmpty()) {
      return null;
    }
    var name = service.textOrEmpty("metadata", "name");
    var portName = portName(spec.trees("ports"), port);
    for (var slice :
        lookup.list(Resource.ENDPOINT_SLICES, service.textOrEmpty("metadata", "namespace"))) {
      var target = ofSlice(slice, name, portName, port);
      if (target != null) {
        return target;
      }
    }
    return null;
  }

  private static String portName(List<Tree> ports, long port) {
    return ports.stream()
        .filter(each -> each.number(0, "port") == port)
        .map(each -> each.textOrEmpty("name"))
        .findFirst()
        .orElse("");
  }

  private static @Nullable String ofSlice(Tree slice, String service, String portName, long port) {
    if (!service.equals(slice.texts("metadata", "labels").get("kubernetes.io/service-name"))) {
      return null;
    }
    long number = port;
    for (var each : slice.trees("ports")) {
      if (each.textOrEmpty("name").equals(portName)) {
        number = each.number(port, "port");
      }
    }
    for (var endpoint : slice.trees("endpoints")) {
      var addresses = endpoint.list("addresses");
      boolean ready = !Boolean.FALSE.equals(endpoint.at("conditions", "ready"));
      if (ready && !addresses.isEmpty()) {
        var address = String.valueOf(addresses.getFirst());
        return (address.contains(":") ? "[" + address + "]" : address) + ":" + number;
      }
    }
    return null;
  }
}
