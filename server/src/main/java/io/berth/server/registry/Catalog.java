package io.berth.server.registry;

import io.berth.api.Resource;
import io.berth.kinds.Kind;
import io.berth.kinds.Kinds;
import io.berth.server.request.RequestInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Everything that is served: the built-in kinds, and custom ones as they come and go.
///
/// Safe for any number of threads.
public final class Catalog {

  private final Map<String, Served> served = new ConcurrentHashMap<>();
  private final List<Kind> builtIn;
  private final Set<String> builtInVersions = new HashSet<>();

  public Catalog(Kinds kinds) {
    this.builtIn = kinds.all();
    builtIn.forEach(this::add);
    for (var each : served.values()) {
      builtInVersions.add(each.resource().group() + "/" + each.resource().version());
    }
  }

  public void add(Kind kind) {
    put(new Served(kind.resource(), kind, null));
    for (var other : kind.others()) {
      put(new Served(other.resource(), kind.as(other), other.conversion()));
    }
  }

  public void put(Served entry) {
    served.put(key(entry.resource()), entry);
  }

  public void remove(Resource resource) {
    served.remove(key(resource));
  }

  public List<Kind> builtIn() {
    return builtIn;
  }

  public List<Served> all() {
    return new ArrayList<>(served.values());
  }

  public Optional<Served> find(String group, String version, String plural) {
    return Optional.ofNullable(served.get(group + "/" + version + "/" + plural));
  }

  /// The resource of a kind, if it is served.
  public Optional<Served> findKind(String apiVersion, String kind) {
    return served.values().stream()
        .filter(each -> each.resource().kind().equals(kind))
        .filter(each -> each.resource().apiVersion().equals(apiVersion))
        .findFirst();
  }

  /// Every version under which the objects of a resource are served, in no particular order.
  public List<Resource> versions(Resource resource) {
    var found = served.get(key(resource));
    if (found != null && !found.isCustom()) {
      var versions = new ArrayList<Resource>();
      versions.add(found.storage());
      found.kind().others().forEach(other -> versions.add(other.resource()));
      return versions;
    }
    return served.values().stream()
        .map(Served::resource)
        .filter(each -> each.plural().equals(resource.plural()))
        .filter(each -> each.group().equals(resource.group()))
        .toList();
  }

  /// The custom resource a request is about, if it asks in the scope of the resource.
  public Optional<Served> findCustom(RequestInfo info) {
    boolean many = info.verb().equals("list") || info.verb().equals("watch");
    return find(info.group(), info.version(), info.resource())
        .filter(Served::isCustom)
        .filter(each ->
            each.resource().namespaced()
                ? many || !info.namespace().isEmpty()
                : info.namespace().isEmpty());
  }

  /// Whether any built-in kind is served in this group and version.
  public boolean knows(String group, String version) {
    return builtInVersions.contains(group + "/" + version);
  }

  /// Whether some version of this group has built-in kinds.
  public boolean knowsGroup(String group) {
    return builtInVersions.stream().anyMatch(each -> each.startsWith(group + "/"));
  }

  /// The storage version of a resource known to exist.
  public Served of(Resource resource) {
    var found = served.get(key(resource));
    if (found == null) {
      throw new IllegalArgumentException("nothing serves " + resource);
    }
    return found;
  }

  private static String key(Resource resource) {
    return resource.group() + "/" + resource.version() + "/" + resource.plural();
  }
}
