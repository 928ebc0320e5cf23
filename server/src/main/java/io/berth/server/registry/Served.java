package io.berth.server.registry;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Conversion;
import io.berth.kinds.Kind;
import io.berth.store.Key;
import io.berth.store.Range;
import org.jspecify.annotations.Nullable;

/// A resource as one group and version serves it, and the kind that is stored behind it.
public record Served(
    Resource resource, Kind kind, @Nullable Conversion conversion, boolean custom) {

  public Served(Resource resource, Kind kind, @Nullable Conversion conversion) {
    this(resource, kind, conversion, false);
  }

  /// Whether stored objects are served as they are.
  public boolean isStorage() {
    return conversion == null;
  }

  public Resource storage() {
    return kind.resource();
  }

  public Key key(String namespace, String name) {
    var storage = kind.resource();
    return new Key(storage.group(), storage.plural(), storage.namespaced() ? namespace : "", name);
  }

  public Range range(String namespace) {
    var storage = kind.resource();
    return new Range(storage.group(), storage.plural(), storage.namespaced() ? namespace : "");
  }

  /// The stored object as this version shows it.
  public Tree present(Tree stored) {
    return conversion == null ? stored : conversion.fromStorage(stored);
  }

  /// The object as it is stored.
  public Tree store(Tree served) {
    return conversion == null ? served : conversion.toStorage(served);
  }
}
