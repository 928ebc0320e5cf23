package io.berth.server.aggregation;

import io.berth.admission.User;
import io.berth.admission.webhook.ServiceTargets;
import io.berth.api.Resource;
import io.berth.server.Limits;
import io.berth.server.discovery.Discovery;
import io.berth.server.discovery.OpenApiPaths;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.registry.Registry;
import io.berth.server.request.RequestInfo;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Knows which groups and versions other API servers answer for, and passes requests on to them.
///
/// What is built in is always answered here. Safe for any number of threads.
public final class Aggregator implements AutoCloseable {

  static final Resource API_SERVICES =
      new Resource("apiregistration.k8s.io", "v1", "apiservices", "APIService", false);

  private static final Set<Resource> WATCHED =
      Set.of(API_SERVICES, Resource.SERVICES, Resource.ENDPOINT_SLICES);

  private final Registry registry;
  private final RemoteClients clients;
  private final Checks checks;
  private final Forward forward;

  /// Names of registrations by group and version. What they say is read when it is needed: whoever
  /// has seen that a server is available may ask it.
  private volatile Map<String, String> names = Map.of();

  private Aggregator(
      Registry registry,
      Discovery discovery,
      OpenApiPaths openApi,
      FrontProxy identity,
      InstantSource clock) {
    this.registry = registry;
    this.clients = new RemoteClients(identity);
    this.forward = new Forward(clients);
    this.checks = new Checks(registry, clients, new Published(discovery, openApi), clock);
  }

  /// Serves the registrations that are there now and all that come.
  public static Aggregator serve(
      Registry registry,
      Discovery discovery,
      OpenApiPaths openApi,
      FrontProxy identity,
      InstantSource clock) {
    var aggregator = new Aggregator(registry, discovery, openApi, identity, clock);
    registry.observe(aggregator::written);
    aggregator.read();
    return aggregator;
  }

  private void written(Resource resource) {
    if (resource.equals(API_SERVICES)) {
      read();
    } else if (WATCHED.contains(resource) && !names.isEmpty()) {
      checks.wake();
    }
  }

  /// Reads what is registered. A server too many is stored, and never asked.
  private synchronized void read() {
    var found = new LinkedHashMap<String, Remote>();
    var served = registry.catalog().of(API_SERVICES);
    for (var entry : registry.store().list(served.range("")).entries()) {
      var remote = new Remote(entry.object());
      if (remote.spec().tree("service") != null
          && !registry.catalog().knows(remote.group(), remote.version())
          && found.size() < Limits.REMOTES) {
        found.put(remote.groupVersion(), remote);
      }
    }
    if (found.isEmpty() && names.isEmpty()) {
      return;
    }
    var known = new HashMap<String, String>();
    found.forEach((groupVersion, remote) -> known.put(groupVersion, remote.name()));
    names = Map.copyOf(known);
    clients.keep(found.values());
    checks.of(found.values());
  }

  /// The server that answers this request, or `null` when it is this one.
  public @Nullable Remote find(RequestInfo info) {
    var known = names;
    if (known.isEmpty()) {
      return null;
    }
    var name = known.get(groupVersion(info));
    return name == null ? null : current(name);
  }

  /// Of a request for resources, for what there is of a group version, or for its schemas.
  private static String groupVersion(RequestInfo info) {
    if (info.isResource()) {
      return info.group() + "/" + info.version();
    }
    var parts = RequestInfo.parts(info.path());
    if (parts.size() == 3 && parts.getFirst().equals("apis")) {
      return parts.get(1) + "/" + parts.get(2);
    }
    return parts.size() == 5 && info.path().startsWith("/openapi/v3/apis/")
        ? parts.get(3) + "/" + parts.get(4)
        : "";
  }

  private @Nullable Remote current(String name) {
    return registry
        .store()
        .find(registry.catalog().of(API_SERVICES).key("", name))
        .map(entry -> new Remote(entry.object()))
        .filter(remote -> remote.spec().tree("service") != null)
        .orElse(null);
  }

  /// Passes on a request of `user`, who is authorized for what `info` says.
  public Answer forward(Remote remote, Call call, RequestInfo info, User user) {
    var lookup = registry.lookup();
    var service = lookup.find(Resource.SERVICES, remote.serviceNamespace(), remote.serviceName());
    var target = service == null ? null : ServiceTargets.find(service, remote.port(), lookup);
    return !remote.isAvailable() || target == null
        ? Forward.unavailable()
        : forward.answer(remote, target, call, info, user);
  }

  /// Shows another certificate of the front proxy from now on.
  public void renew() {
    clients.renew();
  }

  @Override
  public void close() {
    checks.close();
    clients.close();
  }
}
