package io.berth.admission;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.schema.Types;
import io.berth.schema.apply.Structure;
import io.berth.schema.apply.TypeStructure;
import io.berth.schema.cel.Access.Decision;
import io.berth.schema.cel.Access.Question;
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
  public Decision decide(User user, Question question) {
    return new Decision(false, "nobody is allowed anything", "");
  }

  @Override
  public List<Resource> versions(Resource resource) {
    return List.of(resource);
  }

  @Override
  public @Nullable Resource resource(String apiVersion, String kind) {
    return kind.equals("ConfigMap") ? Resource.CONFIG_MAPS : null;
  }

  @Override
  public Tree shown(Resource version, Tree stored) {
    return stored;
  }

  @Override
  public Tree stored(Resource version, Tree shown) {
    return shown;
  }

  @Override
  public Structure structure(Resource version) {
    return TypeStructure.of(Types.kubernetes().type(version.apiVersion(), version.kind()));
  }

  @Override
  public void replace(Resource resource, Tree object) {
    with(resource, object);
  }

  private static String key(Resource resource, String namespace, String name) {
    return "%s|%s|%s".formatted(resource.qualified(), namespace, name);
  }
}
