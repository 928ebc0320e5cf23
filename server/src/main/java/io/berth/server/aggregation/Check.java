package io.berth.server.aggregation;

import io.berth.admission.Lookup;
import io.berth.admission.webhook.ServiceTargets;
import io.berth.admission.webhook.Trust;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Looks at one server: at what is stored about it, and then at what it answers.
final class Check {

  private final Remote remote;
  private final RemoteClients clients;
  private final @Nullable Availability obstacle;
  private final String target;

  private Check(
      Remote remote, RemoteClients clients, @Nullable Availability obstacle, String target) {
    this.remote = remote;
    this.clients = clients;
    this.obstacle = obstacle;
    this.target = target;
  }

  /// Looks at the service and its endpoints.
  static Check of(Remote remote, RemoteClients clients, Lookup lookup) {
    var service = lookup.find(Resource.SERVICES, remote.serviceNamespace(), remote.serviceName());
    var obstacle = service == null ? notPresent(remote) : obstacle(remote, service, lookup);
    if (service == null || obstacle != null) {
      return new Check(remote, clients, obstacle, "");
    }
    var target = ServiceTargets.find(service, remote.port(), lookup);
    return target == null
        ? new Check(remote, clients, simulated(remote, service), "")
        : new Check(remote, clients, null, target);
  }

  /// What a change of makes another check worth while.
  Object about() {
    return List.of(remote.spec(), target, obstacle == null ? "" : obstacle);
  }

  private static Availability notPresent(Remote remote) {
    return Availability.missing("ServiceNotFound", service(remote) + " is not present");
  }

  private static String service(Remote remote) {
    return "service/%s in \"%s\"".formatted(remote.serviceName(), remote.serviceNamespace());
  }

  private static @Nullable Availability obstacle(Remote remote, Tree service, Lookup lookup) {
    if (!service.textOrEmpty("spec", "type").equals("ClusterIP")) {
      return null;
    }
    var port =
        service.trees("spec", "ports").stream()
            .filter(each -> each.number(0, "port") == remote.port())
            .findFirst()
            .orElse(null);
    if (port == null) {
      return Availability.missing(
          "ServicePortError",
          "%s is not listening on port %d".formatted(service(remote), remote.port()));
    }
    var slices =
        lookup.list(Resource.ENDPOINT_SLICES, remote.serviceNamespace()).stream()
            .filter(slice ->
                remote
                    .serviceName()
                    .equals(slice.texts("metadata", "labels").get("kubernetes.io/service-name")))
            .toList();
    if (slices.isEmpty()) {
      return Availability.missing(
          "EndpointsNotFound", "cannot find endpointslices for " + service(remote));
    }
    var portName = port.textOrEmpty("name");
    return slices.stream().anyMatch(slice -> hasReady(slice, portName))
        ? null
        : Availability.missing(
            "MissingEndpoints",
            "endpointslices for %s have no addresses with port name \"%s\""
                .formatted(service(remote), portName));
  }

  private static boolean hasReady(Tree slice, String portName) {
    boolean ready =
        slice.trees("endpoints").stream()
            .anyMatch(endpoint -> !Boolean.FALSE.equals(endpoint.at("conditions", "ready")));
    return ready
        && slice.trees("ports").stream()
            .anyMatch(
                port -> portName.equals(port.textOrEmpty("name")) && port.get("port") != null);
  }

  private static Availability simulated(Remote remote, Tree service) {
    var url =
        "https://%s:%d%s"
            .formatted(service.textOrEmpty("spec", "clusterIP"), remote.port(), remote.path());
    return Availability.failed(
        url,
        "nothing listens behind service %s/%s, whose pods are simulated"
            .formatted(remote.serviceNamespace(), remote.serviceName()));
  }

  /// Asks the server what it serves; `before` is what it said the last time.
  Found run(Found before) throws InterruptedException {
    if (obstacle != null) {
      return before.without(obstacle);
    }
    var url = "https://" + target + remote.path();
    try {
      var answer = clients.get(remote, target, remote.path(), null);
      if (answer.statusCode() / 100 != 2) {
        return before.without(
            Availability.failed(url, "bad status from %s: %d".formatted(url, answer.statusCode())));
      }
      return new Documents(remote, target, clients).read(answer.body(), before);
    } catch (IOException e) {
      return before.without(Availability.failed(url, "Get \"%s\": %s".formatted(url, worded(e))));
    }
  }

  private String worded(IOException e) {
    return switch (e) {
      case HttpTimeoutException _ -> "context deadline exceeded";
      case ConnectException _ -> "dial tcp %s: connect: connection refused".formatted(target);
      case SSLException tls -> "tls: failed to verify certificate: " + Trust.complaint(tls);
      default -> String.valueOf(e.getMessage());
    };
  }

  /// What came of a check. Documents of a server that does not answer are kept, but not current.
  record Found(
      Availability availability,
      List<Tree> resources,
      String openApi,
      @Nullable Tree swagger,
      String swaggerTag) {

    static final Found NOTHING = new Found(Availability.missing("", ""), List.of(), "", null, "");

    Found without(Availability other) {
      return new Found(other, resources, openApi, swagger, swaggerTag);
    }
  }
}
