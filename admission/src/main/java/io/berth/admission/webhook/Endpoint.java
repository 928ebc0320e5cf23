package io.berth.admission.webhook;

import io.berth.admission.Lookup;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Where a webhook is: the address to call, the name its certificate must be for, and who may have
/// signed it. `shown` is the URL as messages show it.
record Endpoint(URI address, String shown, String serverName, byte[] authority) {

  private static final int DEFAULT_PORT = 443;

  /// Follows a `clientConfig`. A service is an external name, or one without a selector whose
  /// endpoints are real: behind the others there are simulated pods only.
  static Endpoint of(Tree client, Lookup lookup) throws CallException {
    var authority = authority(client);
    var service = client.tree("service");
    if (service == null) {
      var url = URI.create(client.textOrEmpty("url"));
      var host = url.getHost() == null ? "" : url.getHost();
      return new Endpoint(url, url.toString(), host, authority);
    }
    var name = service.textOrEmpty("name");
    var namespace = service.textOrEmpty("namespace");
    long port = service.number(DEFAULT_PORT, "port");
    var path = service.textOrEmpty("path");
    var serverName = "%s.%s.svc".formatted(name, namespace);
    var slash = path.isEmpty() || path.startsWith("/") ? path : "/" + path;
    var shown = "https://%s:%d%s".formatted(serverName, port, slash);
    var found = lookup.find(Resource.SERVICES, namespace, name);
    if (found == null) {
      throw CallException.unreachable(
          "Post \"%s\": service \"%s\" not found".formatted(shown, name));
    }
    var target = target(found, namespace, name, port, shown, lookup);
    return new Endpoint(URI.create("https://" + target + slash), shown, serverName, authority);
  }

  /// As in Kubernetes, blanks are no authority at all.
  private static byte[] authority(Tree client) {
    var pem = Base64.getDecoder().decode(client.textOrEmpty("caBundle"));
    return new String(pem, StandardCharsets.ISO_8859_1).isBlank() ? new byte[0] : pem;
  }

  private static String target(
      Tree service, String namespace, String name, long port, String shown, Lookup lookup)
      throws CallException {
    var target = ServiceTargets.find(service, port, lookup);
    if (target == null) {
      throw CallException.unreachable(
          "Post \"%s\": nothing listens behind service %s/%s, whose pods are simulated; use clientConfig.url, or a service of type ExternalName, or one without a selector and with an EndpointSlice of real addresses"
              .formatted(shown, namespace, name));
    }
    return target;
  }
}
