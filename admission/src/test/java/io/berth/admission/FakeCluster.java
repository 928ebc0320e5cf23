package io.berth.admission;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Objects by resource, namespace and name, and nobody is allowed anything.
final class FakeCluster implements Lookup {

  private final Map<String, Tree> objects = new TreeMap<>();

  FakeCluster with(Resource resource, Tree object) {
    objects.put(
        key(
            resource,
            object.textOrEmpty("metadata", "namespace"),
            object.textOrEmpty("metadata", "name")),
        object.copy().freeze());
    return this;
  }

  @Override
  public @Nullable Tree find(Resource resource, String namespace, String name) {
    return objects.get(key(resource, namespace, name));
  }

  @Override
  public List<Tree> list(Resource resource, String namespace) {
    var found = new ArrayList<Tree>();
    objects.forEach((key, object) -> {
      if (key.startsWith(
          resource.qualified() + "|" + (namespace.isEmpty() ? "" : namespace + "|"))) {
        found.add(object);
      }
    });
    return found;
  }

  @Override
  public boolean allowed(User user, Access access) {
    return false;
  }

  @Override
  public void replace(Resource resource, Tree object) {
    with(resource, object);
  }

  private static String key(Resource resource, String namespace, String name) {
    return "%s|%s|%s".formatted(resource.qualified(), namespace, name);
  }
}
