package io.berth.server.registry;

import io.berth.api.Resource;
import io.berth.kinds.Kind;
import io.berth.kinds.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Everything that is served: the built-in kinds, and custom ones as they come and go.
///
/// Safe for any number of threads.
public final class Catalog {

  private final Map<String, Served> served = new ConcurrentHashMap<>();
  private final List<Kind> builtIn;

  public Catalog(Kinds kinds) {
    this.builtIn = kinds.all();
    builtIn.forEach(this::add);
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

  /// Whether anything is served in this group and version.
  public boolean knows(String group, String version) {
    for (var each : served.values()) {
      if (each.resource().group().equals(group) && each.resource().version().equals(version)) {
        return true;
      }
    }
    return false;
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
